internal import FileSystem
internal import FoundationEssentials
internal import TestSupport
internal import Testing

@testable internal import Analytics

/// Events called `e0`, `e1`, ….
func makeGoogleEvents(_ numbers: Range<Int>) -> [GoogleAnalyticsEvent] {
    numbers.compactMap { GoogleAnalyticsEvent(makeEvent("e\($0)"), clientID: "c") }
}

@Suite(.timeLimit(.minutes(1)))
struct EventSpoolTests {
    private let directory: TemporaryDirectory
    private let clock = ManualClock()

    init() throws {
        directory = try TemporaryDirectory()
    }

    private var folder: String { directory("spool") }

    /// The events' files.
    private var files: [String] {
        get throws { try Files.list(folder).filter { $0 != ".lock" } }
    }

    private func makeSpool(limit: Int = 1 << 20, jitter: Double = 0) -> EventSpool {
        EventSpool(
            directory: folder, limit: limit, fileSize: 400,
            environment: AnalyticsEnvironment(clock: clock, jitter: { jitter }))
    }

    /// A file in the spool as a process has left it.
    private func leave(_ name: String, _ bytes: [UInt8]) throws {
        try Files.createDirectories(folder)
        try Files.create("\(folder)/\(name)", bytes)
    }

    /// The names of all events, a portion each.
    private static func takeAll(_ spool: EventSpool) async throws -> [[String]] {
        var portions: [[String]] = []
        while let portion = try await spool.next() {
            portions.append(portion.events.map(\.name))
            try await spool.settle(portion, keeping: [])
        }
        return portions.filter { !$0.isEmpty }
    }

    @Test func `gives every event once, oldest first, in portions of a file`() async throws {
        let spool = makeSpool()
        for event in makeGoogleEvents(0..<18) { #expect(try await spool.add([event]) == 0) }
        let portions = try await Self.takeAll(spool)
        #expect((2..<18).contains(portions.count))
        #expect(portions.flatMap(\.self) == (0..<18).map { "e\($0)" })
        #expect(try files == [] && spool.size == 0)
    }

    @Test func `keeps what could not be delivered behind what is younger`() async throws {
        let spool = makeSpool()
        _ = try await spool.add(makeGoogleEvents(0..<4))
        let portion = try #require(try await spool.next())
        _ = try await spool.add(makeGoogleEvents(4..<6))
        try await spool.settle(portion, keeping: Array(portion.events.suffix(2)))
        #expect(try await Self.takeAll(spool) == [["e4", "e5"], ["e2", "e3"]])
    }

    @Test func `outlasts its process, and belongs to one at a time`() async throws {
        let (first, second) = (makeSpool(), makeSpool())
        _ = try await first.add(makeGoogleEvents(0..<2))
        await #expect(throws: EventSpool.InUse.self) { try await second.next() }
        await #expect(throws: EventSpool.InUse.self) { try await second.add(makeGoogleEvents(2..<3)) }
        _ = try await first.add(makeGoogleEvents(3..<4))
        await first.close()
        #expect(try await Self.takeAll(second) == [["e0", "e1", "e3"]])
    }

    @Test func `takes no more than its size until there is room again`() async throws {
        let spool = makeSpool(limit: 1000)
        let lost = try await spool.add(makeGoogleEvents(0..<40))
        #expect((1..<40).contains(lost) && (900...1000).contains(spool.size))
        #expect(try await spool.add(makeGoogleEvents(40..<42)) == 2)
        #expect(try await Self.takeAll(spool).flatMap(\.self).count == 40 - lost)
        #expect(try await spool.add(makeGoogleEvents(0..<1)) == 0)
    }

    @Test(arguments: [("", 0, 0), ("\n\n", 0, 0), ("torn\n", 0, 1)])
    func `passes over lines that a crash has torn`(text: String, events: Int, unreadable: Int) async throws {
        try leave("1.jsonl", Array(text.utf8))
        try leave("2.jsonl", Array(makeGoogleEvents(0..<3).flatMap(\.line).dropLast(20)))
        let spool = makeSpool()
        let first = try #require(try await spool.next())
        #expect(first.events.count == events && first.unreadable == unreadable)
        try await spool.settle(first, keeping: [])
        let second = try #require(try await spool.next())
        #expect(second.events.map(\.name) == ["e0", "e1"] && second.unreadable == 1)
        try await spool.settle(second, keeping: [])
        #expect(try files == [])
    }

    @Test func `reads the other files where one cannot be read`() async throws {
        try Files.createDirectories("\(folder)/0.jsonl")
        try leave("1.jsonl", makeGoogleEvents(0..<1).flatMap(\.line))
        let spool = makeSpool()
        let portion = try #require(try await spool.next())
        try await spool.settle(portion, keeping: [])
        let error = await #expect(throws: FileSystemError.self) { try await spool.next() }
        #expect(error?.path == "\(folder)/0.jsonl")
    }

    @Test func `sends nothing again that was delivered and could not be removed`() async throws {
        let spool = makeSpool()
        _ = try await spool.add(makeGoogleEvents(0..<4))
        let portion = try #require(try await spool.next())
        try Files.rename(folder, to: directory("aside"))
        await #expect(throws: FileSystemError.self) {
            try await spool.settle(portion, keeping: Array(portion.events.suffix(2)))
        }
        await #expect(throws: FileSystemError.self) { try await spool.next() }
        try Files.rename(directory("aside"), to: folder)
        #expect(try await Self.takeAll(spool) == [["e2", "e3"]])
        #expect(try files == [])
    }

    @Test func `goes on where a file was removed by others while it was tried`() async throws {
        let spool = makeSpool()
        for (round, kept) in [4, 2].enumerated() {
            _ = try await spool.add(makeGoogleEvents(0..<4))
            let portion = try #require(try await spool.next())
            try Files.remove(portion.file)
            try await spool.settle(portion, keeping: Array(portion.events.suffix(kept)))
            _ = try await spool.add(makeGoogleEvents(4..<5))
            #expect(try await Self.takeAll(spool) == [[["e4"]], [["e2", "e3"], ["e4"]]][round])
            #expect(try await spool.pause() == nil)
        }
    }

    @Test func `waits for nothing in a directory that was removed by others`() async throws {
        let spool = makeSpool()
        _ = try await spool.add(makeGoogleEvents(0..<1))
        let portion = try #require(try await spool.next())
        try await spool.settle(portion, keeping: portion.events)
        #expect(try await spool.pause() != nil)
        try FileManager.default.removeItem(atPath: folder)
        #expect(try await spool.next() == nil)
        #expect(try await spool.pause() == nil)
    }

    @Test func `leaves what failed alone for pauses that double, while others go out`() async throws {
        let spool = makeSpool(jitter: 1)
        _ = try await spool.add(makeGoogleEvents(0..<1))
        for pause in [1, 2, 4] {
            let portion = try #require(try await spool.next())
            try await spool.settle(portion, keeping: portion.events)
            _ = try await spool.add(makeGoogleEvents(1..<2))
            #expect(try await Self.takeAll(spool) == [["e1"]])
            #expect(try await spool.pause() == .seconds(pause))
            clock.advance(by: .seconds(pause))
        }
        #expect(try await Self.takeAll(spool) == [["e0"]])
        #expect(try await spool.pause() == nil)
    }

    @Test func `gives other files where a full disk has no room for the rest of one`() async {
        await #expect(processExitsWith: .success) {
            let directory = try TemporaryDirectory()
            let spool = EventSpool(
                directory: directory("spool"), limit: 1 << 20, fileSize: 1,
                environment: AnalyticsEnvironment(clock: ManualClock(), jitter: { 0 }))
            for events in [0..<2, 2..<3] { _ = try await spool.add(makeGoogleEvents(events)) }
            let first = try #require(try await spool.next())
            try await FileSizeLimit.with(0) {
                await #expect(throws: FileSystemError.self) {
                    try await spool.settle(first, keeping: first.events.suffix(1))
                }
                let second = try #require(try await spool.next())
                #expect(second.events.map(\.name) == ["e2"])
                try await spool.settle(second, keeping: [])
                await #expect(throws: FileSystemError.self) { try await spool.next() }
            }
            let rest = try #require(try await spool.next())
            #expect(rest.events.map(\.name) == ["e1"])
            try await spool.settle(rest, keeping: [])
            #expect(try Files.list(directory("spool")) == [".lock"])
        }
    }

    @Test func `writes a new file where the open one was removed by others`() async throws {
        let spool = makeSpool()
        _ = try await spool.add(makeGoogleEvents(0..<1))
        for name in try files { try Files.remove("\(folder)/\(name)") }
        _ = try await spool.add(makeGoogleEvents(1..<2))
        #expect(try await Self.takeAll(spool) == [["e1"]])
    }

    @Test func `lets nobody else read what waits`() async throws {
        _ = try await makeSpool().add(makeGoogleEvents(0..<1))
        #expect(FilePermissions.of(folder) == 0o700)
        #expect(FilePermissions.of("\(folder)/\(try #require(try files.first))") == 0o600)
    }

    @Test func `keeps no file of each try on a full disk, and takes events again when there is room`() async {
        await #expect(processExitsWith: .success) {
            let directory = try TemporaryDirectory()
            let spool = EventSpool(directory: directory("spool"), limit: 1 << 20)
            let events = [makeEvent("a"), makeEvent("b")].compactMap { GoogleAnalyticsEvent($0, clientID: "c") }
            try await FileSizeLimit.with(0) {
                for _ in 0..<3 {
                    await #expect(throws: FileSystemError.self) { _ = try await spool.add(events) }
                    let names = try Files.list(directory("spool"))
                    #expect(names.count == 2 && spool.size == 0)
                }
            }
            #expect(try await spool.add(events) == 0)
            let size = spool.size
            await FileSizeLimit.with(size + 10) {
                await #expect(throws: FileSystemError.self) { _ = try await spool.add(events) }
            }
            #expect(spool.size == size)
        }
    }
}

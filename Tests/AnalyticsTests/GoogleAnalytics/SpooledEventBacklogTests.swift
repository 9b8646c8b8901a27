internal import FileSystem
internal import Glibc
internal import TestSupport
internal import Testing

@testable internal import Analytics

@Suite(.timeLimit(.minutes(1)))
struct SpooledEventBacklogTests {
    private let directory: TemporaryDirectory
    private let tally = AnalyticsTally()

    init() throws {
        directory = try TemporaryDirectory()
    }

    private var folder: String { directory("spool") }

    private func makeSpool(limit: Int = 1 << 20, segmentSize: Int = 400, portion: Int = 4) -> SpooledEventBacklog {
        SpooledEventBacklog(
            directory: folder, limit: limit, segmentSize: segmentSize, portion: portion, tally: tally)
    }

    /// A file in the spool as a process has left it.
    private func leave(_ name: String, _ bytes: [UInt8]) throws {
        try Files.createDirectories(folder)
        try Files.create("\(folder)/\(name)", bytes)
    }

    @Test("a spool is read by another one, while the one who writes it still does")
    func shared() async throws {
        let (first, second) = (makeSpool(), makeSpool())
        _ = try await first.add(makeGoogleEvents(0..<4))
        // What the first one has open is its own; only what it has finished is anybody's.
        #expect(try await takeAll(second) == [])
        _ = try await first.add(makeGoogleEvents(4..<8))
        _ = try await first.add(makeGoogleEvents(8..<9))
        let others = try await takeAll(second).flatMap(\.self)
        let own = try await takeAll(first).flatMap(\.self)
        #expect(!others.isEmpty && !own.isEmpty)
        #expect((others + own).sorted() == (0..<9).map { "e\($0)" })
    }

    @Test("a spool that is closed leaves all of it to others")
    func closed() async throws {
        let (first, second) = (makeSpool(), makeSpool())
        _ = try await first.add(makeGoogleEvents(0..<2))
        await first.close()
        #expect(try await takeAll(second) == [["e0", "e1"]])
    }

    @Test("two never deliver from the same file")
    func claims() async throws {
        let first = makeSpool()
        _ = try await first.add(makeGoogleEvents(0..<3))
        let second = makeSpool()
        let isFound = try await first.withOldestEvents(since: 0) { events in
            #expect((try? await second.withOldestEvents(since: 0) { _ in [] }) == false)
            return events
        }
        #expect(isFound)
        #expect(try await takeAll(second).flatMap(\.self).count == 3)
    }

    @Test("a line that a crash has torn is counted, and those before it come out")
    func torn() async throws {
        try leave("1.jsonl", Array(makeGoogleEvents(0..<3).flatMap(\.line).dropLast(20)))
        #expect(try await takeAll(makeSpool()) == [["e0", "e1"]])
        #expect(tally.dropped == [.invalid: 1])
        #expect(try Files.list(folder) == [])
    }

    @Test("a file without a line is removed, and those after it come out", arguments: ["", "\n", "\n\n\n"])
    func empty(text: String) async throws {
        try leave("1.jsonl", Array(text.utf8))
        try leave("2.jsonl", makeGoogleEvents(0..<1).flatMap(\.line))
        #expect(try await takeAll(makeSpool()) == [["e0"]])
        #expect(tally.dropped == [:])
        #expect(try Files.list(folder) == [])
    }

    @Test("who is cancelled looks at no other file")
    func cancelled() async throws {
        for number in 1...3 { try leave("\(number).jsonl", Array("torn\n".utf8)) }
        let spool = makeSpool()
        let looking = Task {
            unsafe withUnsafeCurrentTask { unsafe $0?.cancel() }
            return try await spool.withOldestEvents(since: 0) { $0 }
        }
        #expect(try await looking.value == false)
        #expect(try Files.list(folder).count == 3)
    }

    @Test("a spool that has its size takes no more until there is room again")
    func limit() async throws {
        let spool = makeSpool(limit: 1000)
        for event in makeGoogleEvents(0..<40) { _ = try await spool.add([event]) }
        let lost = tally.dropped[.backlogFull] ?? 0
        // Two files of 400 bytes find room, and in each of them one event may go beyond.
        let sizes = try Files.list(folder).map { try Files.status(of: "\(folder)/\($0)").size }
        let longest = makeGoogleEvents(39..<40).flatMap(\.line).count
        #expect(sizes.count == 2 && sizes.allSatisfy { (400..<400 + longest).contains($0) })
        #expect(try await takeAll(spool).flatMap(\.self).count == 40 - lost)
        _ = try await spool.add(makeGoogleEvents(0..<1))
        #expect(tally.dropped == [.backlogFull: lost])
    }

    @Test("what was delivered and cannot be taken out is not sent again, and what was not is not lost")
    func unsettled() async throws {
        let (first, second) = (makeSpool(), makeSpool())
        _ = try await first.add(makeGoogleEvents(0..<4))
        let (folder, aside) = (folder, directory("aside"))
        await #expect(throws: FileSystemError.self) {
            _ = try await first.withOldestEvents(since: 0) { events in
                try? Files.rename(folder, to: aside)
                return Array(events.suffix(2))
            }
        }
        let kept = try Files.read("\(aside)/\(try #require(try Files.list(aside).first))")
        #expect(kept == makeGoogleEvents(0..<4).flatMap(\.line))
        try Files.rename(aside, to: folder)
        #expect(try await takeAll(second) == [])
        #expect(try await takeAll(first) == [["e2", "e3"]])
        #expect(tally.dropped == [:])
        #expect(try Files.list(folder) == [])
    }

    @Test("a file that cannot be opened is nothing to the others, and is told of when they are done")
    func unreadable() async throws {
        try Files.createDirectories("\(folder)/0.jsonl")
        try leave("1.jsonl", makeGoogleEvents(0..<1).flatMap(\.line))
        let spool = makeSpool()
        #expect(try await spool.withOldestEvents(since: 0) { _ in [] })
        let error = await #expect(throws: FileSystemError.self) { try await spool.withOldestEvents(since: 0) { $0 } }
        #expect(error?.path == "\(folder)/0.jsonl")
    }

    @Test("a file that somebody removes while it is written to takes no more")
    func removedByOthers() async throws {
        let spool = makeSpool()
        _ = try await spool.add(makeGoogleEvents(0..<1))
        for name in try Files.list(folder) { try Files.remove("\(folder)/\(name)") }
        _ = try await spool.add(makeGoogleEvents(1..<2))
        #expect(try await takeAll(spool) == [["e1"]])
    }

    @Test("a temporary file that a crash has left goes, when it is old")
    func temporaries() async throws {
        for name in [".old.jsonl", ".new.jsonl", ".other"] { try leave(name, [1]) }
        for name in [".old.jsonl", ".other"] {
            let result = unsafe utimes("\(folder)/\(name)", [timeval(), timeval()])
            try #require(result == 0)
        }
        #expect(try await takeAll(makeSpool()) == [])
        #expect(try Files.list(folder) == [".new.jsonl", ".other"])
    }

    @Test("nobody else may read what waits")
    func permissions() async throws {
        _ = try await makeSpool().add(makeGoogleEvents(0..<1))
        #expect(FilePermissions.of(folder) == 0o700)
        #expect(FilePermissions.of("\(folder)/\(try #require(try Files.list(folder).first))") == 0o600)
    }

    @Test("a disk that stays full gets no file with each try, and takes events again when there is room")
    func fullDisk() async {
        await #expect(processExitsWith: .success) {
            let directory = try TemporaryDirectory()
            let tally = AnalyticsTally()
            let spool = SpooledEventBacklog(directory: directory("spool"), limit: 1 << 20, tally: tally)
            try await FileSizeLimit.with(0) {
                for _ in 0..<3 {
                    await #expect(throws: FileSystemError.self) { _ = try await spool.add(makeGoogleEvents(0..<2)) }
                    let names = try Files.list(directory("spool"))
                    #expect(names == [])
                }
            }
            #expect(tally.dropped == [.writeFailed: 6])
            #expect(try await spool.add(makeGoogleEvents(2..<4)))
            // What does not find room behind what is there takes none of that with it.
            let size = spool.size
            await FileSizeLimit.with(size + 10) {
                await #expect(throws: FileSystemError.self) { _ = try await spool.add(makeGoogleEvents(4..<5)) }
            }
            #expect(spool.size == size)
            #expect(try await takeAll(spool) == [["e2", "e3"]])
        }
    }

    @Test("a file is handed out from its end")
    func fromTheEnd() async throws {
        try leave("1.jsonl", makeGoogleEvents(0..<5).flatMap(\.line))
        try leave("2.jsonl", makeGoogleEvents(5..<6).flatMap(\.line))
        #expect(try await takeAll(makeSpool(portion: 2)) == [["e3", "e4"], ["e1", "e2"], ["e0"], ["e5"]])
    }

    @Test("what fails again and again expires all the same, while others come first")
    func expiryOfSuspects() async throws {
        let clock = ManualWallClock()
        let old = try #require(GoogleAnalyticsEvent(makeEvent("old", at: clock.now), clientID: "c"))
        clock.advance(by: .seconds(60))
        let young = try #require(GoogleAnalyticsEvent(makeEvent("young", at: clock.now), clientID: "c"))
        let (oldFile, mixedFile) = ("\(old.timestamp)-a.jsonl", "\(old.timestamp)-b.jsonl")
        try leave(oldFile, old.line + old.line)
        try leave(mixedFile, old.line + young.line)
        let spool = makeSpool()
        for _ in 0..<10 { #expect(try await spool.withOldestEvents(since: 0) { $0 }) }
        let (first, last) = ("\(young.timestamp)-c.jsonl", "\(young.timestamp)-d.jsonl")
        for name in [first, last] { try leave(name, young.line) }
        let look = try await spool.withOldest(since: young.timestamp) { $0.events }
        #expect(look == .kept(isSuspect: false))
        #expect(tally.dropped == [.expired: 2])
        #expect(try Files.list(folder) == [mixedFile, first, last])
        #expect(try await takeAll(spool, since: young.timestamp) == [["young"], ["young"], ["young"]])
        #expect(tally.dropped == [.expired: 3])
    }
}

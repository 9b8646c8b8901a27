import Concurrency
import FileSystem
import FoundationEssentials
import Health
import Products
import Testing
import TestSupport

@testable import Persistence

@Suite struct GenerationWriterTests {
    private let directory: TemporaryDirectory
    private let log = LogRecorder()
    private let wall = ManualWallClock()
    private let seen = Shared<GenerationIdentity?>(nil)

    init() throws {
        directory = try TemporaryDirectory()
    }

    private func writer(_ disk: StoreDisk = .system, keep: Int = 9, maxBytes: Int? = nil) -> GenerationWriter {
        let directory = GenerationDirectory(path: directory.path, disk: disk)
        return GenerationWriter(
            directory: directory, retention: Retention(keep: keep, maxBytes: maxBytes),
            wallClock: WallClock { [wall] in wall.now }, logger: log.logger, troubles: StoreTroubles(log.logger),
            pin: { directory.readPin() }, seen: { [seen] in seen.withLock { $0 } })
    }

    private func generations() throws -> [Int] {
        try GenerationDirectory(path: directory.path).list().generations.map(\.number).reversed()
    }

    /// A disk with room for so many files.
    private func disk(room: Int) -> StoreDisk {
        var disk = StoreDisk.system
        disk.create = { [path = directory.path] name, parts throws(FileSystemError) in
            let files = try Files.list(path).filter { $0.hasPrefix("generation-") }
            guard files.count < room else { throw FileSystemError(.write, path: name, code: 28) }
            try Files.create(name, parts: parts)
        }
        return disk
    }

    private func pin(_ number: Int) throws {
        let order = OperatorOrder(at: wall.now, by: "me", reason: nil)
        _ = try GenerationHistory(directory: GenerationDirectory(path: directory.path))
            .pin(.generation(number), by: order, known: nil)
    }

    @Test func `what is read back otherwise than it was written replaces nothing`() throws {
        _ = try writer().write(makeSnapshot("old"))
        let old = try Files.read(directory("generation-0000000001.json"))
        var lying = StoreDisk.system
        lying.create = { name, parts throws(FileSystemError) in
            try Files.create(name, Array(parts.joined().dropLast(9)) + [UInt8](repeating: 0, count: 9))
        }
        for name in ["new", "old"] {
            let error = #expect(throws: ReadBackDifference.self) { try writer(lying).write(makeSnapshot(name)) }
            #expect(error.map { StoreFailureReason(saving: $0) } == .damaged)
        }
        #expect(try Files.list(directory.path) == [".lock", "generation-0000000001.json"])
        #expect(try Files.read(directory("generation-0000000001.json")) == old)
    }

    @Test(arguments: [0, 1, 5, 1 << 20, 1 << 20 + 1, 3 << 20])
    func `a file holds what was written to it, and nothing else`(length: Int) throws {
        let bytes = (0..<length).map { UInt8(truncatingIfNeeded: $0 &* 31) }
        func parts(_ bytes: [UInt8]) -> [[UInt8]] {
            [Array(bytes.prefix(300_000)), [], Array(bytes.dropFirst(300_000)), []]
        }
        try Files.create(directory("file"), parts: parts(bytes))
        #expect(try Files.read(directory("file")) == bytes)
        #expect(try Files.holds(directory("file"), parts: parts(bytes)))
        #expect(try !Files.holds(directory("file"), parts: parts(bytes + [0])))
        guard length > 0 else { return }
        #expect(try !Files.holds(directory("file"), parts: parts(bytes.dropLast())))
        for index in [0, length / 2, length - 1] {
            var other = bytes
            other[index] ^= 1
            #expect(try !Files.holds(directory("file"), parts: parts(other)))
        }
    }

    @Test(arguments: [(6.0, 1), (5.9, 3)])
    func `on a full disk one that was in force for less than an hour makes room, or the oldest, and it is said`(
        hour: Double, leaving: Int
    ) throws {
        for (name, hour) in [("one", 1), ("two", 5), ("three", hour), ("four", 9)] {
            _ = try writer().write(makeSnapshot(name, fetchedAt: 3600 * hour))
        }
        #expect(try writer(disk(room: 4)).write(makeSnapshot("five", fetchedAt: 3600 * 9.1)).number == 5)
        #expect(try generations() == [1, 2, 3, 4, 5].filter { $0 != leaving })
        #expect(log.seen == ["warning: the disk is full, removing an older generation to make space"])
        #expect(log.seenLines.first?.metadata["generation"] == "\(leaving)")
    }

    @Test func `on a full disk wrong catalogues that come and go drive out each other, and not the good one`() throws {
        for (name, hour) in [("older", 1.0), ("good", 5), ("wrong", 5.01)] {
            _ = try writer().write(makeSnapshot(name, fetchedAt: 3600 * hour))
        }
        for number in 4...9 {
            let snapshot = try makeSnapshot("wrong \(number)", fetchedAt: 3600 * (5 + Double(number) / 100))
            #expect(try writer(disk(room: 3)).write(snapshot).number == number)
            #expect(try generations() == [2, number - 1, number])
        }
    }

    @Test func `on a full disk neither the pinned nor the current one makes room, and one is the most`() throws {
        for name in ["one", "two", "three"] { _ = try writer().write(makeSnapshot(name)) }
        try pin(1)
        #expect(try writer(disk(room: 3)).write(makeSnapshot("four")).number == 4)
        #expect(try generations() == [1, 3, 4])
        #expect(throws: FileSystemError.self) { try writer(disk(room: 1)).write(makeSnapshot("five")) }
        #expect(try generations() == [1, 4])
        #expect(throws: FileSystemError.self) { try writer(disk(room: 1)).write(makeSnapshot("five")) }
        #expect(try generations() == [1, 4])
    }

    @Test func `on a full disk the current one and the one before it stay, whatever comes`() throws {
        for name in ["good", "wrong"] { _ = try writer().write(makeSnapshot(name)) }
        for name in ["worse", "worst"] {
            #expect(throws: FileSystemError.self) { try writer(disk(room: 2)).write(makeSnapshot(name)) }
        }
        #expect(try generations() == [1, 2])
        #expect(log.seen == [])
    }

    @Test func `on a full disk no generation is given up to confirm the current one`() throws {
        for name in ["one", "two"] { _ = try writer().write(makeSnapshot(name)) }
        #expect(throws: FileSystemError.self) { try writer(disk(room: 2)).write(makeSnapshot("two", fetchedAt: 1)) }
        #expect(try generations() == [1, 2])
    }

    @Test func `the bytes of all generations together stay within their limit, the pinned one included`() throws {
        _ = try writer().write(makeSnapshot("a"))
        let size = try Files.status(of: directory("generation-0000000001.json")).size
        try pin(1)
        for name in ["b", "c", "d", "e"] { _ = try writer(maxBytes: 3 * size + size / 2).write(makeSnapshot(name)) }
        #expect(try generations() == [1, 4, 5])
        _ = try writer(maxBytes: 1).write(makeSnapshot("f"))
        #expect(try generations() == [1, 6])
    }

    @Test func `without a pin the newest two are kept, though they are more bytes than allowed`() throws {
        for name in ["a", "b", "c"] { _ = try writer(maxBytes: 1).write(makeSnapshot(name)) }
        #expect(try generations() == [2, 3])
    }

    @Test func `what cannot be removed is one line, however many saves meet it`() throws {
        for name in ["a", "b", "c"] { _ = try writer().write(makeSnapshot(name)) }
        for number in [1, 2] {
            try Files.remove(directory("generation-000000000\(number).json"))
            try Files.createDirectories(directory("generation-000000000\(number).json"))
        }
        let writer = writer(keep: 1)
        for name in ["d", "e", "f"] { _ = try writer.write(makeSnapshot(name)) }
        #expect(log.seen == ["warning: cannot remove old generations"])
    }
}

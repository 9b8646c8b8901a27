import FileSystem
import TestSupport
import Testing

struct AppendFileTests {
    private let directory: TemporaryDirectory

    init() throws {
        directory = try TemporaryDirectory()
    }

    @Test func `grows what was there before`() throws {
        try Files.create(directory("a"), [1])
        let file = try AppendFile(path: directory("a"))
        try file.append([2, 3])
        try file.append([])
        #expect(try file.size() == 3)
        #expect(try Files.read(directory("a")) == [1, 2, 3])
    }

    @Test func `lines of many tasks stay whole`() async throws {
        let file = try AppendFile(path: directory("a"))
        try await withThrowingTaskGroup { group in
            for task in 0..<8 {
                group.addTask {
                    for _ in 0..<100 { try file.append(Array(repeating: UInt8(task), count: 100)) }
                }
            }
            try await group.waitForAll()
        }
        let bytes = try Files.read(directory("a"))
        #expect(bytes.count == 80_000)
        for start in stride(from: 0, to: bytes.count, by: 100) {
            #expect(Set(bytes[start..<(start + 100)]).count == 1)
        }
    }

    @Test func `who asks to be alone is, also with another opening of the same file`() async throws {
        let files = try (0..<2).map { _ in try AppendFile(path: directory("a")) }
        try await withThrowingTaskGroup { group in
            for file in files {
                group.addTask {
                    for _ in 0..<200 {
                        try file.alone {
                            let size = UInt8(truncatingIfNeeded: try file.size())
                            try file.append([size])
                        }
                    }
                }
            }
            try await group.waitForAll()
        }
        #expect(try Files.read(directory("a")) == (0..<400).map { UInt8(truncatingIfNeeded: $0) })
    }

    @Test func `the last byte is told, and whether the file is still at its path`() throws {
        let file = try AppendFile(path: directory("a"))
        #expect(try file.lastByte() == nil)
        try file.append([1, 2])
        #expect(try file.lastByte() == 2)
        #expect(file.isInPlace)
        try Files.rename(directory("a"), to: directory("b"))
        #expect(!file.isInPlace)
        try Files.create(directory("a"), [3])
        #expect(!file.isInPlace)
    }

    @Test func `a file that it makes is nobody else's to read`() throws {
        _ = try AppendFile(path: directory("a"))
        #expect(FilePermissions.of(directory("a")) == 0o600)
    }

    @Test func `of bytes that do not all find room on the disk none stay, and what was there does`() async {
        await #expect(processExitsWith: .success) {
            let directory = try TemporaryDirectory()
            let file = try AppendFile(path: directory("a"))
            try file.append(Array(repeating: 1, count: 100))
            await FileSizeLimit.with(150) {
                #expect(throws: FileSystemError.self) { try file.append(Array(repeating: 2, count: 100)) }
            }
            #expect(try Files.read(directory("a")) == Array(repeating: 1, count: 100))
            try file.append([3])
            #expect(try Files.read(directory("a")) == Array(repeating: 1, count: 100) + [3])
        }
    }
}

import FileSystem
import TestSupport
import Testing

struct ClaimedFileTests {
    private let directory: TemporaryDirectory

    init() throws {
        directory = try TemporaryDirectory()
    }

    private func makeFile() throws -> ClaimedFile {
        try ClaimedFile.create(directory("a"), temporary: directory(".a"))
    }

    @Test func `one holder at a time, and the next when that has let go`() throws {
        var file: ClaimedFile? = try makeFile()
        #expect(file?.path == directory("a"))
        #expect(try ClaimedFile.claim(directory("a")) == nil)
        file = nil
        file = try ClaimedFile.claim(directory("a"))
        #expect(file != nil)
        #expect(try ClaimedFile.claim(directory("a")) == nil)
    }

    @Test func `what is not there cannot be claimed, nor what was removed by its holder`() throws {
        #expect(try ClaimedFile.claim(directory("a")) == nil)
        let file = try makeFile()
        try file.remove()
        #expect(try ClaimedFile.claim(directory("a")) == nil)
        #expect(try Files.list(directory.path) == [])
    }

    @Test func `bytes go behind what is there, and can be cut off`() throws {
        let file = try makeFile()
        try file.append([1, 2, 3, 4])
        try file.truncate(to: 2)
        try file.append([5])
        #expect(try file.size() == 3)
        for _ in 0..<2 { #expect(try file.read() == [1, 2, 5]) }
        #expect(try Files.read(directory("a")) == [1, 2, 5])
    }

    @Test func `bytes take the place of what is there, and the file stays claimed`() throws {
        let file = try makeFile()
        try file.append([1, 2, 3, 4])
        try file.replace(with: [5, 6], temporary: directory(".b"))
        #expect(try file.read() == [5, 6])
        #expect(try Files.read(directory("a")) == [5, 6])
        #expect(file.isInPlace)
        #expect(try ClaimedFile.claim(directory("a")) == nil)
        try file.append([7])
        #expect(try Files.read(directory("a")) == [5, 6, 7])
        #expect(try Files.list(directory.path) == ["a"])
    }

    @Test func `what cannot be replaced stays as it was`() throws {
        let file = try makeFile()
        try file.append([1, 2])
        #expect(throws: FileSystemError.self) { try file.replace(with: [3], temporary: directory("none/b")) }
        #expect(try file.read() == [1, 2])
        #expect(try Files.read(directory("a")) == [1, 2])
    }

    @Test func `nothing is left of a file that cannot get its name`() throws {
        try Files.createDirectories(directory("a"))
        #expect(throws: FileSystemError.self) { try makeFile() }
        #expect(try Files.list(directory.path) == ["a"])
    }

    @Test func `a file that was removed or replaced without asking is found out`() throws {
        let file = try makeFile()
        #expect(file.isInPlace)
        try Files.remove(directory("a"))
        #expect(!file.isInPlace)
        try Files.create(directory("a"), [])
        #expect(!file.isInPlace)
    }

    @Test func `nobody else may read it, also when it was replaced`() throws {
        let file = try makeFile()
        #expect(FilePermissions.of(directory("a")) == 0o600)
        try file.replace(with: [1], temporary: directory(".b"))
        #expect(FilePermissions.of(directory("a")) == 0o600)
    }

    @Test func `a directory that is not there is an error`() throws {
        #expect(throws: FileSystemError.self) {
            _ = try ClaimedFile.create(directory("b/a"), temporary: directory("b/.a"))
        }
    }
}

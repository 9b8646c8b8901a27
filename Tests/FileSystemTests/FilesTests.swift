import FileSystem
import Glibc
import TestSupport
import Testing

struct FilesTests {
    private let directory: TemporaryDirectory

    init() throws {
        directory = try TemporaryDirectory()
    }

    @Test(arguments: [0, 1, 65_535, 65_536, 65_537, 3_000_000])
    func `reads back what was written, whatever the length`(length: Int) throws {
        let bytes = (0..<length).map { UInt8(truncatingIfNeeded: $0 &* 31) }
        try Files.create(directory("a"), bytes)
        #expect(try Files.read(directory("a")) == bytes)
        #expect(try Files.read(directory("a"), prefix: 100) == Array(bytes.prefix(100)))
        #expect(try Files.status(of: directory("a")).size == length)
    }

    @Test func `reads files that have no length of their own`() throws {
        #expect(try Files.status(of: "/proc/self/status").size == 0)
        #expect(try !Files.read("/proc/self/status").isEmpty)
    }

    @Test func `a new file never replaces one`() throws {
        try Files.create(directory("a"), [1])
        let error = #expect(throws: FileSystemError.self) { try Files.create(directory("a"), [2]) }
        #expect(error?.code == EEXIST)
        #expect(try Files.read(directory("a")) == [1])
    }

    @Test func `replacing leaves nothing beside the file`() throws {
        try Files.replace(directory("a"), with: [1], temporary: directory("t"))
        let first = try Files.status(of: directory("a"))
        try Files.replace(directory("a"), with: [2], temporary: directory("t"))
        #expect(try Files.read(directory("a")) == [2])
        #expect(try Files.list(directory.path) == ["a"])
        #expect(try Files.status(of: directory("a")) != first)
    }

    @Test func `a failed replacement leaves the old file and nothing else`() throws {
        try Files.createDirectories(directory("taken/by/a/directory"))
        let error = #expect(throws: FileSystemError.self) {
            try Files.replace(directory("taken"), with: [1], temporary: directory("t"))
        }
        #expect(error?.operation == .rename)
        #expect(try Files.list(directory.path) == ["taken"])
    }

    @Test func `after a disk is full nothing half written stays`() {
        let error = #expect(throws: FileSystemError.self) {
            let full = try AppendFile(path: "/dev/full")
            try full.append([1, 2, 3])
        }
        #expect(error?.isOutOfSpace == true)
        #expect(error?.description == "cannot write /dev/full: No space left on device")
    }

    @Test func `lists names in order`() throws {
        for name in ["b", ".hidden", "a"] { try Files.create(directory(name), []) }
        #expect(try Files.list(directory.path) == [".hidden", "a", "b"])
    }

    @Test func `directories are made with those around them`() throws {
        try Files.createDirectories(directory("x/y/z"))
        try Files.createDirectories(directory("x/y/z/"))
        #expect(try Files.status(of: directory("x/y/z")).isDirectory)
        try Files.create(directory("file"), [])
        let onFile = #expect(throws: FileSystemError.self) { try Files.createDirectories(directory("file")) }
        #expect(onFile?.operation == .createDirectory)
        let belowFile = #expect(throws: FileSystemError.self) { try Files.createDirectories(directory("file/x/y")) }
        #expect(belowFile?.description == "cannot create directory \(directory("file/x/y")): Not a directory")
    }

    @Test func `removing what is not there is no error`() throws {
        try Files.create(directory("a"), [])
        try Files.remove(directory("a"))
        try Files.remove(directory("a"))
        #expect(!Files.exists(directory("a")))
    }

    @Test func `errors say what was tried where and why`() {
        let read = #expect(throws: FileSystemError.self) { try Files.read(directory("none")) }
        #expect(read?.description == "cannot open \(directory("none")): No such file or directory")
        #expect(read?.isNotFound == true)
        let listed = #expect(throws: FileSystemError.self) { try Files.list(directory("none")) }
        #expect(listed?.operation == .list)
        let status = #expect(throws: FileSystemError.self) { try Files.status(of: directory("none")) }
        #expect(status?.description == "cannot look at \(directory("none")): No such file or directory")
        let inFile = #expect(throws: FileSystemError.self) { try Files.read(directory.path) }
        #expect(inFile?.operation == .read)
    }

    @Test(arguments: [("a", "."), ("/a", "/"), ("/", "/"), ("/a/b", "/a"), ("/a/b/", "/a"), ("a/b", "a"), ("//", "/")])
    func `parents are the paths before the last slash`(path: String, parent: String) {
        #expect(Files.parent(of: path) == parent)
    }

    @Test func `where no directory can be made, that is an error and not an endless attempt`() {
        #expect(throws: FileSystemError.self) { try Files.createDirectories("/proc/larder/store") }
    }

    @Test func `a private directory is, and those around it are not`() throws {
        try Files.createDirectories(directory("a/b"), isPrivate: true)
        #expect(FilePermissions.of(directory("a/b")) == 0o700)
        #expect(FilePermissions.of(directory("a")) != 0o700)
    }

    @Test func `raises how many files may be open`() async {
        // In a process of its own, which starts with few.
        await #expect(processExitsWith: .success) {
            var limit = rlimit()
            let resource = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
            unsafe getrlimit(resource, &limit)
            limit.rlim_cur = min(limit.rlim_max, 256)
            unsafe setrlimit(resource, &limit)
            #expect(Files.mostOpen == 256)
            Files.raiseMostOpen()
            #expect(Files.mostOpen == (limit.rlim_max == rlim_t.max ? .infinity : Double(limit.rlim_max)))
        }
    }
}

import Glibc

/// The few file operations that durable storage is made of. All of them wait for the disk, so none belongs on an event
/// loop.
public enum Files {
    /// All bytes of a file.
    public static func read(_ path: String) throws(FileSystemError) -> [UInt8] {
        try FileDescriptor(opening: path, flags: O_RDONLY).readToEnd()
    }

    /// The first bytes of a file, at most so many.
    public static func read(_ path: String, prefix: Int) throws(FileSystemError) -> [UInt8] {
        try FileDescriptor(opening: path, flags: O_RDONLY).readPrefix(prefix)
    }

    /// Whether anything is at the path.
    public static func exists(_ path: String) -> Bool {
        (try? status(of: path)) != nil
    }

    /// Size, time and identity of what is at the path.
    public static func status(of path: String) throws(FileSystemError) -> FileStatus {
        var found = stat()
        _ = try SystemCall.retrying(.status, path) { unsafe stat(path, &found) }
        return FileStatus(found)
    }

    /// The names in a directory, sorted, without `.` and `..`.
    public static func list(_ directory: String) throws(FileSystemError) -> [String] {
        guard let stream = unsafe opendir(directory) else {
            throw FileSystemError(.list, path: directory, code: errno)
        }
        defer { unsafe closedir(stream) }
        var names: [String] = []
        errno = 0
        while let entry = unsafe readdir(stream) {
            let name = unsafe withUnsafePointer(to: &entry.pointee.d_name) {
                unsafe String(cString: UnsafeRawPointer($0).assumingMemoryBound(to: CChar.self))
            }
            if name != ".", name != ".." { names.append(name) }
            errno = 0
        }
        guard errno == 0 else { throw FileSystemError(.list, path: directory, code: errno) }
        return names.sorted()
    }

    /// How many files, connections included, the process may have open at once; nil if the system does not say.
    public static var mostOpen: Double? {
        var limit = rlimit()
        guard unsafe getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else { return nil }
        return limit.rlim_cur == rlim_t.max ? .infinity : Double(limit.rlim_cur)
    }

    /// Raises how many files the process may have open to the most that the system allows it.
    public static func raiseMostOpen() {
        var limit = rlimit()
        let resource = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
        guard unsafe getrlimit(resource, &limit) == 0, limit.rlim_cur < limit.rlim_max else { return }
        limit.rlim_cur = limit.rlim_max
        unsafe setrlimit(resource, &limit)
    }

    /// The directory that a path is in: `.` for a bare name.
    public static func parent(of path: String) -> String {
        var trimmed = path[...]
        while trimmed.count > 1, trimmed.hasSuffix("/") { trimmed.removeLast() }
        guard let slash = trimmed.lastIndex(of: "/") else { return "." }
        return slash == trimmed.startIndex ? "/" : String(trimmed[..<slash])
    }
}

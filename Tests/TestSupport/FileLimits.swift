internal import Glibc

/// The permission bits of files.
public enum FilePermissions {
    /// The permissions of what is at the path, such as `0o600`; nil when nothing is.
    public static func of(_ path: String) -> UInt32? {
        var found = stat()
        guard unsafe stat(path, &found) == 0 else { return nil }
        return found.st_mode & 0o777
    }
}

/// A limit to the size of files that this process writes, such as a full disk sets.
public enum FileSizeLimit {
    /// Runs the body while no file can grow beyond so many bytes. It is so for the whole process, so this is for exit
    /// tests.
    public static func with(_ bytes: Int, _ body: () async throws -> Void) async rethrows {
        // A write beyond the limit is to be an error, and not the end.
        signal(SIGXFSZ, SIG_IGN)
        var limit = rlimit()
        unsafe getrlimit(resource, &limit)
        let before = limit.rlim_cur
        limit.rlim_cur = rlim_t(bytes)
        unsafe setrlimit(resource, &limit)
        defer {
            limit.rlim_cur = before
            unsafe setrlimit(resource, &limit)
        }
        try await body()
    }

    private static var resource: __rlimit_resource_t { __rlimit_resource_t(RLIMIT_FSIZE.rawValue) }
}

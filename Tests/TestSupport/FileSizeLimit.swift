internal import Glibc

/// How large files may get that this process writes: a disk that is full at a byte of the test's choice.
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

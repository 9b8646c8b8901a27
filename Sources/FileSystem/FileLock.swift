internal import Glibc

/// An advisory lock that processes, and parts of one process, hold on a file in turn.
public enum FileLock {
    /// How long a holder is waited for, in attempts of a millisecond: much longer than any honest holder needs, and an
    /// end for whoever waits behind one that is stopped or hangs on its disk.
    public static let usualAttempts = 5_000

    /// Runs the body while holding the lock, after waiting for whoever has it. The file is made when missing and stays
    /// there; a process that dies lets go of it.
    ///
    /// The body runs on the calling thread, which is blocked while it waits: for five seconds at most.
    /// - Parameter attempts: how often the lock is tried, a millisecond apart.
    /// - Throws: `FileSystemError` when the file cannot be opened or its holder does not let go of it.
    public static func holding<Result, Failure: Error>(
        _ path: String, attempts: Int = usualAttempts, _ body: () throws(Failure) -> Result
    ) throws -> Result {
        let file = try FileDescriptor(opening: path, flags: O_RDWR | O_CREAT)
        try acquire(file, attempts: attempts)
        defer { _ = flock(file.number, LOCK_UN) }
        return try body()
    }

    /// Locks an open file, after waiting for whoever has it.
    static func acquire(
        _ file: borrowing FileDescriptor, attempts: Int = usualAttempts
    ) throws(FileSystemError) {
        for attempt in 1... {
            if flock(file.number, LOCK_EX | LOCK_NB) == 0 { return }
            let code = errno
            guard code == EINTR || (code == EWOULDBLOCK && attempt < attempts) else {
                throw FileSystemError(.lock, path: file.path, code: code)
            }
            usleep(1_000)
        }
    }
}

import Glibc

/// An advisory lock that processes, and parts of one process, hold on a file in turn.
public enum FileLock {
    /// Runs the body while holding the lock, after waiting for whoever has it. The file is made when missing and stays
    /// there; a process that dies lets go of it.
    ///
    /// The body runs on the calling thread, which is blocked while it waits.
    public static func holding<Result, Failure: Error>(
        _ path: String, _ body: () throws(Failure) -> Result
    ) throws -> Result {
        let file = try FileDescriptor(opening: path, flags: O_RDWR | O_CREAT)
        _ = try SystemCall.retrying(.lock, path) { flock(file.number, LOCK_EX) }
        defer { _ = flock(file.number, LOCK_UN) }
        return try body()
    }
}

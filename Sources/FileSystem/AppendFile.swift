internal import Concurrency
internal import Glibc

/// A file that only grows: bytes are appended, also to a file that existed before.
///
/// Safe to use from many threads. Where others write the same file, each does so within `alone`.
package final class AppendFile: Sendable {
    package let path: String
    private let file: Mutex<FileDescriptor>

    /// Opens the file, making it when missing, for nobody else to read; its directory must be there.
    package init(path: String) throws(FileSystemError) {
        self.path = path
        file = Mutex(try FileDescriptor(opening: path, flags: O_WRONLY | O_CREAT | O_APPEND, mode: 0o600))
    }

    /// Runs the body while no other caller does so for this file, here or in another process.
    ///
    /// The calling thread is blocked while it waits for its turn: for five seconds at most.
    /// - Throws: `FileSystemError` when another holder keeps the file.
    package func alone<Result, Failure: Error>(_ body: () throws(Failure) -> Result) throws -> Result {
        try file.withLock { file throws(FileSystemError) in try FileLock.acquire(file) }
        defer { file.withLock { file in _ = flock(file.number, LOCK_UN) } }
        return try body()
    }

    /// Takes the file's lock without waiting, until the last reference to this object goes or the process ends.
    ///
    /// - Returns: false when another holder has it, here or in another process.
    package func hold() throws(FileSystemError) -> Bool {
        do throws(FileSystemError) {
            try file.withLock { file throws(FileSystemError) in try FileLock.acquire(file, attempts: 1) }
            return true
        } catch  where error.code == EWOULDBLOCK {
            return false
        }
    }

    /// Appends all the bytes. When the system takes only some of them, as on a full disk, those are taken back, so that
    /// no torn line stays, unless somebody has appended more behind them.
    package func append(_ bytes: [UInt8]) throws(FileSystemError) {
        try file.withLock { file throws(FileSystemError) in
            let size = try file.status().size
            var written = 0
            do throws(FileSystemError) {
                try file.write(bytes, from: &written)
            } catch {
                if let grown = try? file.status().size, grown == size + written { try? file.truncate(to: size) }
                throw error
            }
        }
    }

    package func size() throws(FileSystemError) -> Int {
        try file.withLock { file throws(FileSystemError) in try file.status().size }
    }

    /// Whether the file still has its path, which somebody may have given to another one.
    package var isInPlace: Bool {
        let own = file.withLock { file in try? file.status() }
        guard let own, let found = try? Files.status(of: path) else { return false }
        return found.inode == own.inode
    }

    /// The last byte of what is at the path; nil when that is empty.
    package func lastByte() throws(FileSystemError) -> UInt8? {
        try FileDescriptor(opening: path, flags: O_RDONLY | O_NONBLOCK).lastByte()
    }
}

/// An advisory lock that processes, and parts of one process, hold on a file in turn.
package enum FileLock {
    /// The wait for a holder, in attempts of a millisecond: much longer than a working holder needs, and an end to the
    /// wait behind one that is stopped or hangs on its disk.
    package static let usualAttempts = 5_000

    /// Runs the body while holding the lock, after waiting for whoever has it. The file is made when missing and stays
    /// there; a process that dies lets go of it.
    ///
    /// The body runs on the calling thread, which is blocked while it waits: for five seconds at most.
    /// - Parameter attempts: how often the lock is tried, a millisecond apart.
    /// - Throws: `FileSystemError` when the file cannot be opened or its holder does not let go of it.
    package static func holding<Result, Failure: Error>(
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

internal import Concurrency
internal import Glibc

/// A file that only grows: bytes are appended, also to an existing file.
///
/// Safe to use from many threads. If others write the same file, all of them must use `alone`.
package final class AppendFile: Sendable {
    package let path: String
    private let file: Mutex<FileDescriptor>

    /// Opens the file, or creates it with access for its owner only; its directory must exist.
    package init(path: String) throws(FileSystemError) {
        self.path = path
        file = Mutex(try FileDescriptor(opening: path, flags: O_WRONLY | O_CREAT | O_APPEND, mode: 0o600))
    }

    /// Runs the body while no other caller does so for this file, in this or another process.
    ///
    /// Blocks the calling thread for five seconds at most.
    /// - Throws: `FileSystemError` if another holder keeps the lock.
    package func alone<Result, Failure: Error>(_ body: () throws(Failure) -> Result) throws -> Result {
        try file.withLock { file throws(FileSystemError) in try FileLock.acquire(file) }
        defer { file.withLock { file in _ = flock(file.number, LOCK_UN) } }
        return try body()
    }

    /// Takes the file's lock without waiting, until the last reference to this object is released or the process ends.
    ///
    /// - Returns: false if another holder has it, in this or another process.
    package func hold() throws(FileSystemError) -> Bool {
        do throws(FileSystemError) {
            try file.withLock { file throws(FileSystemError) in try FileLock.acquire(file, attempts: 1) }
            return true
        } catch  where error.code == EWOULDBLOCK {
            return false
        }
    }

    /// Appends all the bytes. If the system writes only some of them, as on a full disk, those are removed, so that no
    /// incomplete line remains, unless another process has appended more after them.
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

    /// Whether the path still leads to this file; it may have been replaced.
    package var isInPlace: Bool {
        let own = file.withLock { file in try? file.status() }
        guard let own, let found = try? Files.status(of: path) else { return false }
        return found.inode == own.inode
    }

    /// The last byte of the file at the path; nil if it is empty.
    package func lastByte() throws(FileSystemError) -> UInt8? {
        try FileDescriptor(opening: path, flags: O_RDONLY | O_NONBLOCK).lastByte()
    }
}

/// An advisory lock on a file, between processes and within one.
package enum FileLock {
    /// The attempts at the lock, a millisecond apart: much longer than a working holder needs, but limited if the
    /// holder is stopped or its disk hangs.
    package static let usualAttempts = 5_000

    /// Runs the body with the lock, after waiting for its holder. The file is created if missing, and stays; the lock
    /// of a process that dies is released.
    ///
    /// Blocks the calling thread for five seconds at most.
    /// - Parameter attempts: the attempts at the lock, a millisecond apart.
    /// - Throws: `FileSystemError` if the file cannot be opened or its holder keeps the lock.
    package static func holding<Result, Failure: Error>(
        _ path: String, attempts: Int = usualAttempts, _ body: () throws(Failure) -> Result
    ) throws -> Result {
        let file = try FileDescriptor(opening: path, flags: O_RDWR | O_CREAT)
        try acquire(file, attempts: attempts)
        defer { _ = flock(file.number, LOCK_UN) }
        return try body()
    }

    /// Locks an open file, after waiting for its holder.
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

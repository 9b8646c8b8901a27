internal import Concurrency
internal import Glibc

/// A file that only grows: what it is given goes after what is there, also when the file has been there before.
///
/// Safe to use from many threads. Where others write the same file, each does so within `alone`.
public final class AppendFile: Sendable {
    /// Where the file is.
    public let path: String
    private let file: Mutex<FileDescriptor>

    /// Opens the file, making it when missing, for nobody else to read; its directory must be there.
    public init(path: String) throws(FileSystemError) {
        self.path = path
        file = Mutex(try FileDescriptor(opening: path, flags: O_WRONLY | O_CREAT | O_APPEND, mode: 0o600))
    }

    /// Runs the body while nobody else does who asks for the same file in this way, here or in another process.
    ///
    /// The calling thread is blocked while it waits for its turn: for five seconds at most.
    /// - Throws: `FileSystemError` when whoever has the file does not let go of it.
    public func alone<Result, Failure: Error>(_ body: () throws(Failure) -> Result) throws -> Result {
        try file.withLock { file throws(FileSystemError) in try FileLock.acquire(file) }
        defer { file.withLock { file in _ = flock(file.number, LOCK_UN) } }
        return try body()
    }

    /// Takes the file's lock without waiting, until the last reference to this object goes or the process ends.
    ///
    /// - Returns: false when another holder has it, here or in another process.
    public func hold() throws(FileSystemError) -> Bool {
        do throws(FileSystemError) {
            try file.withLock { file throws(FileSystemError) in try FileLock.acquire(file, attempts: 1) }
            return true
        } catch  where error.code == EWOULDBLOCK {
            return false
        }
    }

    /// Appends all the bytes. When the system takes only some of them, as on a full disk, those are taken back, so that
    /// no torn line stays, unless somebody has appended more behind them.
    public func append(_ bytes: [UInt8]) throws(FileSystemError) {
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

    /// How long the file is, in bytes.
    public func size() throws(FileSystemError) -> Int {
        try file.withLock { file throws(FileSystemError) in try file.status().size }
    }

    /// Its size, time and identity; not those of another file that has taken its path.
    public func status() throws(FileSystemError) -> FileStatus {
        try file.withLock { file throws(FileSystemError) in try file.status() }
    }

    /// Whether the file still has its path, which somebody may have given to another one.
    public var isInPlace: Bool {
        guard let found = try? Files.status(of: path), let own = try? status() else { return false }
        return found.inode == own.inode
    }

    /// The last byte of what is at the path; nil when that is empty.
    public func lastByte() throws(FileSystemError) -> UInt8? {
        try FileDescriptor(opening: path, flags: O_RDONLY | O_NONBLOCK).lastByte()
    }

    /// Forces what was appended to disk.
    public func synchronize() throws(FileSystemError) {
        try file.withLock { file throws(FileSystemError) in try file.synchronize() }
    }
}

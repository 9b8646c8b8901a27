import Concurrency
import Glibc

/// A file that one holder at a time works on, whether in this process or in another. Nobody else may read it.
///
/// The claim ends with the last reference, and with the process however that ends. Safe to use from many threads.
public final class ClaimedFile: Sendable {
    /// Where the file is.
    public let path: String
    private let file: Mutex<FileDescriptor>

    private init(path: String, _ file: consuming sending FileDescriptor) {
        self.path = path
        self.file = Mutex(file)
    }

    /// Makes an empty file. It gets its name when it is claimed already, so that nobody else comes first.
    ///
    /// - Parameter temporary: what it is called before; must be nobody else's.
    public static func create(_ path: String, temporary: String) throws(FileSystemError) -> ClaimedFile {
        ClaimedFile(path: path, try descriptor(of: path, temporary: temporary, holding: []))
    }

    /// Claims a file that is there; nil when somebody else has it, or it is there no more.
    public static func claim(_ path: String) throws(FileSystemError) -> ClaimedFile? {
        do throws(FileSystemError) {
            let file = try FileDescriptor(opening: path, flags: O_RDWR | O_APPEND)
            _ = try SystemCall.retrying(.lock, path) { flock(file.number, LOCK_EX | LOCK_NB) }
            // Its last holder may have removed or replaced it between the two calls.
            guard try Files.status(of: path).inode == file.status().inode else { return nil }
            return ClaimedFile(path: path, file)
        } catch  where error.isNotFound || error.code == EWOULDBLOCK {
            return nil
        }
    }

    /// All its bytes.
    public func read() throws(FileSystemError) -> [UInt8] {
        try file.withLock { file throws(FileSystemError) in
            _ = try SystemCall.retrying(.read, path) { lseek(file.number, 0, SEEK_SET) }
            return try file.readToEnd()
        }
    }

    /// How long it is, in bytes.
    public func size() throws(FileSystemError) -> Int {
        try file.withLock { file throws(FileSystemError) in try file.status().size }
    }

    /// Whether the file still has its path; somebody may have removed it without asking.
    public var isInPlace: Bool {
        guard let found = try? Files.status(of: path) else { return false }
        return file.withLock { file in (try? file.status().inode) == found.inode }
    }

    /// Puts bytes behind what is there. Of bytes that do not all find room, none stay.
    public func append(_ bytes: [UInt8]) throws(FileSystemError) {
        try file.withLock { file throws(FileSystemError) in
            let size = try file.status().size
            do throws(FileSystemError) {
                try file.write(bytes)
            } catch {
                try? file.truncate(to: size)
                throw error
            }
        }
    }

    /// Leaves only the first so many bytes.
    public func truncate(to size: Int) throws(FileSystemError) {
        try file.withLock { file throws(FileSystemError) in try file.truncate(to: size) }
    }

    /// Puts bytes in the place of all that is there. Whatever happens on the way, the file has either its old or its
    /// new content, and goes on to be claimed.
    ///
    /// - Parameter temporary: where the bytes go first; must be nobody else's.
    public func replace(with bytes: [UInt8], temporary: String) throws(FileSystemError) {
        try file.withLock { file throws(FileSystemError) in
            file = try Self.descriptor(of: path, temporary: temporary, holding: bytes)
        }
    }

    /// Removes the file.
    public func remove() throws(FileSystemError) {
        try Files.remove(path)
    }

    /// A new file that is claimed before it takes the path. When that fails, nothing is left of it.
    private static func descriptor(
        of path: String, temporary: String, holding bytes: [UInt8]
    ) throws(FileSystemError) -> FileDescriptor {
        let file = try FileDescriptor(opening: temporary, flags: O_RDWR | O_APPEND | O_CREAT | O_EXCL, mode: 0o600)
        do throws(FileSystemError) {
            _ = try SystemCall.retrying(.lock, temporary) { flock(file.number, LOCK_EX | LOCK_NB) }
            try file.write(bytes)
            if !bytes.isEmpty { try file.synchronize() }
            try Files.rename(temporary, to: path)
        } catch {
            try? Files.remove(temporary)
            throw error
        }
        return file
    }
}

import Glibc
import Locks

/// A file that only grows: what it is given goes after what is there, also when the file has been there before.
///
/// Safe to use from many threads. One `AppendFile` is meant to be the only writer of its file.
public final class AppendFile: Sendable {
    /// Where the file is.
    public let path: String
    private let file: Mutex<FileDescriptor>

    /// Opens the file, making it when missing; its directory must be there.
    public init(path: String) throws(FileSystemError) {
        self.path = path
        file = Mutex(try FileDescriptor(opening: path, flags: O_WRONLY | O_CREAT | O_APPEND))
    }

    /// Appends all the bytes. When the system takes only some of them, as on a full disk, those are taken back, so that
    /// no torn line stays.
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

    /// How long the file is, in bytes.
    public func size() throws(FileSystemError) -> Int {
        try file.withLock { file throws(FileSystemError) in try file.status().size }
    }

    /// Forces what was appended to disk.
    public func synchronize() throws(FileSystemError) {
        try file.withLock { file throws(FileSystemError) in try file.synchronize() }
    }
}

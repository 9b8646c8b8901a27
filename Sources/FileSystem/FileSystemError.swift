internal import Glibc

/// A file operation that the operating system refused.
public struct FileSystemError: Error, Sendable, Hashable {
    /// The operations of this target.
    public enum Operation: String, Sendable, Hashable, CaseIterable {
        /// Opening a file or directory.
        case open
        /// Reading a file.
        case read
        /// Writing a file.
        case write
        /// Forcing a file or directory to disk.
        case synchronize
        /// Giving a file another name.
        case rename
        /// Listing a directory.
        case list
        /// Removing a file.
        case remove
        /// Making a directory.
        case createDirectory
        /// Asking for a file's size and times.
        case status
        /// Locking a file.
        case lock
    }

    /// The operation.
    public let operation: Operation
    /// The path that it was tried on.
    public let path: String
    /// The system's error number.
    public let code: Int32

    /// A failure with this error number.
    public init(_ operation: Operation, path: String, code: Int32) {
        self.operation = operation
        self.path = path
        self.code = code
    }
}

extension FileSystemError {
    /// Whether there is nothing at the path.
    public var isNotFound: Bool { code == ENOENT }

    /// Whether there is no room left, on the disk or in the quota.
    public var isOutOfSpace: Bool { code == ENOSPC || code == EDQUOT }

    /// Whether the process has reached its limit of open files.
    public var isOutOfDescriptors: Bool { code == EMFILE }

    /// Whether permissions or a read-only disk forbid writing.
    public var isNotPermitted: Bool { code == EACCES || code == EPERM || code == EROFS }
}

extension FileSystemError: CustomStringConvertible {
    /// The sentence, as `cannot write /var/lib/larder/x.json: No space left on device`.
    public var description: String { "cannot \(verb) \(path): \(cause)" }

    private var verb: String {
        switch operation {
        case .createDirectory: "create directory"
        case .status: "look at"
        default: operation.rawValue
        }
    }

    private var cause: String {
        guard let text = unsafe strerror(code) else { return "error \(code)" }
        return unsafe String(cString: text)
    }
}

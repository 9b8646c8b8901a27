internal import Glibc

/// Why the operating system refused a file operation, and on which path.
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

    /// What was tried.
    public let operation: Operation
    /// On which path.
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

    /// Whether something is there, and it must not be.
    public var isAlreadyThere: Bool { code == EEXIST }

    /// Whether there is no room left, on the disk or in the quota.
    public var isOutOfSpace: Bool { code == ENOSPC || code == EDQUOT }

    /// Whether the process has as many files open as it may have.
    public var isOutOfDescriptors: Bool { code == EMFILE }

    /// Whether writing is not allowed: by permission, or because all of the disk is read-only.
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

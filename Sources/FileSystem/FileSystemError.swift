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

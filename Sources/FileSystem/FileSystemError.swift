internal import Glibc

/// A file operation that the operating system refused.
package struct FileSystemError: Error, Sendable, Hashable {
    package enum Operation: String, Sendable, Hashable, CaseIterable {
        case open
        case read
        case write
        case synchronize
        case rename
        case list
        case remove
        case createDirectory
        case status
        case lock
    }

    package let operation: Operation
    package let path: String
    package let code: Int32

    package init(_ operation: Operation, path: String, code: Int32) {
        self.operation = operation
        self.path = path
        self.code = code
    }
}

extension FileSystemError {
    /// The refusal of a file that is longer than the caller allows.
    package static func tooLarge(_ operation: Operation, path: String) -> FileSystemError {
        FileSystemError(operation, path: path, code: EFBIG)
    }

    package var isNotFound: Bool { code == ENOENT }
    package var isTooLarge: Bool { code == EFBIG }
    /// Whether a part of the path is not a directory.
    package var isNotDirectory: Bool { code == ENOTDIR }

    /// Whether the disk or the quota is full.
    package var isOutOfSpace: Bool { code == ENOSPC || code == EDQUOT }

    package var isOutOfDescriptors: Bool { code == EMFILE }

    /// Whether permissions or a read-only disk forbid writing.
    package var isNotPermitted: Bool { code == EACCES || code == EPERM || code == EROFS }
}

extension FileSystemError: CustomStringConvertible {
    /// The sentence, as `cannot write /var/lib/larder/x.json: No space left on device`.
    package var description: String { "cannot \(verb) \(path): \(cause)" }

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

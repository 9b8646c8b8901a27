import Glibc

/// Calls into the operating system.
enum SystemCall {
    /// The result of a call that tells of failure by -1, repeated while signals interrupt it.
    static func retrying<Result: FixedWidthInteger>(
        _ operation: FileSystemError.Operation, _ path: String, _ call: () -> Result
    ) throws(FileSystemError) -> Result {
        while true {
            let result = call()
            if result != -1 { return result }
            let code = errno
            guard code == EINTR else { throw FileSystemError(operation, path: path, code: code) }
        }
    }
}

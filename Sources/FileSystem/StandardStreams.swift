internal import Glibc

/// Writes to standard output and standard error without a buffer. A write waits until the reader accepts it, even if
/// another process has made the shared stream non-blocking.
package enum StandardStreams {
    /// Opens the null device for each standard stream that is missing. Otherwise the next opened file would get its
    /// number, and be used in its place. Call before anything is opened.
    package static func fill() {
        while case let number = unsafe open("/dev/null", O_RDWR), number >= 0 {
            guard number > STDERR_FILENO else { continue }
            close(number)
            return
        }
    }

    /// Writes to standard output: a command's result, and the log.
    package static func output(_ bytes: [UInt8]) throws(FileSystemError) {
        try write(bytes, to: STDOUT_FILENO, "standard output")
    }

    /// Whether standard output is a terminal.
    package static var isOutputTerminal: Bool { isatty(STDOUT_FILENO) == 1 }

    /// Whether standard error is a terminal.
    package static var isErrorTerminal: Bool { isatty(STDERR_FILENO) == 1 }

    /// Writes to standard error: progress and failures.
    package static func error(_ bytes: [UInt8]) throws(FileSystemError) {
        try write(bytes, to: STDERR_FILENO, "standard error")
    }

    /// Writes a line of usual length in one call, so that lines of several threads do not mix.
    private static func write(_ bytes: [UInt8], to number: Int32, _ name: String) throws(FileSystemError) {
        var written = 0
        while written < bytes.count {
            do throws(FileSystemError) {
                written += try SystemCall.retrying(.write, name) {
                    unsafe bytes[written...].withUnsafeBytes { unsafe Glibc.write(number, $0.baseAddress, $0.count) }
                }
            } catch {
                guard error.code == EAGAIN else { throw error }
                try awaitRoom(in: number, name)
            }
        }
    }

    private static func awaitRoom(in number: Int32, _ name: String) throws(FileSystemError) {
        var stream = pollfd(fd: number, events: Int16(POLLOUT), revents: 0)
        _ = try SystemCall.retrying(.write, name) { unsafe poll(&stream, 1, -1) }
    }
}

internal import Glibc

/// The process's two output streams, written without a buffer of their own. A writer waits until the reader has room,
/// also where another process that shares the stream has made it one that does not wait.
public enum StandardStreams {
    /// Puts the null device where the process was started without an input, an output or an error stream. Else what is
    /// opened next would get the number of one, and be read or written as it. To be called before anything is opened.
    public static func fill() {
        while case let number = unsafe open("/dev/null", O_RDWR), number >= 0 {
            guard number > STDERR_FILENO else { continue }
            close(number)
            return
        }
    }

    /// Writes to standard output: what a command was asked for, and the log.
    public static func output(_ bytes: [UInt8]) throws(FileSystemError) {
        try write(bytes, to: STDOUT_FILENO, "standard output")
    }

    /// Writes to standard error: how it went.
    public static func error(_ bytes: [UInt8]) throws(FileSystemError) {
        try write(bytes, to: STDERR_FILENO, "standard error")
    }

    /// A line of usual length is one call, so lines of several threads do not mix.
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

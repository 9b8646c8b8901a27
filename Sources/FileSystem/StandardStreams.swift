import Glibc

/// The process's two output streams, written without a buffer of their own.
public enum StandardStreams {
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
            written += try SystemCall.retrying(.write, name) {
                unsafe bytes[written...].withUnsafeBytes { unsafe Glibc.write(number, $0.baseAddress, $0.count) }
            }
        }
    }
}

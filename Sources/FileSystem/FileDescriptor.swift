internal import Glibc

/// An open file, closed when it goes out of scope.
struct FileDescriptor: ~Copyable {
    let number: Int32
    let path: String

    init(opening path: String, flags: Int32, mode: mode_t = 0o644) throws(FileSystemError) {
        number = try SystemCall.retrying(.open, path) { unsafe open(path, flags | O_CLOEXEC, mode) }
        self.path = path
    }

    deinit {
        _ = Glibc.close(number)
    }

    borrowing func status() throws(FileSystemError) -> FileStatus {
        var found = stat()
        _ = try SystemCall.retrying(.status, path) { unsafe fstat(number, &found) }
        return FileStatus(found)
    }

    borrowing func synchronize() throws(FileSystemError) {
        _ = try SystemCall.retrying(.synchronize, path) { fsync(number) }
    }

    borrowing func truncate(to size: Int) throws(FileSystemError) {
        _ = try SystemCall.retrying(.write, path) { ftruncate(number, size) }
    }
}

extension FileDescriptor {
    borrowing func readToEnd(limit: Int) throws(FileSystemError) -> [UInt8] {
        let expected = try status().size
        var bytes: [UInt8] = []
        repeat {
            guard max(expected, bytes.count) <= limit else { throw .tooLarge(.read, path: path) }
            // One byte more than expected, to detect the end without another call. No call reads more than 2 GB.
            let capacity = max(min(expected - bytes.count, 1 << 30) + 1, 64 * 1024)
            let count = try append(upTo: capacity, to: &bytes)
            if count == 0 { return bytes }
        } while true
    }

    /// The bytes from the current position on, at most so many.
    borrowing func readPrefix(_ length: Int) throws(FileSystemError) -> [UInt8] {
        var bytes: [UInt8] = []
        while bytes.count < length, try append(upTo: length - bytes.count, to: &bytes) > 0 {}
        return bytes
    }

    /// Fills an array from its start with the next bytes.
    /// - Returns: their number; 0 at the end.
    borrowing func read(into bytes: inout [UInt8]) throws(FileSystemError) -> Int {
        try SystemCall.retrying(.read, path) {
            unsafe bytes.withUnsafeMutableBytes { unsafe Glibc.read(number, $0.baseAddress, $0.count) }
        }
    }

    /// The last byte of the file; nil when it is empty.
    borrowing func lastByte() throws(FileSystemError) -> UInt8? {
        let size = try status().size
        guard size > 0 else { return nil }
        _ = try SystemCall.retrying(.read, path) { lseek(number, off_t(size - 1), SEEK_SET) }
        return try readPrefix(1).first
    }

    /// Writes the bytes from `written` on, and advances it by the bytes written, also on failure.
    borrowing func write(_ bytes: [UInt8], from written: inout Int) throws(FileSystemError) {
        while written < bytes.count {
            written += try SystemCall.retrying(.write, path) {
                unsafe bytes[written...].withUnsafeBytes { unsafe Glibc.write(number, $0.baseAddress, $0.count) }
            }
        }
    }

    private borrowing func append(upTo capacity: Int, to bytes: inout [UInt8]) throws(FileSystemError) -> Int {
        var failure: FileSystemError?
        var count = 0
        let chunk = unsafe [UInt8](unsafeUninitializedCapacity: capacity) { buffer, initialized in
            do throws(FileSystemError) {
                count = try SystemCall.retrying(.read, path) { unsafe Glibc.read(number, buffer.baseAddress, capacity) }
            } catch {
                failure = error
            }
            initialized = count
        }
        if let failure { throw failure }
        if bytes.isEmpty { bytes = chunk } else { bytes.append(contentsOf: chunk) }
        return count
    }
}

enum SystemCall {
    /// The result of a call that returns -1 on failure, repeated while signals interrupt it.
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

/// Size, time and identity of a file, which differ between its states.
package struct FileStatus: Sendable, Hashable {
    package let size: Int
    /// When its content last changed, in nanoseconds since 1970.
    package let modifiedAt: Int64
    /// The file's number on its device; a replacement has another one.
    package let inode: UInt64
    package let isDirectory: Bool
    /// Whether it is neither a file nor a directory, such as a pipe, whose reader may wait for ever.
    package let mayWait: Bool
}

extension FileStatus {
    init(_ found: stat) {
        self.init(
            size: Int(found.st_size),
            modifiedAt: Int64(found.st_mtim.tv_sec) * 1_000_000_000 + Int64(found.st_mtim.tv_nsec),
            inode: UInt64(found.st_ino),
            isDirectory: found.st_mode & S_IFMT == S_IFDIR,
            mayWait: ![S_IFREG, S_IFDIR].contains(found.st_mode & S_IFMT))
    }
}

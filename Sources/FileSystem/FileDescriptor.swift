import Glibc

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

import Glibc

extension FileDescriptor {
    /// All bytes from the current place to the end.
    borrowing func readToEnd() throws(FileSystemError) -> [UInt8] {
        let expected = try status().size
        var bytes: [UInt8] = []
        repeat {
            // One more than is expected, so that the end is met without another round.
            let room = max(expected + 1 - bytes.count, 64 * 1024)
            let count = try append(upTo: room, to: &bytes)
            if count == 0 { return bytes }
        } while true
    }

    /// The bytes from the current place on, at most so many.
    borrowing func readPrefix(_ length: Int) throws(FileSystemError) -> [UInt8] {
        var bytes: [UInt8] = []
        while bytes.count < length, try append(upTo: length - bytes.count, to: &bytes) > 0 {}
        return bytes
    }

    /// The last byte of the file; nil when it is empty.
    borrowing func lastByte() throws(FileSystemError) -> UInt8? {
        let size = try status().size
        guard size > 0 else { return nil }
        _ = try SystemCall.retrying(.read, path) { lseek(number, off_t(size - 1), SEEK_SET) }
        return try readPrefix(1).first
    }

    /// Writes all the bytes, in as many steps as the system wants.
    borrowing func write(_ bytes: [UInt8]) throws(FileSystemError) {
        var written = 0
        try write(bytes, from: &written)
    }

    /// Writes the bytes from `written` on, which tells how far that came, also when it fails.
    borrowing func write(_ bytes: [UInt8], from written: inout Int) throws(FileSystemError) {
        while written < bytes.count {
            written += try SystemCall.retrying(.write, path) {
                unsafe bytes[written...].withUnsafeBytes { unsafe Glibc.write(number, $0.baseAddress, $0.count) }
            }
        }
    }

    private borrowing func append(upTo room: Int, to bytes: inout [UInt8]) throws(FileSystemError) -> Int {
        var failure: FileSystemError?
        var count = 0
        let chunk = unsafe [UInt8](unsafeUninitializedCapacity: room) { buffer, initialized in
            do throws(FileSystemError) {
                count = try SystemCall.retrying(.read, path) { unsafe read(number, buffer.baseAddress, room) }
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

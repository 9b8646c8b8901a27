internal import CZlib

extension HTTPBody {
    private static let level: Int32 = 6
    /// The widest window, and the header and trailer of gzip around what is compressed.
    private static let gzipWindow: Int32 = 15 + 16
    private static let memoryLevel: Int32 = 8

    /// The bytes in the gzip format (RFC 1952); nil when there is no memory for it.
    ///
    /// Equal bytes give equal bytes, now and on every replica with the same zlib: neither a time nor a name is in it. It
    /// takes about 20 ms for each million bytes: call it off the event loops where there may be many.
    public func gzipped() -> HTTPBody? {
        guard let size = UInt32(exactly: count) else { return nil }
        var stream = unsafe z_stream()
        let isReady = unsafe deflateInit2_(
            &stream, Self.level, Z_DEFLATED, Self.gzipWindow, Self.memoryLevel, Z_DEFAULT_STRATEGY, ZLIB_VERSION,
            Int32(MemoryLayout<z_stream>.size))
        guard isReady == Z_OK else { return nil }
        defer { unsafe deflateEnd(&stream) }
        guard let limit = unsafe UInt32(exactly: deflateBound(&stream, UInt(size))) else { return nil }
        let input = unsafe UnsafeMutableRawPointer(mutating: start).assumingMemoryBound(to: UInt8.self)
        return unsafe withUnsafeTemporaryAllocation(of: UInt8.self, capacity: Int(limit)) { output in
            unsafe stream.next_in = input
            unsafe stream.avail_in = size
            unsafe stream.next_out = output.baseAddress
            unsafe stream.avail_out = limit
            guard unsafe deflate(&stream, Z_FINISH) == Z_STREAM_END else { return nil }
            return unsafe HTTPBody(bytes: UnsafeBufferPointer(rebasing: output[..<Int(stream.total_out)]))
        }
    }
}

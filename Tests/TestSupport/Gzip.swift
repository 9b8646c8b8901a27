internal import CZlib
internal import HTTPServer

/// Packs and unpacks the gzip format.
public enum Gzip {
    /// The bytes as one member.
    public static func packed(_ bytes: [UInt8]) -> [UInt8] {
        HTTPBody(bytes: bytes).gzipped()?.bytes ?? []
    }

    /// The bytes that were packed; nil unless all is one whole member whose checksum is right.
    public static func unpacked(_ bytes: [UInt8], limit: Int = 1 << 24) -> [UInt8]? {
        var stream = unsafe z_stream()
        let isReady = unsafe inflateInit2_(
            &stream, 15 + 16, ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size))
        guard isReady == Z_OK else { return nil }
        defer { unsafe inflateEnd(&stream) }
        var input = bytes
        var isWhole = false
        let output = unsafe [UInt8](unsafeUninitializedCapacity: limit) { output, count in
            unsafe input.withUnsafeMutableBufferPointer { input in
                unsafe stream.next_in = input.baseAddress
                unsafe stream.avail_in = UInt32(input.count)
                unsafe stream.next_out = output.baseAddress
                unsafe stream.avail_out = UInt32(limit)
                isWhole = unsafe inflate(&stream, Z_FINISH) == Z_STREAM_END && stream.avail_in == 0
            }
            unsafe count = Int(stream.total_out)
        }
        return isWhole ? output : nil
    }
}

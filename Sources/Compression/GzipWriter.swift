internal import CZlib

/// Packs bytes in the gzip format (RFC 1952).
package enum GzipWriter {
    static let header: [UInt8] = [0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 3]

    /// The bytes as one member; nil if memory is short, or there are 4 GiB or more.
    ///
    /// Equal bytes give equal results with the same zlib: neither a time nor a name is included. A million bytes take
    /// 3 to 10 ms.
    package static func packed(_ bytes: Span<UInt8>) -> [UInt8]? {
        guard var deflater = Deflater(window: Deflater.gzipWindow) else { return nil }
        var packed: [UInt8] = []
        return deflater.append(bytes, to: &packed, flush: Z_FINISH) ? packed.trimmed : nil
    }
}

extension [UInt8] {
    /// A copy without spare capacity, for arrays that stay as the bodies of responses.
    var trimmed: [UInt8] { unsafe withUnsafeBufferPointer { unsafe Array($0) } }
}

/// A compressing stream of zlib.
@safe
struct Deflater: ~Copyable {
    /// The widest window, in the gzip format.
    static let gzipWindow: Int32 = 15 + 16
    /// The widest window, without a header and a trailer.
    static let rawWindow: Int32 = -15
    private static let level: Int32 = 6
    private static let memoryLevel: Int32 = 8
    private static let pieceSize = 64 * 1024

    /// At a fixed address, which zlib keeps.
    private let stream: UnsafeMutablePointer<z_stream>

    /// Creates a stream; nil if memory is short.
    init?(window: Int32) {
        unsafe stream = .allocate(capacity: 1)
        unsafe stream.initialize(to: z_stream())
        let isReady = unsafe deflateInit2_(
            stream, Self.level, Z_DEFLATED, window, Self.memoryLevel, Z_DEFAULT_STRATEGY, ZLIB_VERSION,
            Int32(MemoryLayout<z_stream>.size))
        if isReady != Z_OK { return nil }
    }

    deinit {
        unsafe deflateEnd(stream)
        unsafe stream.deallocate()
    }

    /// Appends bytes in compressed form, which refers to no bytes of earlier calls.
    /// - Parameter flush: how the compressed bytes end: `Z_FINISH` or `Z_SYNC_FLUSH`.
    /// - Returns: false if memory is short, or there are 4 GiB or more.
    mutating func append(_ bytes: Span<UInt8>, to output: inout [UInt8], flush: Int32) -> Bool {
        guard let size = UInt32(exactly: bytes.count), unsafe deflateReset(stream) == Z_OK else { return false }
        return unsafe bytes.withUnsafeBufferPointer { bytes in
            unsafe stream.pointee.next_in = UnsafeMutablePointer(mutating: bytes.baseAddress)
            unsafe stream.pointee.avail_in = size
            return unsafe withUnsafeTemporaryAllocation(of: UInt8.self, capacity: Self.pieceSize) { piece in
                repeat {
                    unsafe stream.pointee.next_out = piece.baseAddress
                    unsafe stream.pointee.avail_out = UInt32(Self.pieceSize)
                    guard unsafe deflate(stream, flush) != Z_STREAM_ERROR else { return false }
                    unsafe output.append(contentsOf: piece[..<(Self.pieceSize - Int(stream.pointee.avail_out))])
                } while unsafe stream.pointee.avail_out == 0
                return unsafe stream.pointee.avail_in == 0
            }
        }
    }
}

internal import CZlib

/// Unpacks the gzip format (RFC 1952), up to a limit of bytes.
package struct GzipReader: Sendable {
    /// The reason why bytes cannot be unpacked.
    package enum Fault: Error, Sendable, Hashable {
        case damaged
        case truncated
        /// Unpacked they are longer than this.
        case tooLarge(limit: Int)
    }

    /// The widest window, with the header and trailer of gzip.
    private static let gzipWindow: Int32 = 15 + 16
    private static let pieceSize = 64 * 1024
    /// The magic number, and the only method of compression.
    private static let beginning: [UInt8] = [0x1F, 0x8B, 8]

    private let limit: Int

    package init(limit: Int) {
        self.limit = limit
    }

    /// Whether bytes begin like a gzip, as no text does.
    package static func isPacked(_ bytes: [UInt8]) -> Bool { bytes.starts(with: beginning) }

    package func unpack(_ packed: [UInt8]) throws(Fault) -> [UInt8] {
        var stream = unsafe z_stream()
        let isReady = unsafe inflateInit2_(&stream, Self.gzipWindow, ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size))
        guard isReady == Z_OK else { throw .damaged }
        defer { unsafe inflateEnd(&stream) }
        var packed = packed
        var unpacked: [UInt8] = []
        var failure: Fault?
        unsafe packed.withUnsafeMutableBufferPointer { input in
            guard let size = UInt32(exactly: input.count) else { return failure = .tooLarge(limit: limit) }
            unsafe stream.next_in = input.baseAddress
            unsafe stream.avail_in = size
            do throws(Fault) {
                while try unsafe inflatePiece(&stream, into: &unpacked) {}
            } catch { failure = error }
        }
        if let failure { throw failure }
        return unpacked
    }

    /// Appends the next piece. A gzip may have several members, one after another, and zeros behind the last.
    /// - Returns: whether there is more.
    private func inflatePiece(_ stream: inout z_stream, into unpacked: inout [UInt8]) throws(Fault) -> Bool {
        var status = Z_OK
        let piece = unsafe [UInt8](unsafeUninitializedCapacity: Self.pieceSize) { output, count in
            unsafe stream.next_out = output.baseAddress
            unsafe stream.avail_out = UInt32(Self.pieceSize)
            status = unsafe inflate(&stream, Z_NO_FLUSH)
            unsafe count = Self.pieceSize - Int(stream.avail_out)
        }
        guard piece.count <= limit - unpacked.count else { throw .tooLarge(limit: limit) }
        unpacked += piece
        switch status {
        case Z_OK: return true
        case Z_STREAM_END:
            let rest = unsafe UnsafeBufferPointer<UInt8>(start: stream.next_in, count: Int(stream.avail_in))
            if unsafe rest.allSatisfy({ $0 == 0 }) { return false }
            unsafe inflateReset(&stream)
            return true
        case Z_BUF_ERROR: throw .truncated
        default: throw .damaged
        }
    }
}

extension GzipReader.Fault: CustomStringConvertible {
    package var description: String {
        switch self {
        case .damaged: "damaged gzip"
        case .truncated: "truncated gzip"
        case .tooLarge(let limit): "a gzip of more than \(limit) bytes"
        }
    }
}

internal import CZlib
internal import Compression
internal import Hashing
package import Persistence
package import Products

/// The stored form of a fleet's catalogue: the file of a generation in gzip format, named by its SHA-256.
package struct CatalogueBlob: Sendable, Hashable {
    package let bytes: [UInt8]
    package let sha256: String

    /// Why a blob is not used. In each case it is damaged or forged.
    package enum Fault: Error, Sendable, CustomStringConvertible {
        case length(Int)
        case hash
        /// Unpacked it would be longer than such a blob can be.
        case tooLong(Int)
        case gzip
        case generation(GenerationFault)
        /// Another catalogue than the pointer names.
        case catalogue(revision: String, count: Int)

        package var description: String {
            switch self {
            case .length(let count): "\(count) bytes differ from the pointer's length"
            case .hash: "the SHA-256 differs from the pointer's"
            case .tooLong(let count): "its declared unpacked length is \(count) bytes"
            case .gzip: "damaged gzip"
            case .generation(let fault): "\(fault)"
            case .catalogue(let revision, let count):
                "it holds revision \(revision) of \(count) products, not the one of the pointer"
            }
        }
    }

    /// Packs a snapshot: always to the same bytes for the same catalogue and time, on every replica with the same zlib.
    /// It takes some 20 ms for each million bytes.
    /// - Returns: nil where it would be longer than the limit, packed or unpacked.
    package init?(of snapshot: ProductsSnapshot, maxBytes: Int) throws {
        let file = try GenerationFile.encode(portable: snapshot)
        guard let bytes = GzipWriter.packed(file.span), bytes.count <= maxBytes,
            file.count <= Self.unpackedLimit(bytes.count, maxBytes: maxBytes)
        else { return nil }
        self.bytes = bytes
        sha256 = SHA256Digest(of: bytes).hexDigits
    }

    /// Unpacks the blob of a pointer. Neither is trusted: no memory is allocated beyond the limits of `maxBytes`, and
    /// none before length and hash match.
    ///
    /// - Parameter known: its catalogue is returned if the blob has the same products.
    package static func decode(
        _ bytes: [UInt8], as pointer: CataloguePointer, maxBytes: Int, known: Catalogue?
    ) throws(Fault) -> ProductsSnapshot {
        guard bytes.count == pointer.bytes, bytes.count <= maxBytes else { throw .length(bytes.count) }
        guard SHA256Digest(of: bytes).hexDigits == pointer.sha256 else { throw .hash }
        guard let length = Gzip.statedLength(bytes) else { throw .gzip }
        guard length <= unpackedLimit(bytes.count, maxBytes: maxBytes) else { throw .tooLong(length) }
        guard let file = Gzip.unpacked(bytes, length: length) else { throw .gzip }
        let snapshot: ProductsSnapshot
        do throws(GenerationFault) {
            snapshot = try GenerationFile.decode(untrusted: file, known: known)
        } catch {
            throw .generation(error)
        }
        guard snapshot.revision == pointer.revision, snapshot.catalogue.count == pointer.count else {
            throw .catalogue(revision: snapshot.revision, count: snapshot.catalogue.count)
        }
        return snapshot
    }

    /// The longest file that a blob of this length is unpacked to: 20 times the longest blob, and no more than 200 to 1
    /// beyond the first megabyte, which no catalogue of different products reaches.
    private static func unpackedLimit(_ count: Int, maxBytes: Int) -> Int {
        min(min(maxBytes, 1 << 40) * 20, (1 << 20) + count * 200)
    }
}

/// The gzip format (RFC 1952), one member in memory.
private enum Gzip {
    /// The widest window, with the header and trailer of gzip.
    private static let window: Int32 = 15 + 16
    /// The header and the trailer.
    private static let least = 18

    /// The length that the trailer states.
    static func statedLength(_ bytes: [UInt8]) -> Int? {
        guard bytes.count >= least else { return nil }
        return bytes.suffix(4).reversed().reduce(0) { $0 << 8 | Int($1) }
    }

    /// - Returns: nil unless the bytes are one whole member that unpacks to just this length.
    static func unpacked(_ bytes: [UInt8], length: Int) -> [UInt8]? {
        guard UInt32(exactly: bytes.count) != nil, let limit = UInt32(exactly: length) else { return nil }
        var stream = unsafe z_stream()
        let isReady = unsafe inflateInit2_(&stream, window, ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size))
        guard isReady == Z_OK else { return nil }
        defer { unsafe inflateEnd(&stream) }
        var isWhole = false
        let output = unsafe [UInt8](unsafeUninitializedCapacity: max(1, length)) { output, count in
            unsafe bytes.withUnsafeBufferPointer { input in
                unsafe stream.next_in = UnsafeMutablePointer(mutating: input.baseAddress)
                unsafe stream.avail_in = UInt32(input.count)
                unsafe stream.next_out = output.baseAddress
                unsafe stream.avail_out = limit
                isWhole =
                    unsafe inflate(&stream, Z_FINISH) == Z_STREAM_END && stream.avail_in == 0 && stream.avail_out == 0
            }
            unsafe count = Int(limit - stream.avail_out)
        }
        return isWhole ? output : nil
    }
}

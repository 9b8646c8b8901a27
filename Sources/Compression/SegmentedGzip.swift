internal import CZlib
internal import Hashing

/// A text of many items in the gzip format, packed in segments. A later text takes over the packed bytes of segments
/// that have not changed.
///
/// Equal texts give equal bytes, whatever was taken over. A segment begins at an item that is chosen by its first
/// bytes, so an added or removed item changes few segments around it. No segment refers to another one, which makes
/// the result some 3 % longer, so texts below a megabyte are one segment.
package struct SegmentedGzip: Sendable {
    private struct Segment {
        /// The place of its packed bytes.
        let packed: Range<Int>
        let checksum: UInt
    }

    /// The size of the texts that have several segments.
    private static let smallest = 1 << 20
    /// The size that most segments come near to.
    private static let size = 256 << 10
    /// The least size of a segment that is not the last.
    private static let leastSize = 64 << 10
    /// The distance of the items at which a segment beyond that size may end. Below that size, one of eight of them may.
    private static let distance = 32 << 10
    /// The number of an item's bytes that decide on a segment. They hold its id, whose first part all items may share.
    private static let sample = 128
    /// A last block without content.
    private static let end: [UInt8] = [3, 0]

    /// The whole result.
    package let bytes: [UInt8]
    /// The number of packed bytes that an earlier result had.
    package private(set) var reusedCount = 0
    private var segments: [ContentDigest: Segment] = [:]

    /// Packs a text; nil if memory is short. A million bytes take 3 to 10 ms, much less if they were packed before.
    /// - Parameters:
    ///   - starts: the places of the items, which ascend.
    ///   - earlier: a result for another text.
    package init?(_ text: Span<UInt8>, itemsAt starts: [Int], after earlier: SegmentedGzip? = nil) {
        guard text.count >= Self.smallest else {
            guard let packed = GzipWriter.packed(text) else { return nil }
            bytes = packed
            return
        }
        guard var deflater = Deflater(window: Deflater.rawWindow) else { return nil }
        var output = GzipWriter.header
        output.reserveCapacity(min(earlier.map { $0.bytes.count + $0.bytes.count / 8 } ?? .max, text.count / 8))
        var checksum: UInt = 0
        var start = 0
        for end in Self.cuts(in: text, starts) + [text.count] {
            let digest = ContentDigest(of: text, in: start..<end)
            let place = output.count
            let known = earlier?.segments[digest]
            if let earlier, let known {
                output += earlier.bytes[known.packed]
                reusedCount += known.packed.count
            } else if !deflater.append(text.extracting(start..<end), to: &output, flush: Z_SYNC_FLUSH) {
                return nil
            }
            let segment = Segment(
                packed: place..<output.count,
                checksum: known?.checksum ?? Self.checksum(of: text.extracting(start..<end)))
            segments[digest] = segment
            checksum = crc32_combine(checksum, segment.checksum, end - start)
            start = end
        }
        output += Self.end
        for number in [checksum, UInt(text.count)] {
            output += (0..<4).map { UInt8(truncatingIfNeeded: number >> UInt($0 * 8)) }
        }
        bytes = output.trimmed
    }

    /// The places between segments.
    private static func cuts(in text: Span<UInt8>, _ starts: [Int]) -> [Int] {
        var (cuts, last, choice) = ([Int](), 0, 1 as UInt64)
        while Int(choice) * text.count < starts.count * distance { choice *= 2 }
        for start in starts where start - last >= leastSize {
            let chosen = start - last < size ? choice * 8 : choice
            if hash(ofItemIn: text, at: start) & (chosen - 1) == 0 {
                cuts.append(start)
                last = start
            }
        }
        return cuts
    }

    /// A hash of the first bytes of an item, the same in every process.
    private static func hash(ofItemIn text: Span<UInt8>, at start: Int) -> UInt64 {
        var hash: UInt64 = 0
        for offset in stride(from: start, to: min(start + sample, text.count - 7), by: 8) {
            let word = unsafe text.bytes.unsafeLoadUnaligned(fromByteOffset: offset, as: UInt64.self)
            hash = (hash ^ UInt64(littleEndian: word)) &* 0x9E37_79B9_7F4A_7C15
            hash ^= hash >> 32
        }
        return hash
    }

    private static func checksum(of bytes: Span<UInt8>) -> UInt {
        unsafe bytes.withUnsafeBufferPointer { unsafe crc32_z(0, $0.baseAddress, $0.count) }
    }
}

/// Just enough of gzip to feed a client: small bodies stored as they are, and a bomb of zeros.
enum Gzip {
    private static let header: [UInt8] = [0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 255]

    /// - Precondition: at most 65535 bytes.
    static func stored(_ bytes: [UInt8]) -> [UInt8] {
        let count = UInt16(bytes.count)
        let block: [UInt8] = [1] + littleEndian(count) + littleEndian(~count)
        return header + block + bytes + littleEndian(crc(bytes)) + littleEndian(UInt32(bytes.count))
    }

    /// About `count` zeros in a 160th of the bytes. The checksum is missing: nobody should get that far.
    static func zeros(_ count: Int) -> [UInt8] {
        var bits: [UInt8] = [1, 1, 0]  // the last block, in fixed Huffman codes
        bits += [0, 0, 1, 1, 0, 0, 0, 0]  // the literal 0
        for _ in 0..<(count / 258) { bits += [1, 1, 0, 0, 0, 1, 0, 1] + [0, 0, 0, 0, 0] }  // 258 more of it
        let padded = bits + [UInt8](repeating: 0, count: 8)
        let packed = stride(from: 0, to: bits.count, by: 8).map { start in
            (0..<8).reduce(UInt8(0)) { $0 | padded[start + $1] << UInt8($1) }
        }
        return header + packed
    }

    private static func crc(_ bytes: [UInt8]) -> UInt32 {
        ~bytes.reduce(~UInt32(0)) { crc, byte in
            (0..<8).reduce(crc ^ UInt32(byte)) { value, _ in value >> 1 ^ (value & 1) * 0xEDB8_8320 }
        }
    }

    private static func littleEndian<Number: FixedWidthInteger>(_ number: Number) -> [UInt8] {
        (0..<(Number.bitWidth / 8)).map { UInt8(truncatingIfNeeded: number >> Number($0 * 8)) }
    }
}

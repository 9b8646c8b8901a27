/// Weights, as headers of negotiation give them: `;q=0.5` (RFC 9110, 12.4.2).
enum QualityValue {
    /// The weight in thousandths of what stands between two places of a header, 1000 where nothing does; nil when it is
    /// no weight.
    static func weight(after start: Int, in header: borrowing Span<UInt8>, until end: Int) -> Int? {
        guard start < end else { return 1000 }
        let value = HeaderElements.trimmed(header, (start + 1)..<end)
        guard value.count >= 3, header[value.lowerBound] | 0x20 == UInt8(ascii: "q"),
            header[value.lowerBound + 1] == UInt8(ascii: "=")
        else { return nil }
        return thousandths(header, (value.lowerBound + 2)..<value.upperBound)
    }

    /// From `0` to `1.000`, with at most three digits after the point.
    private static func thousandths(_ header: borrowing Span<UInt8>, _ range: Range<Int>) -> Int? {
        guard range.count <= 5, let whole = digit(header[range.lowerBound]), whole <= 1 else { return nil }
        var (value, place) = (whole * 1000, 100)
        for index in range.dropFirst() {
            if index == range.lowerBound + 1 {
                guard header[index] == UInt8(ascii: ".") else { return nil }
                continue
            }
            guard let digit = digit(header[index]) else { return nil }
            value += digit * place
            place /= 10
        }
        return value <= 1000 ? value : nil
    }

    private static func digit(_ byte: UInt8) -> Int? {
        (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) ? Int(byte - UInt8(ascii: "0")) : nil
    }
}

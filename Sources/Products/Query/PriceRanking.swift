internal import FoundationEssentials
internal import JSON

/// Ranks products by price, so that a range is looked up once and compared by rank.
struct PriceRanking: Sendable {
    let ranking: Ranking
    private let catalogue: Catalogue

    init(_ catalogue: Catalogue) {
        let (bytes, ranges) = (catalogue.encoded, catalogue.texts.map(\.amountRange))
        let keys = ranges.enumerated().map { (PlainAmount.key(bytes.span, $1), Int32($0)) }
        ranking = Ranking(keys, outOf: ranges.count) { left, right, key in
            guard !PlainAmount.isExact(key) else { return false }
            return PlainAmount(bytes[ranges[Int(left)]]) < PlainAmount(bytes[ranges[Int(right)]])
        }
        self.catalogue = catalogue
    }

    var byteCount: Int { ranking.byteCount }

    /// The ranks of the amounts in a closed range.
    func ranks(from least: Decimal?, through greatest: Decimal?) -> Range<Int32> {
        let lower = least.map { PlainAmount($0) }.map { least in partition { !($0 < least) } } ?? 0
        let upper = greatest.map { PlainAmount($0) }.map { greatest in partition { greatest < $0 } }
        return Int32(lower)..<Int32(max(lower, upper ?? ranking.examples.count))
    }

    /// The index of the first amount for which the condition holds; it must hold for all later ones.
    private func partition(_ holds: (PlainAmount) -> Bool) -> Int {
        var (low, high) = (0, ranking.examples.count)
        while low < high {
            let middle = (low + high) / 2
            if holds(amount(at: ranking.examples[middle])) { high = middle } else { low = middle + 1 }
        }
        return low
    }

    private func amount(at position: Int32) -> PlainAmount {
        PlainAmount(catalogue.encoded[catalogue.text(at: Int(position)).amountRange])
    }
}

/// An amount as its digits in plain notation, which are the same for equal amounts.
struct PlainAmount: Comparable {
    /// The digits of a key before and behind the point.
    private static let (whole, fraction) = (12, 6)
    private static let beyond = 2_000_000_000_000_000_001

    private let text: [UInt8]

    /// - Parameter text: an amount of a canonical encoding.
    init(_ text: ArraySlice<UInt8>) {
        self.text = Array(text)
    }

    /// An amount that is not a number comes before all others.
    init(_ amount: Decimal) {
        text = ExactDecimal(amount).digits.map { Array($0.literal.utf8) } ?? []
    }

    static func < (left: PlainAmount, right: PlainAmount) -> Bool {
        guard !left.text.isEmpty, !right.text.isEmpty else { return left.text.isEmpty && !right.text.isEmpty }
        let (leftKey, rightKey) = (key(left.text.span, left.text.indices), key(right.text.span, right.text.indices))
        if leftKey != rightKey { return leftKey < rightKey }
        if isExact(leftKey) { return false }
        return leftKey < 0 ? isNearer(right.magnitude, left.magnitude) : isNearer(left.magnitude, right.magnitude)
    }

    /// A number in the order of the amounts, of twelve digits before the point and six behind. It is exact if it is even:
    /// amounts with the same one are equal then. Bytes that are no amount have any key.
    static func key(_ text: Span<UInt8>, _ range: Range<Int>) -> Int {
        var (number, digits, point) = (0, 0, -1)
        guard !range.isEmpty else { return 0 }
        let isNegative = text[range.lowerBound] == UInt8(ascii: "-")
        for at in (isNegative ? range.dropFirst() : range) {
            if text[at] == UInt8(ascii: ".") {
                point = digits
                continue
            }
            if point < 0 ? digits == whole : digits - point == fraction {
                let key = point < 0 ? beyond : number &* 2 &+ 1
                return isNegative ? 0 &- key : key
            }
            number = number &* 10 &+ Int(text[at] &- UInt8(ascii: "0"))
            digits += 1
        }
        for _ in (point < 0 ? 0 : digits - point)..<fraction { number = number &* 10 }
        return isNegative ? number &* -2 : number &* 2
    }

    static func isExact(_ key: Int) -> Bool { key & 1 == 0 }

    /// The digits without the sign.
    private var magnitude: ArraySlice<UInt8> {
        text.first == UInt8(ascii: "-") ? text.dropFirst() : text[...]
    }

    /// Whether a magnitude is less than another one: its part before the point is shorter, or its digits come first.
    private static func isNearer(_ left: ArraySlice<UInt8>, _ right: ArraySlice<UInt8>) -> Bool {
        let point = UInt8(ascii: ".")
        let (leftWhole, rightWhole) = (left.prefix { $0 != point }.count, right.prefix { $0 != point }.count)
        return leftWhole == rightWhole ? left.lexicographicallyPrecedes(right) : leftWhole < rightWhole
    }
}

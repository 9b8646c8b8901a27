internal import JSON

/// A decimal number by its digits alone, for amounts that are compared with those that a decoder gives.
struct PlainDecimal: Hashable, Comparable, CustomStringConvertible {
    let isNegative: Bool
    /// The digits without zeros at either end; none for zero.
    let digits: [UInt8]
    /// The power of ten of the last digit.
    let exponent: Int

    /// Reads a number by the grammar of JSON; nil for any other text.
    init?(_ text: String, shiftedBy places: Int = 0) {
        var rest = Array(text.utf8)[...]
        func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }
        let hasSign = rest.first == UInt8(ascii: "-")
        if hasSign { rest.removeFirst() }
        let whole = rest.prefix(while: isDigit)
        guard let first = whole.first, first != 0x30 || whole.count == 1 else { return nil }
        rest = rest.dropFirst(whole.count)
        var fraction: ArraySlice<UInt8> = []
        if rest.first == UInt8(ascii: ".") {
            fraction = rest.dropFirst().prefix(while: isDigit)
            guard !fraction.isEmpty else { return nil }
            rest = rest.dropFirst(fraction.count + 1)
        }
        var power = 0
        if let mark = rest.first, "eE".utf8.contains(mark) {
            let sign = rest.dropFirst().first { "+-".utf8.contains($0) }
            let number = rest.dropFirst(sign == nil ? 1 : 2)
            guard !number.isEmpty, number.allSatisfy(isDigit), let value = Int(String(decoding: number, as: UTF8.self))
            else { return nil }
            power = sign == UInt8(ascii: "-") ? -value : value
            rest = []
        }
        guard rest.isEmpty, abs(power) < 1 << 40 else { return nil }
        let all = (Array(whole) + fraction).drop { $0 == 0x30 }
        let zeros = all.reversed().prefix { $0 == 0x30 }.count
        digits = Array(all.dropLast(zeros))
        isNegative = hasSign && !digits.isEmpty
        exponent = digits.isEmpty ? 0 : power - fraction.count + zeros - places
    }

    init?(_ value: JSONValue, shiftedBy places: Int = 0) {
        guard let text = value.number?.literal ?? value.string else { return nil }
        self.init(text, shiftedBy: places)
    }

    var description: String { "\(isNegative ? "-" : "")\(String(decoding: digits, as: UTF8.self))e\(exponent)" }

    private var sign: Int { digits.isEmpty ? 0 : isNegative ? -1 : 1 }

    static func < (left: PlainDecimal, right: PlainDecimal) -> Bool {
        if left.sign != right.sign { return left.sign < right.sign }
        let (one, two) = left.isNegative ? (right, left) : (left, right)
        let (first, second) = (one.digits.count + one.exponent, two.digits.count + two.exponent)
        return first == second ? one.digits.lexicographicallyPrecedes(two.digits) : first < second
    }
}

internal import JSON

/// A product of a catalogue as its canonical encoding: the members that rules, marks and queries ask for, found without
/// making the product.
///
/// The canonical form begins with `type`, `id`, `name`, `price` and `sales`, in this order.
package struct ProductText: Sendable {
    let encoded: [UInt8]
    private let range: Range<Int>
    let typeRange: Range<Int>
    let idRange: Range<Int>
    let nameRange: Range<Int>
    let amountRange: Range<Int>
    private let currencyRange: Range<Int>
    private let salesRange: Range<Int>

    /// Finds the members of the product at a range of a canonical encoding.
    init(_ encoded: [UInt8], _ range: Range<Int>) {
        self.encoded = encoded
        self.range = range
        var reader = CanonicalReader(encoded, at: range.lowerBound)
        typeRange = reader.string(of: ProductMember.type)
        idRange = reader.string(of: ProductMember.id)
        nameRange = reader.string(of: ProductMember.name)
        reader.enter(ProductMember.price)
        amountRange = reader.value(of: Price.Member.amount)
        currencyRange = reader.string(of: Price.Member.currency)
        reader.leave()
        salesRange = reader.value(of: ProductMember.sales)
    }

    /// The product's own id, for lookups that ask nothing else.
    static func idRange(_ encoded: [UInt8], _ range: Range<Int>) -> Range<Int> {
        var reader = CanonicalReader(encoded, at: range.lowerBound)
        _ = reader.string(of: ProductMember.type)
        return reader.string(of: ProductMember.id)
    }

    package var typeName: String { text(typeRange) }
    package var id: String { text(idRange) }
    package var name: String { text(nameRange) }
    /// The amount of the price: digits in plain notation, the same for equal amounts.
    package var amount: String { text(amountRange) }
    package var isNegative: Bool { encoded[amountRange.lowerBound] == UInt8(ascii: "-") }
    package var currency: String { text(currencyRange) }
    package var description: String? { optional(ProductMember.description) }
    package var category: String? { optional(ProductMember.category) }

    package var sales: Int {
        var (sales, isNegative) = (0, false)
        for byte in encoded[salesRange] {
            if byte == UInt8(ascii: "-") {
                isNegative = true
            } else {
                sales = sales &* 10 &- Int(byte &- UInt8(ascii: "0"))
            }
        }
        return isNegative ? sales : 0 &- sales
    }

    /// Whether an amount that buyers can choose is negative.
    package var hasNegativeDenomination: Bool {
        guard kind?.hasDenominations == true else { return false }
        return elements(of: ProductMember.denominations).contains { encoded[$0.lowerBound] == UInt8(ascii: "-") }
    }

    /// The products within it, the add-on last; those that its price includes are in the source's order.
    package var contents: [ProductText] {
        contentRanges.map { ProductText(encoded, $0) }
    }

    /// The ranges of the products within it, in their order in the encoding.
    var contentRanges: [Range<Int>] {
        guard kind?.hasContents == true else { return [] }
        return elements(of: ProductMember.products) + (value(ProductMember.addOn).map { [$0] } ?? [])
    }

    private var kind: ProductShape? { ProductShapes.all.kind(named: typeRange, in: encoded.span) }

    private func elements(of member: String) -> [Range<Int>] {
        guard let array = value(member) else { return [] }
        return CanonicalReader.elements(encoded, array)
    }

    private func optional(_ member: String) -> String? {
        range(of: member).map { text($0) }
    }

    /// The content of a string behind `sales`.
    func range(of member: String) -> Range<Int>? {
        value(member).map { $0.dropFirst().dropLast() }
    }

    /// Whether the bytes of a text are ASCII, and stand for themselves.
    func isPlain(_ range: Range<Int>) -> Bool {
        let bytes = encoded.span
        for at in range where bytes[at] >= 0x80 || bytes[at] == UInt8(ascii: "\\") { return false }
        return true
    }

    /// The value of a member behind `sales`.
    private func value(_ member: String) -> Range<Int>? {
        var reader = CanonicalReader(encoded, at: salesRange.upperBound)
        return reader.find(member)
    }

    /// A text, or the content of a string.
    func text(_ range: Range<Int>) -> String {
        if encoded[range].contains(UInt8(ascii: "\\")) {
            guard
                case .string(let text)? = try? JSONParser().parse(
                    encoded, in: range.lowerBound - 1..<range.upperBound + 1)
            else { preconditionFailure("a canonical encoding holds strings with escapes that can be read") }
            return text
        }
        return String(decoding: encoded[range], as: UTF8.self)
    }
}

/// Walks through the members of a product in a canonical encoding, which holds no white space and is not checked again.
struct CanonicalReader {
    private let encoded: [UInt8]
    /// The place of the bracket or comma before the next member.
    private var index: Int

    /// - Parameter start: the place of an object's first brace, or behind one of its members.
    init(_ encoded: [UInt8], at start: Int) {
        self.encoded = encoded
        index = start
    }

    /// The content of the next member, a string with this name.
    mutating func string(of name: String) -> Range<Int> {
        let value = value(of: name)
        return value.lowerBound + 1..<value.upperBound - 1
    }

    /// The next member, which has this name.
    mutating func value(of name: String) -> Range<Int> {
        let start = index + name.utf8.count + 4
        index = Self.end(ofValueAt: start, encoded.span)
        return start..<index
    }

    /// Goes into the next member, an object with this name.
    mutating func enter(_ name: String) {
        index += name.utf8.count + 4
    }

    /// Goes behind the object that was entered.
    mutating func leave() {
        while encoded[index] == UInt8(ascii: ",") { _ = next() }
        index += 1
    }

    /// The value of the next member with this name; nil when the object ends before.
    mutating func find(_ name: String) -> Range<Int>? {
        while encoded[index] == UInt8(ascii: ",") {
            let (key, value) = next()
            if key.count == name.utf8.count, encoded[key].elementsEqual(name.utf8) { return value }
        }
        return nil
    }

    private mutating func next() -> (name: Range<Int>, value: Range<Int>) {
        let name = index + 2
        let quote = JSONStringScan.closingQuote(encoded.span, from: name)
        index = Self.end(ofValueAt: quote + 2, encoded.span)
        return (name..<quote, quote + 2..<index)
    }

    /// The places of an array's elements.
    static func elements(_ encoded: [UInt8], _ array: Range<Int>) -> [Range<Int>] {
        var elements: [Range<Int>] = []
        var start = array.lowerBound + 1
        while start < array.upperBound - 1 {
            let end = end(ofValueAt: start, encoded.span)
            elements.append(start..<end)
            start = end + 1
        }
        return elements
    }

    private static func end(ofValueAt start: Int, _ text: Span<UInt8>) -> Int {
        switch text[start] {
        case UInt8(ascii: "\""): return JSONStringScan.closingQuote(text, from: start + 1) + 1
        case UInt8(ascii: "{"), UInt8(ascii: "["):
            return JSONStringScan.endOfBrackets(text, from: start) ?? text.count
        default:
            var at = start
            while !isEnd(text[at]) { at += 1 }
            return at
        }
    }

    private static func isEnd(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: ",") || byte == UInt8(ascii: "}") || byte == UInt8(ascii: "]")
    }
}

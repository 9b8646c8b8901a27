internal import Decoding
internal import FoundationEssentials
internal import JSON
internal import Products

/// Reads the values of an attribute, and compares them.
struct AttributeReader: Sendable {
    let form: FindableMembers.Form
    /// The texts of bands.
    let bands: [[UInt8]]
    /// The bounds between bands; or the bound of a flag.
    private let bounds: [PlainAmount]

    init(_ form: FindableMembers.Form) {
        self.form = form
        switch form {
        case .bands(let bounds):
            bands = FindableMembers.Form.bandTexts(bounds).map { Array($0.utf8) }
            self.bounds = bounds.map { PlainAmount($0) }
        case .flag(let bound): (bands, bounds) = ([], bound.map { [PlainAmount($0)] } ?? [])
        case .text, .exactText, .number: (bands, bounds) = ([], [])
        }
    }

    /// Returns the text to compare a value by, and the value as JSON; nil for a value of another type. ASCII text is
    /// returned as it is, and compared in lower case.
    func read(
        _ bytes: [UInt8], _ value: Range<Int>, _ folding: inout TextFolding
    ) -> (text: ArraySlice<UInt8>, shown: ArraySlice<UInt8>)? {
        switch form {
        case .text: return (Self.text(bytes, value, &folding), bytes[value])
        case .exactText:
            let text = (try? JSONParser().parse(bytes, in: value))?.scalarText ?? ""
            return (Array(text.utf8)[...], bytes[value])
        case .number: return Self.digits(bytes, value).map { ($0, $0) }
        case .flag:
            guard let bound = bounds.first else {
                let text = bytes[value]
                return text.elementsEqual("true".utf8) || text.elementsEqual("false".utf8) ? (text, text) : nil
            }
            return Self.digits(bytes, value).map { digits in
                let text = Array(String(bound < PlainAmount(digits)).utf8)[...]
                return (text, text)
            }
        case .bands:
            return Self.digits(bytes, value).map { digits in
                let amount = PlainAmount(digits)
                let band = bands[bounds.firstIndex { amount < $0 } ?? bounds.count]
                return (band[...], ([UInt8(ascii: "\"")] + band + [UInt8(ascii: "\"")])[...])
            }
        }
    }

    /// The text of a value as it is compared; nil for a value of another type.
    func compared(_ bytes: [UInt8], _ value: Range<Int>) -> [UInt8]? {
        var folding = TextFolding()
        guard let text = read(bytes, value, &folding)?.text else { return nil }
        if case .text = form { return text.map(TextFolding.small) }
        return Array(text)
    }

    /// The text of a query's value as it is compared.
    func compared(_ text: String) -> [UInt8] {
        guard case .text = form else { return Array(text.utf8) }
        var folding = TextFolding()
        return Array(folding.folded(text).utf8)
    }

    /// Whether a value stands before another one, both as they are compared.
    func precedes(_ left: ArraySlice<UInt8>, _ right: ArraySlice<UInt8>) -> Bool {
        if case .number = form { PlainAmount(left) < PlainAmount(right) } else { left.lexicographicallyPrecedes(right) }
    }

    /// A number in the order of the values, which may be equal for different ones.
    func key(_ text: ArraySlice<UInt8>) -> Int {
        if case .number = form { return PlainAmount.key(text.span, 0..<text.count) }
        if let band = bands.firstIndex(where: { $0.elementsEqual(text) }) { return band }
        let bytes = text.prefix(8)
        let number = bytes.reduce(UInt(0)) { $0 << 8 | UInt($1) } << UInt((8 - bytes.count) * 8)
        return Int(bitPattern: number ^ 1 << 63)
    }

    private static func text(_ bytes: [UInt8], _ value: Range<Int>, _ folding: inout TextFolding) -> ArraySlice<UInt8> {
        guard bytes[value.lowerBound] == UInt8(ascii: "\"") else { return bytes[value] }
        let content = value.dropFirst().dropLast()
        if bytes[content].allSatisfy({ $0 < 0x80 && $0 != UInt8(ascii: "\\") }) { return bytes[content] }
        let text = (try? JSONParser().parse(bytes, in: value))?.string ?? ""
        return Array(folding.folded(text).utf8)[...]
    }

    /// The digits of a number, or of a text that holds one, equal for equal numbers.
    private static func digits(_ bytes: [UInt8], _ value: Range<Int>) -> ArraySlice<UInt8>? {
        let content = bytes[value.lowerBound] == UInt8(ascii: "\"") ? value.dropFirst().dropLast() : value
        if isPlain(bytes[content]) { return bytes[content] }
        return JSONNumber(literal: String(decoding: bytes[content], as: UTF8.self)).flatMap { ExactDecimal($0) }?.digits
            .map { Array($0.literal.utf8)[...] }
    }

    /// Whether a text is a short number in the notation of ``ExactDecimal/digits``.
    private static func isPlain(_ text: ArraySlice<UInt8>) -> Bool {
        var (digits, points) = (0, 0)
        for byte in text {
            if byte == UInt8(ascii: "."), digits > 0 {
                points += 1
            } else if byte &- 48 < 10 {
                digits += 1
            } else {
                return false
            }
        }
        let hasZero =
            text.first == UInt8(ascii: "0") && text.dropFirst().first.map { $0 != UInt8(ascii: ".") } ?? false
        return digits > 0 && digits < 19 && points <= 1 && !hasZero
            && (points == 0 || text.last != UInt8(ascii: ".") && text.last != UInt8(ascii: "0"))
    }
}

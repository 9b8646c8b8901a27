internal import Decoding
internal import FoundationEssentials
internal import JSON
internal import Products

/// Collects the values of one attribute, product by product.
struct AttributeBuilder {
    let form: FindableMembers.Form
    /// The values as JSON, by their numbers: those of the first product with each.
    private(set) var shown: [ArraySlice<UInt8>] = []
    /// The products and their values, in the order of the products.
    private(set) var entries: [(position: Int32, number: Int32)] = []
    private(set) var misfits = Misfits()
    private var table = WordTable()
    private var folding = TextFolding()
    /// The texts of bands, and the bounds between them; or the bound of a flag.
    private let bands: [[UInt8]]
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

    /// Adds a value of the product at a position, which is not before that of the value added last.
    mutating func append(_ bytes: [UInt8], _ value: Range<Int>, at position: Int) {
        guard let (text, shown) = Self.read(bytes, value, form, bands, bounds, &folding) else {
            return misfits.add(position)
        }
        if !text.isEmpty { record(text, shown, at: position) }
    }

    /// The text of a value as it is compared, and the value as JSON; nil for a value of another type.
    private static func read(
        _ bytes: [UInt8], _ value: Range<Int>, _ form: FindableMembers.Form, _ bands: [[UInt8]],
        _ bounds: [PlainAmount],
        _ folding: inout TextFolding
    ) -> (text: ArraySlice<UInt8>, shown: ArraySlice<UInt8>)? {
        switch form {
        case .text: return (text(bytes, value, &folding), bytes[value])
        case .exactText:
            let text = (try? JSONParser().parse(bytes, in: value))?.scalarText ?? ""
            return (Array(text.utf8)[...], bytes[value])
        case .number: return digits(bytes, value).map { ($0, $0) }
        case .flag:
            guard let bound = bounds.first else {
                let text = bytes[value]
                return text.elementsEqual("true".utf8) || text.elementsEqual("false".utf8) ? (text, text) : nil
            }
            return digits(bytes, value).map { digits in
                let text = Array(String(bound < PlainAmount(digits)).utf8)[...]
                return (text, text)
            }
        case .bands:
            return digits(bytes, value).map { digits in
                let amount = PlainAmount(digits)
                let band = bands[bounds.firstIndex { amount < $0 } ?? bounds.count]
                return (band[...], ([UInt8(ascii: "\"")] + band + [UInt8(ascii: "\"")])[...])
            }
        }
    }

    /// The text of a value that filters compare; nil for a value of another type.
    func compared(_ bytes: [UInt8], _ value: Range<Int>) -> ArraySlice<UInt8>? {
        var folding = folding
        return Self.read(bytes, value, form, bands, bounds, &folding).map { text, _ in
            if case .text = form { Array(text.map(TextFolding.small))[...] } else { text }
        }
    }

    private static func text(_ bytes: [UInt8], _ value: Range<Int>, _ folding: inout TextFolding) -> ArraySlice<UInt8> {
        guard bytes[value.lowerBound] == UInt8(ascii: "\"") else { return bytes[value] }
        let content = value.dropFirst().dropLast()
        if bytes[content].allSatisfy({ $0 < 0x80 && $0 != UInt8(ascii: "\\") }) { return bytes[content] }
        let text = (try? JSONParser().parse(bytes, in: value))?.string ?? ""
        return Array(folding.folded(text).utf8)[...]
    }

    /// Numbers a value by its text, in small letters if it is plain ASCII; other texts are folded already.
    private mutating func record(_ text: ArraySlice<UInt8>, _ value: ArraySlice<UInt8>, at position: Int) {
        var hash = table.empty
        for byte in text { hash.append(TextFolding.small(byte)) }
        let number = table.number(of: hash) { TextFolding.small(text[text.startIndex + $0]) }
        if number == shown.count { shown.append(value) }
        // A product that has a value twice counts once.
        var last = entries.endIndex - 1
        while last >= 0, entries[last].position == Int32(position) {
            if entries[last].number == number { return }
            last -= 1
        }
        entries.append((Int32(position), number))
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
        let hasZero = text.first == UInt8(ascii: "0") && text.dropFirst().first.map { $0 != UInt8(ascii: ".") } ?? false
        return digits > 0 && digits < 19 && points <= 1 && !hasZero
            && (points == 0 || text.last != UInt8(ascii: ".") && text.last != UInt8(ascii: "0"))
    }

    func text(of number: Int32) -> ArraySlice<UInt8> {
        table.text[Int(table.starts[Int(number)])..<Int(table.starts[Int(number) + 1]) - 1]
    }

    /// The numbers of the values in the order of the values.
    var order: [Int32] {
        let keys = shown.indices.map { number in
            let text = text(of: Int32(number))
            let band = bands.firstIndex { $0.elementsEqual(text) }
            return (key: band ?? Self.key(text, form), number: Int32(number))
        }
        return keys.sorted { left, right in
            left.key == right.key
                ? Self.precedes(text(of: left.number), text(of: right.number), form) : left.key < right.key
        }
        .map(\.number)
    }

    /// A number in the order of the texts, which may be equal for different ones.
    private static func key(_ text: ArraySlice<UInt8>, _ form: FindableMembers.Form) -> Int {
        if case .number = form { return PlainAmount.key(text.span, 0..<text.count) }
        let bytes = text.prefix(8)
        let number = bytes.reduce(UInt(0)) { $0 << 8 | UInt($1) } << UInt((8 - bytes.count) * 8)
        return Int(bitPattern: number ^ 1 << 63)
    }

    /// The text of a query's value as it is compared.
    static func compared(_ text: String, _ form: FindableMembers.Form) -> [UInt8] {
        guard case .text = form else { return Array(text.utf8) }
        var folding = TextFolding()
        return Array(folding.folded(text).utf8)
    }

    static func precedes(_ left: ArraySlice<UInt8>, _ right: ArraySlice<UInt8>, _ form: FindableMembers.Form) -> Bool {
        if case .number = form { PlainAmount(left) < PlainAmount(right) } else { left.lexicographicallyPrecedes(right) }
    }
}

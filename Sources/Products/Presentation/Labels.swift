import FoundationEssentials
import JSON

/// Texts of a source as they fit into one line of a shop's page.
enum DisplayText {
    /// How long a line gets, in characters, the ellipsis not counted.
    static let limit = 160
    /// How much of a text is looked at, since a source may put its whole manual there.
    private static let reach = 4 * limit

    /// The beginning of a text in one line, cut at the end of a word and then with an ellipsis; nil when there is
    /// nothing to read in it.
    static func excerpt(_ text: String) -> String? {
        if isLine(text) { return text }
        let beginning = text.drop(while: \.isWhitespace).prefix(reach)
        var line = ""
        var left = limit
        for word in beginning.split(whereSeparator: \.isWhitespace) {
            guard word.count <= left else { return line.isEmpty ? "\(word.prefix(limit))…" : "\(line) …" }
            if !line.isEmpty { line += " " }
            line += word
            left -= word.count + 1
        }
        guard !line.isEmpty else { return nil }
        return beginning.endIndex == text.endIndex ? line : "\(line) …"
    }

    /// The parts that there are, in one line; nil without any.
    static func line(_ parts: String?...) -> String? {
        let present = parts.compactMap { $0.flatMap(excerpt) }
        return present.isEmpty ? nil : present.joined(separator: " · ")
    }

    /// Whether the text is a short line as it stands, as most are: no more bytes than characters are allowed, and no
    /// white space but single blanks between words.
    private static func isLine(_ text: String) -> Bool {
        let blank = UInt8(ascii: " ")
        guard (1...limit).contains(text.utf8.count) else { return false }
        var last = blank
        for byte in text.utf8 {
            guard byte > blank && byte < 0x7F || byte == blank && last != blank else { return false }
            last = byte
        }
        return last != blank
    }
}

/// Prices as people read them: `19.99 EUR`, `1500 JPY`, `0.100 KWD`.
///
/// An amount has at least as many digits after the point as its currency has, or two where the currency is not known.
/// One that came with more keeps them: a rounded price would be one that nobody asks.
enum PriceLabel {
    /// The label of a price.
    static func text(_ price: Price) -> String {
        text(price.amount, in: price.currency)
    }

    /// The label of an amount in the currency with this code.
    static func text(_ amount: Decimal, in currency: String) -> String {
        let digits = digits(of: amount, in: currency)
        return currency.isEmpty ? digits : "\(digits) \(currency)"
    }

    /// The label of all amounts between two; that of the one where they are the same.
    static func range(from least: Decimal, to most: Decimal, in currency: String) -> String {
        guard least != most else { return text(least, in: currency) }
        return "\(digits(of: least, in: currency)) – \(text(most, in: currency))"
    }

    private static func digits(of amount: Decimal, in currency: String) -> String {
        guard let plain = ExactDecimal(amount).digits?.literal else { return amount.description }
        let wanted = Currency(code: currency)?.minorDigits ?? Currency.usualMinorDigits
        let fraction = plain.utf8.split(separator: UInt8(ascii: "."), maxSplits: 1).dropFirst().first?.count ?? 0
        guard fraction < wanted else { return plain }
        return plain + (fraction == 0 ? "." : "") + String(repeating: "0", count: wanted - fraction)
    }
}

/// Sizes of downloads as people read them: `512 bytes`, `1.5 KiB`, `700 MiB`.
enum SizeLabel {
    private static let units = ["KiB", "MiB", "GiB", "TiB", "PiB", "EiB"]

    /// The label of so many bytes, to a tenth of the unit; nil for a number that no size can be.
    static func text(_ bytes: Int) -> String? {
        guard bytes >= 0 else { return nil }
        guard bytes >= 1024 else { return bytes == 1 ? "1 byte" : "\(bytes) bytes" }
        var unit = 0
        while bytes >> (10 * (unit + 2)) > 0 { unit += 1 }
        var tenths = tenths(of: bytes, unit)
        if tenths == 10_240 { (unit, tenths) = (unit + 1, 10) }
        return "\(tenths / 10)\(tenths % 10 == 0 ? "" : ".\(tenths % 10)") \(units[unit])"
    }

    /// Rounded to the nearest, in integers: the last ten bits below the unit are enough for a tenth.
    private static func tenths(of bytes: Int, _ unit: Int) -> Int {
        ((bytes >> (10 * unit)) * 10 + 512) / 1024
    }
}

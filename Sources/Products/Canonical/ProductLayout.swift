internal import JSON

/// The layouts of the products that a pass has copied. Another product of one of them is copied without a tape, several
/// times as fast.
struct ProductLayouts {
    private static let limit = 16
    /// The most products that layouts are made of, for texts in which each has another.
    private static let attemptLimit = 64
    /// The most layouts that are compared beyond their first value.
    private static let tryLimit = 3
    /// The products without a layout, beyond those with one, after which none is compared any more.
    private static let missLimit = 1024

    private var layouts: [ProductLayout] = []
    /// The starts and ends of the values that were found last.
    private var places: [Int] = []
    private var (last, attempts, misses) = (0, 0, 0)
    private var made = JSONTape()

    /// Appends the product at an offset of a text.
    /// - Returns: the offset behind it; nil if it has none of the layouts, or a value that would be rewritten.
    mutating func append(at offset: Int, _ text: Span<UInt8>, to bytes: inout [UInt8]) -> Int? {
        guard !layouts.isEmpty, misses < Self.missLimit else { return nil }
        var tries = 0
        for step in layouts.indices {
            // Most products have the layout of the one before.
            let number = step == 0 ? last : step <= last ? step - 1 : step
            let (end, count) = layouts[number].match(at: offset, text, &places)
            if let end {
                layouts[number].append(text, places, to: &bytes)
                (last, misses) = (number, max(0, misses - 1))
                return end
            }
            tries += count > 0 ? 1 : 0
            if tries == Self.tryLimit { break }
        }
        misses += 1
        return nil
    }

    /// Adds the layout of a product that was copied with a tape.
    /// - Parameters:
    ///   - tape: the product's in its text.
    ///   - bytes: end with its encoding.
    mutating func learn(
        _ tape: borrowing JSONTape, _ text: Span<UInt8>, as bytes: [UInt8], from start: Int, _ shapes: ProductShapes
    ) {
        guard attempts < Self.attemptLimit, layouts.count < Self.limit else { return }
        attempts += 1
        guard (try? made.scan(bytes.span, at: start)) == bytes.count,
            let layout = LayoutBuilder.layout(of: tape, text, as: made, bytes.span, shapes)
        else { return }
        if places.count < 2 * layout.count {
            places = Array(repeating: 0, count: 2 * layout.count)
        }
        var copy: [UInt8] = []
        guard layout.match(at: tape.entries[0].start, text, &places).end == tape.entries[0].end else { return }
        layout.append(text, places, to: &copy)
        if copy.span.hasSame(copy.indices, as: bytes.span, start..<bytes.count) { layouts.append(layout) }
    }
}

/// The texts between the values of a product, in a source and in the canonical encoding, and the forms of the values.
///
/// Values that are neither strings nor numbers, and the kind, are a part of the texts.
struct ProductLayout {
    enum Form {
        case text
        case filledText
        /// A text without small letters.
        case capitals
        case integer
        case decimal
        case number
    }

    /// A value of the source.
    struct Value {
        /// The text before it, in `letters`.
        let before: Range<Int>
        let form: Form
    }

    /// A text of the encoding, in `letters`, and the values behind it, with the texts between them in the source. Only the last
    /// of them is a decimal, which may be copied in part.
    struct Piece {
        let before: Range<Int>
        let first: Int
        var last: Int
    }

    var letters: [UInt8] = []
    var values: [Value] = []
    var pieces: [Piece] = []
    /// The texts behind the last value, in the source and in the encoding.
    var sourceEnd = 0..<0
    var encodedEnd = 0..<0

    /// The number of values.
    var count: Int { values.count }

    /// Finds the values of a product.
    /// - Parameter places: gets their starts and ends.
    /// - Returns: the offset behind the product, nil if it has another layout, and the number of values found.
    @inline(__always)
    func match(at offset: Int, _ text: Span<UInt8>, _ places: inout [Int]) -> (end: Int?, count: Int) {
        let (letters, values) = (letters.span, values.span)
        var at = offset
        var found = places.mutableSpan
        for number in values.indices {
            guard let start = Self.skip(letters, values[number].before, text, at),
                let end = Self.end(of: values[number].form, text, start)
            else { return (nil, number) }
            found[2 * number] = start
            found[2 * number + 1] = end.copied
            at = end.read
        }
        return (Self.skip(letters, sourceEnd, text, at), values.count)
    }

    /// Appends the encoding of a product.
    /// - Parameter places: the starts and ends of its values.
    @inline(__always)
    func append(_ text: Span<UInt8>, _ places: [Int], to bytes: inout [UInt8]) {
        let (letters, pieces, places) = (letters.span, pieces.span, places.span)
        for number in pieces.indices {
            let piece = pieces[number]
            bytes.append(letters, piece.before)
            bytes.append(text, places[2 * piece.first]..<places[2 * piece.last + 1])
        }
        bytes.append(letters, encodedEnd)
    }

    @inline(__always)
    private static func skip(
        _ letters: Span<UInt8>, _ part: Range<Int>, _ text: Span<UInt8>, _ start: Int
    ) -> Int? {
        let end = start + part.count
        return end <= text.count && letters.hasSame(part, as: text, start..<end) ? end : nil
    }

    /// Finds where a value ends, and where its copied part does: a decimal is copied without its last zeros. Returns nil if
    /// the encoding writes the value in another form.
    @inline(__always)
    private static func end(of form: Form, _ text: Span<UInt8>, _ start: Int) -> (read: Int, copied: Int)? {
        guard start < text.count else { return nil }
        switch form {
        case .text, .filledText, .capitals:
            guard text[start] == UInt8(ascii: "\""),
                let (quote, isForeign) = try? JSONStringScan.scan(text, from: start + 1, isKey: false), !isForeign
            else { return nil }
            if form == .filledText, quote == start + 1 { return nil }
            if form == .capitals {
                for at in start + 1..<quote where Currency.isLowercase(text[at]) { return nil }
            }
            return (quote + 1, quote + 1)
        case .integer, .decimal, .number:
            var end = start
            while end < text.count, isOfNumber(text[end]) { end += 1 }
            guard JSONTape.isNumber(text, start..<end) else { return nil }
            if form == .integer, !CanonicalNumber.isPlainInteger(text, start..<end) { return nil }
            guard form == .decimal else { return (end, end) }
            return CanonicalNumber.plainEnd(text, start..<end).map { (end, $0) }
        }
    }

    @inline(__always)
    private static func isOfNumber(_ byte: UInt8) -> Bool {
        byte &- UInt8(ascii: "0") < 10 || byte &- UInt8(ascii: "-") < 2 || byte | 0x20 == UInt8(ascii: "e")
            || byte == UInt8(ascii: "+")
    }
}

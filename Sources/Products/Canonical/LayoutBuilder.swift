internal import JSON

/// Makes the layout of a product from the tapes of its text and of its encoding.
struct LayoutBuilder {
    private var layout = ProductLayout()
    /// The numbers of the values by their entries in the source.
    private var numbers: [Int: Int] = [:]
    /// The end of the value that was added last.
    private var end = 0

    /// Returns nil if a value of the product was rewritten, or looked at as a whole.
    static func layout(
        of source: borrowing JSONTape, _ text: Span<UInt8>, as made: borrowing JSONTape, _ encoded: Span<UInt8>,
        _ shapes: ProductShapes
    ) -> ProductLayout? {
        var (builder, forms) = (LayoutBuilder(), [Int: ProductLayout.Form]())
        guard collect(&forms, at: 0, .product, source, text, shapes) else { return nil }
        builder.end = source.entries[0].start
        for (entry, form) in forms.sorted(by: { $0.key < $1.key }) {
            builder.numbers[entry] = builder.layout.values.count
            let before = builder.keep(text, builder.end..<source.entries[entry].start)
            builder.layout.values.append(ProductLayout.Value(before: before, form: form))
            builder.end = source.entries[entry].end
        }
        builder.layout.sourceEnd = builder.keep(text, builder.end..<source.entries[0].end)
        builder.end = made.entries[0].start
        guard builder.pair(0, 0, source, text, made, encoded) else { return nil }
        builder.layout.encodedEnd = builder.keep(encoded, builder.end..<made.entries[0].end)
        return builder.layout
    }

    private mutating func keep(_ text: Span<UInt8>, _ range: Range<Int>) -> Range<Int> {
        layout.letters.append(text, range)
        return layout.letters.count - range.count..<layout.letters.count
    }

    /// Collects the forms of the values within an entry, by their entries.
    private static func collect(
        _ forms: inout [Int: ProductLayout.Form], at entry: Int, _ form: ShapedMember.Form?, _ tape: borrowing JSONTape,
        _ text: Span<UInt8>, _ shapes: ProductShapes
    ) -> Bool {
        // What is rewritten as a whole may differ in more than its values.
        if form == nil, !tape.entries[entry].isCanonical { return false }
        switch text[tape.entries[entry].start] {
        case UInt8(ascii: "\""):
            switch form {
            case .currency: forms[entry] = .capitals
            case .filledText, .identifier: forms[entry] = .filledText
            case nil, .text, .categories: forms[entry] = .text
            default: return false
            }
        case UInt8(ascii: "t"), UInt8(ascii: "f"), UInt8(ascii: "n"): break
        case UInt8(ascii: "{"):
            if form == .categories { return false }
            let shape = Self.shape(form, entry, tape, text, shapes)
            var place = entry + 1
            while place < tape.entries[entry].next {
                let number = shapes.number(of: tape.entries[place], text)
                let member = shape.flatMap { shape in
                    shapes.members[shape.members].first { $0.number == number }
                }
                let isType = number == shapes.type && form != nil
                guard isType || collect(&forms, at: place, member?.form, tape, text, shapes) else { return false }
                place = tape.entries[place].next
            }
        case UInt8(ascii: "["):
            let inner: ShapedMember.Form? = form == .products ? .product : form == .decimals ? .decimal : form
            var place = entry + 1
            while place < tape.entries[entry].next {
                if form == .categories, text[tape.entries[place].start] != UInt8(ascii: "\"") { return false }
                guard collect(&forms, at: place, inner, tape, text, shapes) else { return false }
                place = tape.entries[place].next
            }
        default:
            switch form {
            case .decimal: forms[entry] = .decimal
            case .integer, .count: forms[entry] = .integer
            case nil, .identifier: forms[entry] = .number
            default: return false
            }
        }
        return true
    }

    private static func shape(
        _ form: ShapedMember.Form?, _ entry: Int, _ tape: borrowing JSONTape, _ text: Span<UInt8>,
        _ shapes: ProductShapes
    ) -> ProductShape? {
        if case .object(let number) = form { return shapes.shapes[number] }
        guard form == .product else { return nil }
        var place = entry + 1
        while place < tape.entries[entry].next {
            if shapes.number(of: tape.entries[place], text) == shapes.type {
                return shapes.kind(named: tape.entries[place].start + 1..<tape.entries[place].end - 1, in: text)
            }
            place = tape.entries[place].next
        }
        return nil
    }

    /// Adds the values of an entry of the source, and pairs each with its value in the encoding.
    private mutating func pair(
        _ entry: Int, _ own: Int, _ source: borrowing JSONTape, _ text: Span<UInt8>, _ made: borrowing JSONTape,
        _ encoded: Span<UInt8>
    ) -> Bool {
        let (from, to) = (source.entries[entry], made.entries[own])
        if let number = numbers[entry] { return add(number, from, text, to, encoded) }
        guard text[from.start] == encoded[to.start] else { return false }
        let isObject = text[from.start] == UInt8(ascii: "{")
        var (place, next) = (own + 1, entry + 1)
        while place < to.next {
            if isObject {
                next = entry + 1
                while next < from.next, !hasSameKey(source.entries[next], text, made.entries[place], encoded) {
                    next = source.entries[next].next
                }
            }
            // A member that the source lacks has always the same value.
            if next < from.next {
                guard pair(next, place, source, text, made, encoded) else { return false }
                next = source.entries[next].next
            } else if !isObject {
                return false
            }
            place = made.entries[place].next
        }
        return true
    }

    private mutating func add(
        _ number: Int, _ from: JSONEntry, _ text: Span<UInt8>, _ to: JSONEntry, _ encoded: Span<UInt8>
    ) -> Bool {
        // An id that is a number becomes a text.
        let isQuoted = encoded[to.start] == UInt8(ascii: "\"") && text[from.start] != UInt8(ascii: "\"")
        let range = isQuoted ? to.start + 1..<to.end - 1 : to.range
        let isDecimal = layout.values[number].form == .decimal
        let end = isDecimal ? CanonicalNumber.plainEnd(text, from.range) ?? from.end : from.end
        guard text.hasSame(from.start..<end, as: encoded, range) else { return false }
        let before = layout.values[number].before
        if let last = layout.pieces.last?.last, number == last + 1, layout.values[last].form != .decimal,
            layout.letters.span.hasSame(before, as: encoded, self.end..<range.lowerBound)
        {
            layout.pieces[layout.pieces.count - 1].last = number
        } else {
            let before = keep(encoded, self.end..<range.lowerBound)
            layout.pieces.append(ProductLayout.Piece(before: before, first: number, last: number))
        }
        self.end = range.upperBound
        return true
    }

    private func hasSameKey(
        _ entry: JSONEntry, _ text: Span<UInt8>, _ own: JSONEntry, _ encoded: Span<UInt8>
    ) -> Bool {
        text.hasSame(entry.keyStart..<entry.keyEnd, as: encoded, own.keyStart..<own.keyEnd)
    }
}

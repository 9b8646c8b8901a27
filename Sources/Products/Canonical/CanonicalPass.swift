internal import JSON

/// Copies products from an upstream's text into the canonical encoding, in one pass and without making them.
///
/// The forms of members come from the descriptions of the kinds. Canonical values are copied, others are rewritten one
/// by one. Everything else, such as products of unknown kind and invalid ones, is left to the exact path, which makes
/// the product and encodes it. Both produce the same bytes.
struct CanonicalPass {
    private var source: [UInt8] = []
    private let shapes = ProductShapes.all
    private var tape = JSONTape()
    private var copy = CanonicalCopy()
    private var layouts = ProductLayouts()

    /// Appends the product whose first byte is at an offset of a text.
    /// - Returns: the offset behind it; nil when nothing was appended.
    mutating func append(at offset: Int, of source: [UInt8], to bytes: inout [UInt8]) -> Int? {
        if let end = layouts.append(at: offset, source.span, to: &bytes) { return end }
        self.source = source
        // A caller may reuse its buffer.
        defer { self.source = [] }
        let before = bytes.count
        do throws(Unscannable) {
            let end = try tape.scan(source.span, at: offset)
            copy.restart()
            try product(0, source.span, &bytes, depth: 1)
            layouts.learn(tape, source.span, as: bytes, from: before, shapes)
            return end
        } catch {
            bytes.removeLast(bytes.count - before)
            return nil
        }
    }

    /// Appends the product of an entry.
    private mutating func product(
        _ entry: Int, _ text: Span<UInt8>, _ bytes: inout [UInt8], depth: Int
    ) throws(Unscannable) {
        guard depth <= BundleProduct.depthLimit, text[tape.entries[entry].start] == UInt8(ascii: "{") else {
            throw Unscannable()
        }
        let members = CanonicalMembers(of: entry, tape, text, shapes)
        let type = Int(members.places[shapes.type])
        guard type >= 0, let shape = shape(tape.entries[type], text) else { throw Unscannable() }
        let computed = Int(members.places[shapes.computed])
        if computed >= 0, !tape.entries[computed].isCanonical { throw Unscannable() }
        copy.open(UInt8(ascii: "{"), text, &bytes)
        copy.append(tape.entries[type], text, &bytes)
        try append(members, of: shape, entry, text, &bytes, depth: depth)
        copy.close(UInt8(ascii: "}"), text, &bytes)
    }

    private func shape(_ type: JSONEntry, _ text: Span<UInt8>) -> ProductShape? {
        guard text[type.start] == UInt8(ascii: "\"") else { return nil }
        return shapes.kind(named: type.start + 1..<type.end - 1, in: text)
    }

    /// Appends the members that a shape names, and then the others.
    private mutating func append(
        _ members: CanonicalMembers, of shape: ProductShape, _ entry: Int, _ text: Span<UInt8>, _ bytes: inout [UInt8],
        depth: Int
    ) throws(Unscannable) {
        for position in shape.members {
            let member = shapes.members[position]
            let place = Int(members.places[member.number])
            if place >= 0, text[tape.entries[place].start] != UInt8(ascii: "n") {
                try append(member, place, text, &bytes, depth: depth)
            } else if member.isRequired {
                throw Unscannable()
            } else if member.form == .count {
                copy.begin(shapes.letters, member.start, text, &bytes)
                bytes.append(UInt8(ascii: "0"))
            }
        }
        guard members.found & ~shape.known != 0 || members.hasOthers else { return }
        var (place, number) = (entry + 1, 0)
        while place < tape.entries[entry].next {
            if !members.isKnown(number, to: shape) { try attribute(tape.entries[place], text, &bytes) }
            (place, number) = (tape.entries[place].next, number + 1)
        }
    }

    /// Appends a member that the shape names.
    private mutating func append(
        _ member: ShapedMember, _ place: Int, _ text: Span<UInt8>, _ bytes: inout [UInt8], depth: Int
    ) throws(Unscannable) {
        let entry = tape.entries[place]
        switch member.form {
        case .text: try string(entry, text, &bytes)
        case .filledText:
            guard entry.end - entry.start > 2 else { throw Unscannable() }
            try string(entry, text, &bytes)
        case .currency:
            for at in entry.range where Currency.isLowercase(text[at]) { throw Unscannable() }
            try string(entry, text, &bytes)
        case .identifier: try identifier(entry, member, text, &bytes)
        case .integer, .count: number(try CanonicalNumber(integer: entry, text), entry, member, text, &bytes)
        case .decimal: number(try CanonicalNumber(decimal: entry, text), entry, member, text, &bytes)
        case .decimals:
            try elements(of: place, member, text, &bytes) { pass, element, text, bytes throws(Unscannable) in
                try CanonicalNumber(decimal: pass.tape.entries[element], text).append(text, to: &bytes)
            }
        case .object(let number):
            guard text[entry.start] == UInt8(ascii: "{") else { throw Unscannable() }
            copy.begin(shapes.letters, member.start, text, &bytes)
            copy.open(UInt8(ascii: "{"), text, &bytes)
            let members = CanonicalMembers(of: place, tape, text, shapes)
            try append(members, of: shapes.shapes[number], place, text, &bytes, depth: depth)
            copy.close(UInt8(ascii: "}"), text, &bytes)
        case .categories: try categories(place, text, &bytes)
        case .product:
            copy.begin(shapes.letters, member.start, text, &bytes)
            try product(place, text, &bytes, depth: depth + 1)
        case .products:
            try elements(of: place, member, text, &bytes) { pass, element, text, bytes throws(Unscannable) in
                try pass.product(element, text, &bytes, depth: depth + 1)
            }
        }
    }

    private mutating func elements(
        of place: Int, _ member: ShapedMember, _ text: Span<UInt8>, _ bytes: inout [UInt8],
        _ append: (inout CanonicalPass, Int, Span<UInt8>, inout [UInt8]) throws(Unscannable) -> Void
    ) throws(Unscannable) {
        guard text[tape.entries[place].start] == UInt8(ascii: "[") else { throw Unscannable() }
        copy.begin(shapes.letters, member.start, text, &bytes)
        copy.open(UInt8(ascii: "["), text, &bytes)
        var element = place + 1
        while element < tape.entries[place].next {
            copy.separate(text, &bytes)
            try append(&self, element, text, &bytes)
            element = tape.entries[element].next
        }
        copy.close(UInt8(ascii: "]"), text, &bytes)
    }

    private mutating func string(
        _ entry: JSONEntry, _ text: Span<UInt8>, _ bytes: inout [UInt8]
    ) throws(Unscannable) {
        guard text[entry.start] == UInt8(ascii: "\"") else { throw Unscannable() }
        try attribute(entry, text, &bytes)
    }

    /// Appends a text, or an array of texts. Objects are looked at as values.
    private mutating func categories(
        _ place: Int, _ text: Span<UInt8>, _ bytes: inout [UInt8]
    ) throws(Unscannable) {
        let entry = tape.entries[place]
        var (element, isPlain) = (place + 1, text[entry.start] != UInt8(ascii: "{"))
        while isPlain, element < entry.next {
            isPlain = text[tape.entries[element].start] == UInt8(ascii: "\"")
            element = tape.entries[element].next
        }
        if text[entry.start] == UInt8(ascii: "\"") || isPlain && text[entry.start] == UInt8(ascii: "[") {
            return try attribute(entry, text, &bytes)
        }
        guard let value = try? JSONParser().parse(source, in: entry.range), ProductCategories(value) != nil else {
            throw Unscannable()
        }
        try attribute(entry, text, &bytes)
    }

    private mutating func identifier(
        _ entry: JSONEntry, _ member: ShapedMember, _ text: Span<UInt8>, _ bytes: inout [UInt8]
    ) throws(Unscannable) {
        if text[entry.start] == UInt8(ascii: "\"") {
            guard entry.end - entry.start > 2 else { throw Unscannable() }
            return try string(entry, text, &bytes)
        }
        guard CanonicalNumber.starts(with: text[entry.start]) else { throw Unscannable() }
        copy.begin(shapes.letters, member.start, text, &bytes)
        bytes.append(UInt8(ascii: "\""))
        bytes.append(text, entry.range)
        bytes.append(UInt8(ascii: "\""))
    }

    private mutating func number(
        _ digits: CanonicalNumber, _ entry: JSONEntry, _ member: ShapedMember, _ text: Span<UInt8>,
        _ bytes: inout [UInt8]
    ) {
        if case .part(entry.start, entry.end) = digits { return copy.append(entry, text, &bytes) }
        copy.begin(shapes.letters, member.start, text, &bytes)
        digits.append(text, to: &bytes)
    }

    /// Appends a member, with its value unchanged or rewritten.
    private mutating func attribute(
        _ entry: JSONEntry, _ text: Span<UInt8>, _ bytes: inout [UInt8]
    ) throws(Unscannable) {
        if entry.isCanonical { return copy.append(entry, text, &bytes) }
        copy.begin(entry, text, &bytes)
        do throws(JSONSyntaxError) {
            JSONWriter.append(try JSONParser().parse(source, in: entry.range), to: &bytes)
        } catch {
            throw Unscannable()
        }
    }
}

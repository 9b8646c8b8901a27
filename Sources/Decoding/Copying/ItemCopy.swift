internal import JSON
internal import Products

/// Copies items of one kind from their text into the text of our own form, without making values.
///
/// It knows simple rules alone. An item that needs others, or is bad, is left to ``ItemRewriter``, which gives the same members
/// in the same order.
struct ItemCopy: Sendable {
    /// The source of one of our members.
    indirect enum Source: Sendable {
        /// The bytes of a value.
        case constant([UInt8])
        /// The value at the first path that leads to one, or else these bytes.
        case value([CopiedPath], CopiedValue, fallback: [UInt8]?)
        /// An array of all values at the first path that leads to one, or else these bytes.
        case list([CopiedPath], CopiedValue, fallback: [UInt8]?)
        case object([Member], CopiedObject)
        case variants(CopiedVariants)
    }

    struct Member: Sendable {
        /// The name in quotes and a colon.
        let name: [UInt8]
        let source: Source

        init(_ name: String, _ source: Source) {
            self.name = JSONValue.string(name).encoded() + [UInt8(ascii: ":")]
            self.source = source
        }
    }

    /// The treatment of a member of an item.
    enum Role: Sendable {
        case attribute
        case omitted
        /// Omitted where the objects that it is a part of are made.
        case part
        /// One of our members under its own name.
        case own(CopiedValue)
        /// One of our objects under its own name. One that has other members is left to the rewriter where they are kept.
        case container(Member, keepsOthers: Bool)
        /// Left to the rewriter.
        case other
    }

    /// An object on a tape.
    struct Item {
        var root = 0
        /// The currency of prices that state none.
        var currency: [UInt8]?
    }

    /// The members of our form, in order; the kind of a product is the first.
    private let members: [Member]
    /// The roles of the names that have one.
    private let roles: [(name: CopiedName, role: Role)]
    private let prints: [UInt64]
    /// The role of all other names.
    private let usual: Role

    init(members: [Member], roles: [String: Role], usual: Role) {
        (self.members, self.usual) = (members, usual)
        self.roles = roles.map { (CopiedName($0), $1) }
        prints = self.roles.map(\.name.print)
    }

    /// Appends an item in our own form.
    /// - Throws: `Unscannable` if the rewriter has to do it; then a part of it may be appended.
    func append(
        _ tape: borrowing JSONTape, _ text: Span<UInt8>, _ item: Item = Item(), to bytes: inout [UInt8]
    ) throws(Unscannable) {
        bytes.append(UInt8(ascii: "{"))
        var isWhole = true
        for member in members {
            let isThere = try append(member, item, tape, text, &bytes)
            if !isThere, case .object(_, .whole) = member.source { isWhole = false }
        }
        var place = item.root + 1
        while place < tape.entries[item.root].next {
            let entry = tape.entries[place]
            switch role(of: entry, text) {
            case .attribute:
                appendName(entry, text, &bytes)
                bytes.append(text, entry.range)
            case .omitted: try checkEscapes(entry, text)
            case .part:
                guard isWhole || tape.isBlank(place, text) else { throw Unscannable() }
                try checkEscapes(entry, text)
            case .own(let value):
                if text[entry.start] == UInt8(ascii: "n") { break }
                let before = bytes.count
                appendName(entry, text, &bytes)
                if try !value.append(place, tape, text, to: &bytes) { bytes.removeLast(bytes.count - before) }
            case .container(let member, let keepsOthers):
                let isThere = try append(member, item, tape, text, &bytes)
                guard isThere, text[entry.start] == UInt8(ascii: "{"), case .object(let inner, _) = member.source,
                    !keepsOthers || tape.hasOnly(inner.map(\.name), in: place, text)
                else { throw Unscannable() }
                try checkEscapes(entry, text)
            case .other: throw Unscannable()
            }
            place = entry.next
        }
        bytes.append(UInt8(ascii: "}"))
    }

    private func appendName(_ entry: JSONEntry, _ text: Span<UInt8>, _ bytes: inout [UInt8]) {
        separate(&bytes)
        bytes.append(text, entry.keyStart - 1..<entry.keyEnd + 1)
        bytes.append(UInt8(ascii: ":"))
    }

    /// Throws for escapes in a value that is not copied as a whole, since only a copy checks them.
    private func checkEscapes(_ entry: JSONEntry, _ text: Span<UInt8>) throws(Unscannable) {
        if entry.isCanonical { return }
        for at in entry.range where text[at] == UInt8(ascii: "\\") { throw Unscannable() }
    }

    /// The role of a member. Names beyond ASCII have several spellings, which the rewriter compares.
    private func role(of entry: JSONEntry, _ text: Span<UInt8>) -> Role {
        for at in entry.keyStart..<entry.keyEnd where text[at] >= 0x80 { return .other }
        for index in prints.indices where prints[index] == entry.print && roles[index].name.isName(of: entry, text) {
            return roles[index].role
        }
        return usual
    }

    /// - Returns: whether there is a value; nothing is appended without one.
    private func append(
        _ member: Member, _ item: Item, _ tape: borrowing JSONTape, _ text: Span<UInt8>, _ bytes: inout [UInt8]
    ) throws(Unscannable) -> Bool {
        let before = bytes.count
        separate(&bytes)
        bytes.append(contentsOf: member.name)
        let isThere = try append(member.source, item, tape, text, &bytes)
        if !isThere { bytes.removeLast(bytes.count - before) }
        return isThere
    }

    private func append(
        _ source: Source, _ item: Item, _ tape: borrowing JSONTape, _ text: Span<UInt8>, _ bytes: inout [UInt8]
    ) throws(Unscannable) -> Bool {
        switch source {
        case .constant(let constant):
            bytes.append(contentsOf: constant)
            return true
        case .value(let paths, let value, let fallback):
            for path in paths {
                if path.isPlain {
                    guard let place = path.place(in: tape, text, from: item.root) else { continue }
                    if try value.append(place, tape, text, to: &bytes) { return true }
                    continue
                }
                let places = try path.places(in: tape, text, from: item.root)
                // Several currencies may differ.
                if case .currency = value, places.count > 1 { throw Unscannable() }
                for place in places where try value.append(place, tape, text, to: &bytes) { return true }
            }
            var usual = fallback
            if case .currency = value, usual == nil { usual = item.currency }
            bytes.append(contentsOf: usual ?? [])
            return usual != nil
        case .list(let paths, let value, let fallback):
            for path in paths {
                let places = try path.places(in: tape, text, from: item.root)
                if places.isEmpty { continue }
                for (number, place) in places.enumerated() {
                    bytes.append(UInt8(ascii: number == 0 ? "[" : ","))
                    try value.appendElement(tape.entries[place], text, to: &bytes)
                }
                bytes.append(UInt8(ascii: "]"))
                return true
            }
            bytes.append(contentsOf: fallback ?? [])
            return fallback != nil
        case .variants(let variants): return try append(variants, item, tape, text, &bytes)
        case .object(let members, let object):
            var count = 0
            bytes.append(UInt8(ascii: "{"))
            for member in members where try append(member, item, tape, text, &bytes) {
                // An empty text stands for no value.
                if case .whole = object, bytes.endsWithEmptyText { continue }
                if case .wholeOrNone = object, bytes.endsWithEmptyText { throw Unscannable() }
                count += 1
            }
            bytes.append(UInt8(ascii: "}"))
            switch object {
            case .always: return true
            case .whole: return count == members.count
            case .wholeOrNone:
                guard count == 0 || count == members.count else { throw Unscannable() }
                return count > 0
            case .some: return count > 0
            }
        }
    }

    /// Appends the variants that meet the conditions.
    private func append(
        _ variants: CopiedVariants, _ item: Item, _ tape: borrowing JSONTape, _ text: Span<UInt8>,
        _ bytes: inout [UInt8]
    ) throws(Unscannable) -> Bool {
        let start = bytes.count
        var currency: [UInt8] = []
        var inner = Item()
        if let source = variants.currency, try append(source, item, tape, text, &currency) { inner.currency = currency }
        for path in variants.paths {
            for place in try path.places(in: tape, text, from: item.root) {
                let isList = text[tape.entries[place].start] == UInt8(ascii: "[")
                inner.root = isList ? place + 1 : place
                while inner.root < tape.entries[place].next {
                    var isTaken = true
                    for condition in variants.conditions where isTaken {
                        isTaken = try condition.holds(in: tape, text, from: inner.root)
                    }
                    if isTaken {
                        guard text[tape.entries[inner.root].start] == UInt8(ascii: "{") else { throw Unscannable() }
                        bytes.append(UInt8(ascii: bytes.count == start ? "[" : ","))
                        try variants.copy.append(tape, text, inner, to: &bytes)
                    }
                    inner.root = tape.entries[inner.root].next
                }
            }
        }
        if bytes.count > start { bytes.append(UInt8(ascii: "]")) }
        return bytes.count > start
    }

    private func separate(_ bytes: inout [UInt8]) {
        if bytes.last != UInt8(ascii: "{") { bytes.append(UInt8(ascii: ",")) }
    }
}

extension [UInt8] {
    /// Whether the last member is an empty text. Within a text, quotes have escapes.
    fileprivate var endsWithEmptyText: Bool { suffix(3).elementsEqual(#":"""#.utf8) }
}

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
        case object([Member], CopiedObject)
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
        /// One of our members under its own name. An object that has others is left to the rewriter where they are kept.
        case own(Member, keepsOthers: Bool = false)
        /// Left to the rewriter.
        case other
    }

    /// The members of our form, in order; the kind is the first.
    private let members: [Member]
    /// The roles of the names that have one.
    private let roles: [(name: CopiedPath.Step, role: Role)]
    /// The role of all other names.
    private let usual: Role

    init(members: [Member], roles: [String: Role], usual: Role) {
        self.members = members
        self.roles = roles.map { (CopiedPath.Step($0), $1) }
        self.usual = usual
    }

    /// Appends an item in our own form.
    /// - Parameter tape: the values of the item, which is an object.
    /// - Throws: `Unscannable` if the rewriter has to do it; then a part of it may be appended.
    func append(
        _ tape: borrowing JSONTape, _ text: Span<UInt8>, to bytes: inout [UInt8]
    ) throws(Unscannable) {
        bytes.append(UInt8(ascii: "{"))
        var isWhole = true
        for member in members {
            let isThere = try append(member, tape, text, &bytes)
            if !isThere, case .object(_, .whole) = member.source { isWhole = false }
        }
        var place = 1
        while place < tape.entries[0].next {
            let entry = tape.entries[place]
            switch role(of: entry, text) {
            case .attribute:
                separate(&bytes)
                bytes.append(text, entry.keyStart - 1..<entry.keyEnd + 1)
                bytes.append(UInt8(ascii: ":"))
                bytes.append(text, entry.range)
            case .omitted: try checkEscapes(entry, text)
            case .part:
                guard isWhole || isBlank(place, tape, text) else { throw Unscannable() }
                try checkEscapes(entry, text)
            case .own(let member, let keepsOthers):
                let isThere = try append(member, tape, text, &bytes)
                guard case .object(let inner, _) = member.source else { break }
                guard isThere, text[entry.start] == UInt8(ascii: "{"),
                    !keepsOthers || tape.count(in: place) == inner.count
                else { throw Unscannable() }
                try checkEscapes(entry, text)
            case .other: throw Unscannable()
            }
            place = entry.next
        }
        bytes.append(UInt8(ascii: "}"))
    }

    /// Throws for escapes in a value that is not copied as a whole, since only a copy checks them.
    private func checkEscapes(_ entry: JSONEntry, _ text: Span<UInt8>) throws(Unscannable) {
        if entry.isCanonical { return }
        for at in entry.range where text[at] == UInt8(ascii: "\\") { throw Unscannable() }
    }

    /// Whether a value is null or empty, or an object of such values.
    private func isBlank(_ place: Int, _ tape: borrowing JSONTape, _ text: Span<UInt8>) -> Bool {
        let entry = tape.entries[place]
        if isEmpty(entry, text) { return true }
        guard text[entry.start] == UInt8(ascii: "{") else { return false }
        var inner = place + 1
        while inner < entry.next {
            guard isEmpty(tape.entries[inner], text) else { return false }
            inner = tape.entries[inner].next
        }
        return true
    }

    private func isEmpty(_ entry: JSONEntry, _ text: Span<UInt8>) -> Bool {
        switch text[entry.start] {
        case UInt8(ascii: "n"): true
        case UInt8(ascii: "\""), UInt8(ascii: "["), UInt8(ascii: "{"): entry.end - entry.start == 2
        default: false
        }
    }

    /// The role of a member. Names beyond ASCII have several spellings, which the rewriter compares.
    private func role(of entry: JSONEntry, _ text: Span<UInt8>) -> Role {
        for at in entry.keyStart..<entry.keyEnd where text[at] >= 0x80 { return .other }
        for role in roles where role.name.isName(of: entry, text) { return role.role }
        return usual
    }

    /// - Returns: whether there is a value; nothing is appended without one.
    private func append(
        _ member: Member, _ tape: borrowing JSONTape, _ text: Span<UInt8>, _ bytes: inout [UInt8]
    ) throws(Unscannable) -> Bool {
        let before = bytes.count
        separate(&bytes)
        bytes.append(contentsOf: member.name)
        let isThere = try append(member.source, tape, text, &bytes)
        if !isThere { bytes.removeLast(bytes.count - before) }
        return isThere
    }

    private func append(
        _ source: Source, _ tape: borrowing JSONTape, _ text: Span<UInt8>, _ bytes: inout [UInt8]
    ) throws(Unscannable) -> Bool {
        switch source {
        case .constant(let constant):
            bytes.append(contentsOf: constant)
            return true
        case .value(let paths, let value, let fallback):
            for path in paths {
                guard let place = path.place(in: tape, text) else { continue }
                if try value.append(place, tape, text, to: &bytes) { return true }
            }
            bytes.append(contentsOf: fallback ?? [])
            return fallback != nil
        case .object(let members, let object):
            let start = bytes.count
            var count = 0
            bytes.append(UInt8(ascii: "{"))
            for member in members where try append(member, tape, text, &bytes) { count += 1 }
            bytes.append(UInt8(ascii: "}"))
            switch object {
            case .always: return true
            case .whole:
                // An empty text may stand for no value.
                if bytes.hasEmptyText(from: start) { throw Unscannable() }
                return count == members.count
            case .some: return count > 0
            }
        }
    }

    private func separate(_ bytes: inout [UInt8]) {
        if bytes.last != UInt8(ascii: "{") { bytes.append(UInt8(ascii: ",")) }
    }
}

extension [UInt8] {
    /// Whether a member behind an offset is an empty text.
    fileprivate func hasEmptyText(from start: Int) -> Bool {
        let text = Array(#":"""#.utf8)
        return indices.dropFirst(start + text.count - 1).contains { self[($0 - 2)...$0].elementsEqual(text) }
    }
}

extension JSONTape {
    /// The number of members or elements of an entry.
    fileprivate borrowing func count(in place: Int) -> Int {
        var (inner, count) = (place + 1, 0)
        while inner < entries[place].next { (inner, count) = (entries[inner].next, count + 1) }
        return count
    }
}

/// The condition for an object.
enum CopiedObject: Sendable {
    case always
    /// Every member is there.
    case whole
    /// Any member is there.
    case some
}

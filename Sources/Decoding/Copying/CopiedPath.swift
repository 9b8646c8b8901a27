internal import JSON

/// A path within an item, followed in its text.
struct CopiedPath: Sendable {
    private enum Step: Sendable {
        case child(CopiedName)
        case every
        /// The elements whose member has one of these texts; without texts it is missing or blank.
        case fitting(CopiedPath, CopiedTexts?)
    }

    private let steps: [Step]
    /// Whether it has names and indexes alone.
    let isPlain: Bool

    init(_ path: JSONPath) {
        steps = path.components.map { .child(CopiedName($0)) }
        isPlain = true
    }

    /// Nil for a path that is followed in values alone.
    init?(_ path: ItemPath) {
        var (steps, isPlain): ([Step], Bool) = ([], true)
        for step in path.steps {
            if case .child = step {} else { isPlain = false }
            switch step {
            case .child(let name): steps.append(.child(CopiedName(name)))
            case .every: steps.append(.every)
            case .fitting(let member, let text):
                let texts = text.map { CopiedTexts([$0]) }
                if case .some(nil) = texts { return nil }
                steps.append(.fitting(CopiedPath(member), texts ?? nil))
            case .text: return nil
            }
        }
        (self.steps, self.isPlain) = (steps, isPlain)
    }

    /// Returns the entry that a plain path leads to; nil for none, and for null.
    func place(in tape: borrowing JSONTape, _ text: Span<UInt8>, from root: Int = 0) -> Int? {
        var place = root
        for case .child(let name) in steps {
            guard let inner = name.place(in: tape, text, of: place) else { return nil }
            place = inner
        }
        return text[tape.entries[place].start] == UInt8(ascii: "n") ? nil : place
    }

    /// Returns the entries that the path leads to, in their order, without null.
    func places(
        in tape: borrowing JSONTape, _ text: Span<UInt8>, from root: Int = 0
    ) throws(Unscannable) -> [Int] {
        var found: [Int] = []
        try collect(0, tape, text, root, &found)
        return found
    }

    private func collect(
        _ depth: Int, _ tape: borrowing JSONTape, _ text: Span<UInt8>, _ place: Int, _ found: inout [Int]
    ) throws(Unscannable) {
        let entry = tape.entries[place]
        guard depth < steps.count else {
            if text[entry.start] != UInt8(ascii: "n") { found.append(place) }
            return
        }
        if case .child(let name) = steps[depth] {
            guard let inner = name.place(in: tape, text, of: place) else { return }
            return try collect(depth + 1, tape, text, inner, &found)
        }
        guard text[entry.start] == UInt8(ascii: "[") else {
            // An object counts as the only element of a list.
            guard text[entry.start] == UInt8(ascii: "{"), case .fitting = steps[depth] else { return }
            if try isTaken(place, depth, tape, text) { try collect(depth + 1, tape, text, place, &found) }
            return
        }
        var inner = place + 1
        while inner < entry.next {
            if try isTaken(inner, depth, tape, text) { try collect(depth + 1, tape, text, inner, &found) }
            inner = tape.entries[inner].next
        }
    }

    /// Whether a step leads to an element.
    private func isTaken(
        _ element: Int, _ depth: Int, _ tape: borrowing JSONTape, _ text: Span<UInt8>
    ) throws(Unscannable) -> Bool {
        guard case .fitting(let path, let texts) = steps[depth] else { return true }
        guard let member = path.place(in: tape, text, from: element), !Self.isBlank(member, tape, text) else {
            return texts == nil
        }
        return try texts?.contain(tape.entries[member], text) ?? false
    }

    private static func isBlank(_ place: Int, _ tape: borrowing JSONTape, _ text: Span<UInt8>) -> Bool {
        let entry = tape.entries[place]
        switch text[entry.start] {
        case UInt8(ascii: "\""): return entry.end - entry.start == 2
        case UInt8(ascii: "{"), UInt8(ascii: "["): return entry.next == place + 1
        default: return false
        }
    }
}

/// A name of a member, or an index of an element.
struct CopiedName: Sendable {
    private let name: [UInt8]
    let print: UInt64
    private let index: Int?

    init(_ text: String) {
        let name = Array(text.utf8)
        (self.name, index) = (name, Int(text))
        print = JSONEntry.print(name.span, 0, name.count)
    }

    func isName(of entry: JSONEntry, _ text: Span<UInt8>) -> Bool {
        guard print == entry.print, name.count == entry.keyEnd - entry.keyStart else { return false }
        var offset = JSONEntry.printedCount
        while offset < name.count {
            if name[offset] != text[entry.keyStart + offset] { return false }
            offset += 1
        }
        return true
    }

    /// Returns the member or element of an entry; nil for none.
    func place(in tape: borrowing JSONTape, _ text: Span<UInt8>, of place: Int) -> Int? {
        let outer = tape.entries[place]
        let isObject = text[outer.start] == UInt8(ascii: "{")
        guard isObject || text[outer.start] == UInt8(ascii: "[") else { return nil }
        var (inner, number) = (place + 1, 0)
        while inner < outer.next {
            if isObject ? isName(of: tape.entries[inner], text) : index == number { return inner }
            (inner, number) = (tape.entries[inner].next, number + 1)
        }
        return nil
    }
}

/// A condition for copying: a value is one of these texts.
struct CopiedTexts: Sendable {
    private let texts: [[UInt8]]
    /// Whether one of them is a number in another notation than digits.
    private let hasOtherNumbers: Bool

    /// Nil for texts beyond ASCII, which have several spellings.
    init?(_ texts: some Collection<String>) {
        self.texts = texts.map { Array($0.utf8) }
        hasOtherNumbers = texts.contains { text in
            JSONNumber(literal: text) != nil && !text.utf8.allSatisfy(Self.isDigit)
        }
        guard self.texts.allSatisfy({ $0.allSatisfy { $0 < 0x80 } }) else { return nil }
    }

    /// Whether a string, number or boolean is one of them.
    func contain(_ entry: JSONEntry, _ text: Span<UInt8>) throws(Unscannable) -> Bool {
        var range = entry.range
        switch text[entry.start] {
        case UInt8(ascii: "{"), UInt8(ascii: "["), UInt8(ascii: "n"): return false
        case UInt8(ascii: "\""):
            range = entry.start + 1..<entry.end - 1
            for at in range where text[at] == UInt8(ascii: "\\") || text[at] >= 0x80 { throw Unscannable() }
            return isIn(range, text)
        case UInt8(ascii: "t"), UInt8(ascii: "f"): return isIn(range, text)
        default:
            if isIn(range, text) { return true }
            // Equal numbers may differ in notation.
            if hasOtherNumbers { throw Unscannable() }
            for at in range where !Self.isDigit(text[at]) { throw Unscannable() }
            return false
        }
    }

    private func isIn(_ range: Range<Int>, _ text: Span<UInt8>) -> Bool {
        for one in texts where one.count == range.count {
            var offset = 0
            while offset < one.count, one[offset] == text[range.lowerBound + offset] { offset += 1 }
            if offset == one.count { return true }
        }
        return false
    }

    private static func isDigit(_ byte: UInt8) -> Bool { byte &- UInt8(ascii: "0") < 10 }
}

/// A condition of an item or a variant: one of some texts at one of some paths.
struct CopiedCondition: Sendable {
    private let paths: [CopiedPath]
    private let texts: CopiedTexts

    /// Nil for a condition that is looked at in values alone.
    init?(at paths: [ItemPath], _ texts: Set<String>) {
        self.paths = paths.compactMap { CopiedPath($0) }
        guard self.paths.count == paths.count, let texts = CopiedTexts(texts) else { return nil }
        self.texts = texts
    }

    func holds(in tape: borrowing JSONTape, _ text: Span<UInt8>, from root: Int = 0) throws(Unscannable) -> Bool {
        for path in paths {
            for place in try path.places(in: tape, text, from: root) {
                if try texts.contain(tape.entries[place], text) { return true }
            }
        }
        return false
    }
}

internal import JSON

/// The members that a kind, or an object within a product, names, in the order of the canonical form.
///
/// Made from the descriptions of the kinds, and stored in a few arrays of plain numbers, so that reading them costs no
/// reference counting.
struct ProductShape: Sendable {
    /// The places in ``ProductShapes/members``.
    let members: Range<Int>
    /// The names that are not attributes, one bit for each number of ``ProductShapes``.
    let known: UInt64
    /// Whether it holds products.
    let hasContents: Bool
    /// Whether it holds amounts to choose from.
    let hasDenominations: Bool
}

/// A member that a shape names.
struct ShapedMember: Sendable {
    /// The canonical form of a member's value, by its description.
    enum Form: Sendable, Equatable {
        case text
        case filledText
        /// A text that is in capitals if it is a currency.
        case currency
        /// A text that is not empty, also made from a number.
        case identifier
        case integer
        /// An integer; zero if it is not stated.
        case count
        case decimal
        case decimals
        /// An object of the shape with this number.
        case object(Int)
        case categories
        case product
        case products
    }

    /// The number of its name.
    let number: Int
    let form: Form
    let isRequired: Bool
    /// The place of the name in quotes and the colon in ``ProductShapes/letters``.
    let start: Range<Int>
}

/// The shapes of all kinds, and the numbers of all names.
struct ProductShapes: Sendable {
    static let all = ProductShapes()
    /// The most names; a name's number is a bit of a word, and a place among ``CanonicalMembers``.
    private static let nameLimit = 32

    private(set) var members: [ShapedMember] = []
    /// The names as they are written: in quotes and with a colon.
    private(set) var letters: [UInt8] = []
    /// The kinds in the order of their names, then the objects within products.
    private(set) var shapes: [ProductShape] = []
    private var kinds: [Range<Int>] = []
    private var numbers: [String: Int] = [:]
    private var starts: [Range<Int>] = []
    /// A hash table of the names.
    private var names: [Name] = Array(repeating: Name(print: 0, tail: 0, number: 0), count: 128)

    /// A name, identified by its two ends, which together cover the longest name.
    private struct Name {
        /// Zero for an empty place.
        let print: UInt64
        let tail: UInt64
        let number: Int

        static let longest = JSONEntry.printedCount + 8
    }

    /// The numbers of the members that every kind has.
    let type: Int
    let computed: Int

    private init() {
        (type, computed) = (0, 1)
        precondition(number(of: ProductMember.type) == type && number(of: ProductMember.isPopular) == computed)
        let common = ProductDetails.members.filter { $0.name != ProductMember.isPopular }
        var kindShapes: [ProductShape] = []
        for kind in ProductKind.allCases {
            kinds.append(append(kind.rawValue))
            kindShapes.append(shape(common + kind.members, isProduct: true))
        }
        shapes = kindShapes + shapes
    }

    /// The shape of the kind with a name; nil for an unknown kind.
    func kind(named name: Range<Int>, in text: Span<UInt8>) -> ProductShape? {
        for (number, place) in kinds.enumerated() where place.count == name.count {
            if isSame(place.lowerBound, text, name) { return shapes[number] }
        }
        return nil
    }

    /// The number of a scanned name; nil for an attribute of every kind.
    @inline(__always)
    func number(of entry: JSONEntry, _ text: Span<UInt8>) -> Int? {
        var slot = Int(entry.mixedPrint >> 57)
        while true {
            let name = names[slot]
            if name.print == 0 { return nil }
            if name.print == entry.print, entry.keyEnd - entry.keyStart <= Name.longest, name.tail == entry.tail(text) {
                return name.number
            }
            slot = (slot + 1) & 127
        }
    }

    @inline(__always)
    private func isSame(_ place: Int, _ text: Span<UInt8>, _ range: Range<Int>) -> Bool {
        for offset in 0..<range.count where letters[place + offset] != text[range.lowerBound + offset] { return false }
        return true
    }

    private mutating func shape(_ described: [MemberDescription], isProduct: Bool) -> ProductShape {
        let shaped = described.map { description in
            let number = number(of: description.name)
            let form = form(of: description, isProduct: isProduct)
            return ShapedMember(
                number: number, form: form, isRequired: description.isAlwaysThere && form != .count,
                start: starts[number])
        }
        let first = members.count
        members += shaped
        let own = isProduct ? ProductMember.common.map { number(of: $0) } : []
        return ProductShape(
            members: first..<members.count, known: (own + shaped.map(\.number)).reduce(0) { $0 | 1 << UInt64($1) },
            hasContents: shaped.contains { $0.form == .products },
            hasDenominations: shaped.contains { $0.form == .decimals })
    }

    private mutating func form(of description: MemberDescription, isProduct: Bool) -> ShapedMember.Form {
        switch description.form {
        case .text: return !isProduct && description.name == Price.Member.currency ? .currency : .text
        case .filledText: return isProduct && description.name == ProductMember.id ? .identifier : .filledText
        case .integer: return isProduct && description.name == ProductMember.sales ? .count : .integer
        case .decimal: return .decimal
        case .list(.decimal): return .decimals
        case .product: return .product
        case .list(.product): return .products
        case .categories: return .categories
        case .object(let inner):
            let inner = shape(inner, isProduct: false)
            shapes.append(inner)
            return .object(ProductKind.allCases.count + shapes.count - 1)
        case .flag, .list: preconditionFailure("no kind has a member of the form \(description.form)")
        }
    }

    /// The number of a name, assigned at its first use.
    private mutating func number(of name: String) -> Int {
        if let number = numbers[name] { return number }
        let number = numbers.count
        precondition(number < Self.nameLimit && (1...Name.longest).contains(name.utf8.count), "\(name) can be told")
        numbers[name] = number
        let start = append("\"\(name)\":")
        starts.append(start)
        let (first, last) = (start.lowerBound + 1, start.upperBound - 2)
        let print = JSONEntry.print(letters.span, first, last)
        var slot = Int(JSONEntry.mixed(print) >> 57)
        while names[slot].print != 0 { slot = (slot + 1) & 127 }
        names[slot] = Name(print: print, tail: JSONEntry.tail(letters.span, first, last), number: number)
        return number
    }

    private mutating func append(_ text: String) -> Range<Int> {
        letters += text.utf8
        return letters.count - text.utf8.count..<letters.count
    }
}

/// The members of an object on a tape, by the numbers of their names.
struct CanonicalMembers {
    /// The entries of the members that some kind names; -1 for none.
    private(set) var places = InlineArray<32, Int32>(repeating: -1)
    /// The numbers of the names that were found, as bits.
    private(set) var found: UInt64 = 0
    /// Whether there are members that no kind names.
    private(set) var hasOthers = false
    /// The numbers of the members' names, in their order; -1 for one that no kind names.
    private var numbers = InlineArray<64, Int8>(repeating: -1)

    init(of entry: Int, _ tape: borrowing JSONTape, _ text: Span<UInt8>, _ shapes: ProductShapes) {
        var (place, position) = (entry + 1, 0)
        while place < tape.entries[entry].next {
            if let number = shapes.number(of: tape.entries[place], text) {
                places[number] = Int32(truncatingIfNeeded: place)
                numbers[position] = Int8(truncatingIfNeeded: number)
                found |= 1 << UInt64(number)
            } else {
                hasOthers = true
            }
            (place, position) = (tape.entries[place].next, position + 1)
        }
    }

    /// Whether a shape names the member at a position.
    func isKnown(_ position: Int, to shape: ProductShape) -> Bool {
        numbers[position] >= 0 && shape.known & 1 << UInt64(numbers[position]) != 0
    }
}

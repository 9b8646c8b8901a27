internal import Decoding
internal import JSON
internal import Products

/// Finds the values of many members in a product's canonical encoding, in one walk over it.
struct MemberScan: Sendable {
    /// A value of a member.
    struct Found {
        /// The number of the member.
        let member: Int
        /// Its JSON.
        let range: Range<Int>
        /// The index of the variant that it belongs to; -1 for the product itself.
        let variant: Int32
        /// Whether the range is in a copy of the value, not in the scanned bytes.
        let isCopied: Bool
    }

    /// A place on the paths. Its children are a chain, which the root's number ends.
    private struct Place {
        var name = 0..<0
        var firstChild = root
        var nextSibling = root
        /// The place of an array's elements; the root's number without one.
        var elements = root
        /// The members whose values stand here.
        var members: [Int] = []
        /// The members whose paths go on with steps that depend on values.
        var others: [(member: Int, path: ItemPath)] = []
        var isVariants = false
    }

    private static let root = 0
    private var places = [Place()]
    /// The names of all places, one behind the other.
    private var names: [UInt8] = []

    /// - Parameter paths: the paths of each member, by its number.
    init(_ paths: [[ItemPath]]) {
        for (member, paths) in paths.enumerated() {
            for path in paths { add(path, of: member) }
        }
    }

    private mutating func add(_ path: ItemPath, of member: Int) {
        var place = 0
        for (index, step) in path.steps.enumerated() {
            // The first step of a product is a name.
            let rest = ItemPath(Array(path.steps[index...]))
            switch step {
            case .child(let name) where index == 0 || !name.utf8.allSatisfy({ $0 &- 48 < 10 }):
                place = child(Self.encoded(name), of: place)
                if index == 0, name == SoldVariants.name { places[place].isVariants = true }
            case .every:
                if places[place].elements == Self.root {
                    places.append(Place())
                    places[place].elements = places.count - 1
                }
                place = places[place].elements
            case .child, .fitting, .text:
                places[place].others.append((member, rest))
                return
            }
        }
        places[place].members.append(member)
    }

    private mutating func child(_ name: [UInt8], of place: Int) -> Int {
        let known = child(of: place, named: name.indices, in: name.span)
        guard known == Self.root else { return known }
        places.append(
            Place(name: names.count..<names.count + name.count, nextSibling: places[place].firstChild))
        places[place].firstChild = places.count - 1
        names += name
        return places.count - 1
    }

    /// A name as it stands between the quotes of a canonical encoding.
    private static func encoded(_ name: String) -> [UInt8] {
        var bytes: [UInt8] = []
        JSONWriter.append(name, to: &bytes)
        return Array(bytes.dropFirst().dropLast())
    }

    /// Walks over the product at a range, and passes on each value that is neither null nor an object, with the bytes
    /// that it stands in. The elements of an array are values of their own.
    func scan(_ encoded: [UInt8], _ product: Range<Int>, _ found: ([UInt8], Found) -> Void) {
        _ = walk(encoded, product.lowerBound, product.upperBound, at: Self.root, variant: -1, found)
    }

    /// Walks over the value that starts at an index, and returns its end.
    private func walk(
        _ encoded: [UInt8], _ start: Int, _ limit: Int, at place: Int, variant: Int32, _ found: ([UInt8], Found) -> Void
    ) -> Int {
        guard start < limit else { return limit }
        if !places[place].members.isEmpty || !places[place].others.isEmpty {
            let value = start..<CanonicalReader.end(ofValueAt: start, encoded.span, before: limit)
            if value.isEmpty { return start }
            pass(encoded, value, of: places[place].members, variant, isCopied: false, found)
            scanOthers(encoded, value, at: place, variant, found)
        }
        var at = start + 1
        switch encoded[start] {
        case UInt8(ascii: "{") where places[place].firstChild != Self.root:
            while at < limit, encoded[at] == UInt8(ascii: "\"") {
                let quote = CanonicalReader.closingQuote(encoded.span, from: at + 1, before: limit)
                let child = child(of: place, named: at + 1..<quote, in: encoded.span)
                at =
                    child == Self.root
                    ? CanonicalReader.end(ofValueAt: quote + 2, encoded.span, before: limit)
                    : walk(encoded, quote + 2, limit, at: child, variant: variant, found)
                if at < limit, encoded[at] == UInt8(ascii: ",") { at += 1 }
            }
            return min(at + 1, limit)
        case UInt8(ascii: "[") where places[place].elements != Self.root:
            var index: Int32 = 0
            while at < limit, encoded[at] != UInt8(ascii: "]") {
                let end = walk(
                    encoded, at, limit, at: places[place].elements,
                    variant: places[place].isVariants ? index : variant, found)
                // No value stands here in a canonical encoding; the walk ends in any other.
                if end == at { return limit }
                at = end
                if at < limit, encoded[at] == UInt8(ascii: ",") { at += 1 }
                index += 1
            }
            return min(at + 1, limit)
        default: return CanonicalReader.end(ofValueAt: start, encoded.span, before: limit)
        }
    }

    /// The place behind a name; the root for a name that no path has. Nothing is copied, since each member of each
    /// product is looked up.
    private func child(of place: Int, named name: Range<Int>, in text: Span<UInt8>) -> Int {
        let names = names.span
        var child = places[place].firstChild
        search: while child != Self.root {
            defer { child = places[child].nextSibling }
            let known = places[child].name
            guard known.count == name.count else { continue }
            for offset in 0..<name.count where names[known.lowerBound + offset] != text[name.lowerBound + offset] {
                continue search
            }
            return child
        }
        return Self.root
    }

    private func scanOthers(
        _ encoded: [UInt8], _ value: Range<Int>, at place: Int, _ variant: Int32, _ found: ([UInt8], Found) -> Void
    ) {
        guard !places[place].others.isEmpty,
            let outer = try? JSONParser(depthLimit: Catalogue.depthLimit).parse(encoded, in: value)
        else { return }
        for (member, path) in places[place].others {
            for inner in path.values(in: outer) {
                let bytes = inner.encoded()
                pass(bytes, bytes.indices, of: [member], variant, isCopied: true, found)
            }
        }
    }

    private func pass(
        _ bytes: [UInt8], _ value: Range<Int>, of members: [Int], _ variant: Int32, isCopied: Bool,
        _ found: ([UInt8], Found) -> Void
    ) {
        switch bytes[value.lowerBound] {
        case UInt8(ascii: "{"), UInt8(ascii: "n"): return
        case UInt8(ascii: "["):
            for element in CanonicalReader.elements(bytes, value) where !element.isEmpty {
                pass(bytes, element, of: members, variant, isCopied: isCopied, found)
            }
        default:
            for member in members {
                found(bytes, Found(member: member, range: value, variant: variant, isCopied: isCopied))
            }
        }
    }
}

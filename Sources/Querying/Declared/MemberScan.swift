internal import Decoding
internal import JSON
internal import Products

/// Finds the values of many members in a product's canonical encoding, in one walk over it.
struct MemberScan: Sendable {
    /// A value of a member: its JSON.
    struct Found {
        /// The number of the member.
        let member: Int
        let bytes: [UInt8]
        let range: Range<Int>
        /// The index of the variant that it belongs to; -1 for the product itself.
        let variant: Int32
        /// Whether the bytes are not those of the walk.
        let isCopied: Bool
    }

    /// A place on the paths.
    private struct Place {
        var children: [(name: Range<Int>, place: Int)] = []
        /// The place of an array's elements.
        var elements: Int?
        /// The members whose values stand here.
        var members: [Int] = []
        /// The members whose paths go on with steps that depend on values.
        var others: [(member: Int, path: ItemPath)] = []
        var isVariants = false
    }

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
                if places[place].elements == nil {
                    places.append(Place())
                    places[place].elements = places.count - 1
                }
                place = places[place].elements ?? place
            case .child, .fitting, .text:
                places[place].others.append((member, rest))
                return
            }
        }
        places[place].members.append(member)
    }

    private mutating func child(_ name: [UInt8], of place: Int) -> Int {
        if let known = places[place].children.first(where: { names[$0.name] == name[...] }) { return known.place }
        places.append(Place())
        places[place].children.append((names.count..<names.count + name.count, places.count - 1))
        names += name
        return places.count - 1
    }

    /// A name as it stands between the quotes of a canonical encoding.
    private static func encoded(_ name: String) -> [UInt8] {
        var bytes: [UInt8] = []
        JSONWriter.append(name, to: &bytes)
        return Array(bytes.dropFirst().dropLast())
    }

    /// Walks over the product at a range, and passes on each value that is neither null nor an object. The elements of an
    /// array are values of their own.
    func scan(_ encoded: [UInt8], _ product: Range<Int>, _ found: (Found) -> Void) {
        scan(encoded, product, at: 0, variant: -1, found)
    }

    private func scan(
        _ encoded: [UInt8], _ value: Range<Int>, at place: Int, variant: Int32, _ found: (Found) -> Void
    ) {
        guard !value.isEmpty else { return }
        if !places[place].others.isEmpty { scanOthers(encoded, value, at: place, variant, found) }
        if !places[place].members.isEmpty {
            pass(encoded, value, of: places[place].members, variant, isCopied: false, found)
        }
        switch encoded[value.lowerBound] {
        case UInt8(ascii: "{") where !places[place].children.isEmpty:
            var reader = CanonicalReader(encoded, in: value)
            while let member = reader.nextMember() {
                if let child = child(of: place, named: member.name, in: encoded.span) {
                    scan(encoded, member.value, at: child, variant: variant, found)
                }
            }
        case UInt8(ascii: "["):
            guard let inner = places[place].elements else { return }
            for (index, element) in CanonicalReader.elements(encoded, value).enumerated() {
                scan(
                    encoded, element, at: inner, variant: places[place].isVariants ? Int32(index) : variant, found)
            }
        default: break
        }
    }

    /// The place behind a name. Nothing is copied, since each member of each product is looked up.
    private func child(of place: Int, named name: Range<Int>, in text: Span<UInt8>) -> Int? {
        let names = names.span
        search: for index in places[place].children.indices {
            let known = places[place].children[index].name
            guard known.count == name.count else { continue }
            for offset in 0..<name.count where names[known.lowerBound + offset] != text[name.lowerBound + offset] {
                continue search
            }
            return places[place].children[index].place
        }
        return nil
    }

    private func scanOthers(
        _ encoded: [UInt8], _ value: Range<Int>, at place: Int, _ variant: Int32, _ found: (Found) -> Void
    ) {
        guard let outer = try? JSONParser(depthLimit: Catalogue.depthLimit).parse(encoded, in: value) else { return }
        for (member, path) in places[place].others {
            for inner in path.values(in: outer) {
                let bytes = inner.encoded()
                pass(bytes, bytes.indices, of: [member], variant, isCopied: true, found)
            }
        }
    }

    private func pass(
        _ bytes: [UInt8], _ value: Range<Int>, of members: [Int], _ variant: Int32, isCopied: Bool,
        _ found: (Found) -> Void
    ) {
        switch bytes[value.lowerBound] {
        case UInt8(ascii: "{"), UInt8(ascii: "n"): return
        case UInt8(ascii: "["):
            for element in CanonicalReader.elements(bytes, value) where !element.isEmpty {
                pass(bytes, element, of: members, variant, isCopied: isCopied, found)
            }
        default:
            for member in members {
                found(Found(member: member, bytes: bytes, range: value, variant: variant, isCopied: isCopied))
            }
        }
    }
}

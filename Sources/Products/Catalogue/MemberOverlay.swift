internal import JSON
internal import PolymorphicCodable

/// Lays members of products in one catalogue, the entries, over the products of another, by id or another key.
///
/// Works on canonical bytes. A product without an entry is copied; any other is composed of both and canonicalised
/// again, so that an entry cannot make a product that is invalid from an upstream. If other entries were laid over the same
/// catalogue before, only the products whose entries differ are composed.
package struct MemberOverlay: Sendable {
    /// The treatment of the members that entries state.
    package enum Treatment: Sendable, Hashable {
        /// They replace the product's own.
        case laid
        /// They replace the product's own, and the product lists them as stale.
        case marked
        /// They are removed; a member that the product's kind requires keeps the product's value.
        case hidden
    }

    /// The members that match products with entries: an entry belongs to the product with the same value.
    package struct Key: Sendable, Hashable {
        package static let id = Key(product: ProductMember.id, entry: ProductMember.id)

        let product: String
        let entry: String

        /// - Parameters:
        ///   - product: the name of a string or number; products without it have no entry.
        ///   - entry: the same of entries. Entries that share a value are left out, since any of them may be wrong.
        package init(product: String, entry: String) {
            (self.product, self.entry) = (product, entry)
        }
    }

    /// A catalogue under entries.
    package struct Laid: Sendable {
        package let catalogue: Catalogue
        /// The positions of products that are unchanged because their entries do not fit their kind.
        package fileprivate(set) var unfit: Set<Int> = []
        /// The number of entries left out because they share their key.
        package fileprivate(set) var ambiguous = 0
        /// Whether there are entries, and no product has been found for any.
        package fileprivate(set) var isUnmatched = false
    }

    /// The member in which a product lists its stale members.
    package static let mark = "staleMembers"
    /// The members that cannot be laid over a product, because they identify it or are the service's own.
    package static let reserved: Set = [ProductMember.type, ProductMember.id, ProductMember.isPopular, mark]
    /// The code of ISO 4217 for no currency; such a price is ignored.
    private static let noCurrency = "XXX"
    private static let common = Set(ProductDetails.members.filter(\.isAlwaysThere).map(\.name))
    private static let required = Dictionary(
        uniqueKeysWithValues: ProductKind.allCases.map { kind in
            (kind.rawValue, common.union(kind.members.filter(\.isAlwaysThere).map(\.name)))
        })

    /// The names of the members, sorted.
    package let members: [String]
    /// The names as JSON strings, without the quotes.
    private let names: [ArraySlice<UInt8>]
    private let key: Key

    /// - Parameter members: names of whole members, none of them reserved.
    package init(_ members: some Sequence<String>, by key: Key = .id) {
        self.key = key
        self.members = Set(members).sorted()
        names = self.members.map { JSONValue.string($0).encoded().dropFirst().dropLast() }
    }

    /// Returns the catalogue with the members of the entries, in its own order; itself if nothing changes.
    ///
    /// Takes some microseconds for each product with an entry, and copies and hashes all bytes once.
    ///
    /// - Parameters:
    ///   - entries: nil if none are known; then only `hidden` changes products, all of them.
    ///   - earlier: other entries, laid over the same products in the same way.
    package func laid(
        _ entries: Catalogue?, over base: Catalogue, as treatment: Treatment,
        after earlier: (entries: Catalogue, laid: Laid)? = nil
    ) throws(ProductsFailure) -> Laid {
        guard entries != nil || treatment == .hidden else { return Laid(catalogue: base) }
        let matches = EntryMatches(entries, over: base, by: key)
        let earlier = entries == nil ? nil : earlier
        var composed = ComposedCatalogue(base, from: earlier?.laid.catalogue ?? base)
        let found = matches.positions(after: earlier?.entries).map { ($0, matches.entry(of: $0)) }
        composed.unfit = (earlier?.laid.unfit ?? []).subtracting(found.map(\.0))
        for (position, entry) in found {
            let stated = entries.map { values(of: $0, at: entry) }
            composed.set(position, text(of: base, at: position, with: stated, from: entries, as: treatment))
        }
        let catalogue = try composed.catalogue(doubts: base.doubts + (entries?.doubts ?? []))
        return Laid(
            catalogue: catalogue.revision == base.revision ? base : catalogue, unfit: composed.unfit,
            ambiguous: matches.ambiguous,
            isUnmatched: entries?.count ?? 0 > 0 && earlier?.laid.isUnmatched != false
                && !found.contains { $0.1 != nil })
    }

    /// The values in an entry, in the order of the members; empty if it states none.
    private func values(of entries: Catalogue, at position: Int?) -> [Range<Int>?] {
        guard let position else { return [] }
        var values: [Range<Int>?] = Array(repeating: nil, count: names.count)
        var reader = CanonicalReader(entries.encoded, in: entries.ranges[position])
        while let (name, value) = reader.nextMember() {
            if let index = names.firstIndex(of: entries.encoded[name]) { values[index] = value }
        }
        if let price = members.firstIndex(of: ProductMember.price),
            entries.text(at: position).currency == Self.noCurrency
        {
            values[price] = nil
        }
        return values.contains { $0 != nil } ? values : []
    }

    /// The product with the values, not in canonical form; nil if it stays unchanged.
    /// - Parameter values: nil for all members, whatever their values.
    private func text(
        of base: Catalogue, at position: Int, with values: [Range<Int>?]?, from entries: Catalogue?,
        as treatment: Treatment
    ) -> [UInt8]? {
        if let values, values.isEmpty { return nil }
        let required = treatment == .hidden ? Self.required[base.text(at: position).typeName] ?? Self.common : []
        var (object, isLaid) = (ComposedObject(), Array(repeating: false, count: names.count))
        var marks: [ArraySlice<UInt8>] = []
        let isRepriced =
            treatment != .hidden && members.firstIndex(of: ProductMember.price).map { values?[$0] != nil } ?? false
        var reader = CanonicalReader(base.encoded, in: base.ranges[position])
        while let (name, value) = reader.nextMember() {
            if treatment == .marked, base.encoded[name].elementsEqual(Self.mark.utf8) {
                marks = Self.strings(in: base.encoded, value)
            } else if let index = names.firstIndex(of: base.encoded[name]), values.map({ $0[index] != nil }) ?? true {
                isLaid[index] = true
                if treatment != .hidden, let entries, let value = values?[index] {
                    object.append(names[index], entries.encoded[value])
                } else if required.contains(members[index]) {
                    object.append(names[index], base.encoded[value])
                }
            } else if !isRepriced || !base.encoded[name].elementsEqual(SoldVariants.range.utf8) {
                object.append(base.encoded[name], base.encoded[value])
            }
        }
        if treatment != .hidden, let entries, let values {
            for case (let index, let value?) in values.enumerated() where !isLaid[index] {
                object.append(names[index], entries.encoded[value])
            }
            if treatment == .marked {
                object.append(marks: marks + values.indices.filter { values[$0] != nil }.map { names[$0] })
            }
        }
        return object.closed()
    }

    /// The strings of an array, without their quotes; none if it is not an array.
    private static func strings(in encoded: [UInt8], _ array: Range<Int>) -> [ArraySlice<UInt8>] {
        guard encoded[array].first == UInt8(ascii: "[") else { return [] }
        return CanonicalReader.elements(encoded, array).filter { encoded[$0.lowerBound] == UInt8(ascii: "\"") }
            .map { encoded[$0].dropFirst().dropLast() }
    }
}

/// An object that is composed of members of others.
private struct ComposedObject {
    private var bytes = [UInt8(ascii: "{")]

    /// - Parameter name: a JSON string, without the quotes.
    mutating func append(_ name: some Sequence<UInt8>, _ value: some Sequence<UInt8>) {
        if bytes.count > 1 { bytes.append(UInt8(ascii: ",")) }
        bytes.append(UInt8(ascii: "\""))
        bytes.append(contentsOf: name)
        bytes.append(contentsOf: [UInt8(ascii: "\""), UInt8(ascii: ":")])
        bytes.append(contentsOf: value)
    }

    /// Appends the list of stale members, sorted and without repetitions.
    mutating func append(marks: [ArraySlice<UInt8>]) {
        let names = Set(marks).sorted { $0.lexicographicallyPrecedes($1) }
        let list = names.map { [UInt8(ascii: "\"")] + $0 + [UInt8(ascii: "\"")] }.joined(separator: [UInt8(ascii: ",")])
        append(MemberOverlay.mark.utf8, [UInt8(ascii: "[")] + list + [UInt8(ascii: "]")])
    }

    consuming func closed() -> [UInt8] {
        bytes.append(UInt8(ascii: "}"))
        return bytes
    }
}

/// A catalogue that is composed of another one's products and changed ones, in the same order.
private struct ComposedCatalogue {
    private let base: Catalogue
    /// Has the products of the base at the same positions, some of them changed already.
    private let template: Catalogue
    private let decoder = NativeCatalogueDecoder(unknownKinds: .keep)
    private var pass = CanonicalPass()
    private var made = DecodedProducts()
    /// The positions that differ from the template, and the new products there; nil for the base's own.
    private var replaced: [(position: Int, made: Int?)] = []
    /// The positions of products whose texts were invalid.
    var unfit: Set<Int> = []

    init(_ base: Catalogue, from template: Catalogue) {
        (self.base, self.template) = (base, template)
    }

    /// Sets the product at a position, each beyond the one before; to the base's own if there is no text, or it is invalid.
    mutating func set(_ position: Int, _ text: [UInt8]?) {
        let before = template.encoded[template.ranges[position]]
        if let text {
            if make(text, position) {
                let last = made.array.count - 1
                if made.array.bytes[made.array.ranges[last]] != before { replaced.append((position, last)) }
                return
            }
            unfit.insert(position)
        }
        if template !== base, base.encoded[base.ranges[position]] != before { replaced.append((position, nil)) }
    }

    private mutating func make(_ text: [UInt8], _ position: Int) -> Bool {
        if made.append({ pass.append(at: 0, of: text, to: &$0) }) != nil { return true }
        guard case .object(let object)? = try? JSONParser(depthLimit: Catalogue.depthLimit).parse(text) else {
            return false
        }
        let count = made.array.count
        return (try? decoder.append(object, at: position, to: &made)) != nil && made.array.count > count
    }

    /// Returns the catalogue; the template itself if nothing differs from it.
    func catalogue(doubts: [CatalogueDoubt]) throws(ProductsFailure) -> Catalogue {
        if replaced.isEmpty { return template }
        let array = template.array.replacing(
            replaced.map { position, made in
                let object = made.map { self.made.array.bytes[self.made.array.ranges[$0]] }
                return (position, object ?? base.encoded[base.ranges[position]])
            })
        return try Catalogue(
            array, ids: base.ids,
            changes: ProductChanges(revision: template.revision, positions: replaced.map(\.position)), doubts: doubts)
    }
}

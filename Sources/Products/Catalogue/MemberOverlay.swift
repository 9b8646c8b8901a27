internal import JSON
internal import PolymorphicCodable

/// Lays members of products in one catalogue, the entries, over the products of another, by id.
///
/// Works on canonical bytes. A product without an entry is copied; any other is composed of both and canonicalised
/// again, so that an entry cannot make a product that is invalid from an upstream.
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

    /// - Parameter members: names of whole members, none of them reserved.
    package init(_ members: some Sequence<String>) {
        self.members = Set(members).sorted()
        names = self.members.map { JSONValue.string($0).encoded().dropFirst().dropLast() }
    }

    /// Returns the catalogue with the members of the entries, in its own order; itself if nothing changes.
    ///
    /// Takes some microseconds for each product with an entry.
    ///
    /// - Parameter entries: nil if none are known; then only `hidden` changes products, all of them.
    /// - Returns: `unfit` is the number of entries that did not fit the kind of their product, which stays unchanged.
    package func laid(
        _ entries: Catalogue?, over base: Catalogue, as treatment: Treatment
    ) throws(ProductsFailure) -> (catalogue: Catalogue, unfit: Int) {
        guard entries != nil || treatment == .hidden else { return (base, 0) }
        var composed = ComposedCatalogue(base)
        for position in 0..<base.count {
            let stated = entries.map { self.values(of: $0, for: base.encodedID(at: position)) }
            composed.append(position, text(of: base, at: position, with: stated, from: entries, as: treatment))
        }
        let doubts = base.doubts + (entries?.doubts ?? [])
        return (composed.changed == 0 ? base : try composed.catalogue(doubts: doubts), composed.unfit)
    }

    /// The values in the entry with an id, in the order of the members; empty if it states none.
    private func values(of entries: Catalogue, for id: ArraySlice<UInt8>) -> [Range<Int>?] {
        guard let position = entries.position(ofEncodedID: id) else { return [] }
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
    private let decoder = NativeCatalogueDecoder(unknownKinds: .keep)
    private var pass = CanonicalPass()
    private var decoded: DecodedProducts
    /// The number of products that differ from the other catalogue's.
    private(set) var changed = 0
    /// The number of texts that were no product.
    private(set) var unfit = 0

    init(_ base: Catalogue) {
        self.base = base
        decoded = DecodedProducts(about: base.encoded.count)
    }

    /// Appends the product of a text; the other catalogue's product if there is none, or it is invalid.
    mutating func append(_ position: Int, _ text: [UInt8]?) {
        let own = base.ranges[position]
        guard let text else { return copy(own) }
        guard make(text, position) else {
            unfit += 1
            return copy(own)
        }
        let made = decoded.array.ranges[position]
        if decoded.array.bytes[made] != base.encoded[own] { changed += 1 }
    }

    private mutating func make(_ text: [UInt8], _ position: Int) -> Bool {
        if decoded.append({ pass.append(at: 0, of: text, to: &$0) }) != nil { return true }
        guard case .object(let object)? = try? JSONParser(depthLimit: Catalogue.depthLimit).parse(text) else {
            return false
        }
        return (try? decoder.append(object, at: position, to: &decoded)) != nil
    }

    private mutating func copy(_ range: Range<Int>) {
        _ = decoded.append { $0.append(base.encoded.span, range) as Void? }
    }

    consuming func catalogue(doubts: [CatalogueDoubt]) throws(ProductsFailure) -> Catalogue {
        try Catalogue(decoded.closed().array, doubts: doubts)
    }
}

internal import Decoding
internal import FoundationEssentials
internal import JSON
internal import Products
internal import TestSupport
internal import Testing

/// Real catalogues in which an item is changed: whatever it becomes, it is refused with its index, its member and the value, left
/// out by a condition, or served with the price that the changed document has; all other items stay as they are.
///
/// The prices come from ``PlainReading``, which knows nothing of mappings. `make mutations` changes each catalogue 1,000 times.
struct MutatedCatalogueTests {
    private static let rounds = ProcessInfo.processInfo.environment["LARDER_MUTATIONS"].flatMap { Int($0) } ?? 40

    @Test(arguments: RealCatalogue.all)
    func `a changed item is served with its price, or refused or left out as such`(catalogue: RealCatalogue) throws {
        let subject = try MutatedSubject(catalogue)
        let baseline = subject.faults()
        #expect(baseline.isEmpty, "\(baseline)")
        var outcomes: [MutatedSubject.Outcome: Int] = [:]
        for seed in 0..<Self.rounds {
            var mutation = ItemMutation(random: SeededGenerator(seed: seed), hasMoney: subject.reading.amounts.isMoney)
            let index = Int.random(in: subject.items.indices, using: &mutation.random)
            var item = subject.items[index]
            var places: [[PlaceStep]] = []
            for _ in 0...(seed % 7 == 0 ? 2 : 0) {
                let place: [PlaceStep]
                (item, place) = mutation.changed(item)
                places.append(place)
            }
            let faults = subject.faults(of: item, at: index, outcomes: &outcomes)
            #expect(faults.isEmpty, "seed \(seed), item \(index), \(places): \(faults)")
        }
        if Self.rounds >= 1000 { print("\(catalogue.name): \(outcomes.map { "\($0.value) \($0.key)" }.sorted())") }
        #expect(outcomes[.served, default: 0] > 0, "\(outcomes)")
        #expect(outcomes[.refused, default: 0] + outcomes[.skipped, default: 0] > 0, "\(outcomes)")
    }

    @Test func `every catalogue has a plain reading`() {
        #expect(Set(PlainReading.all.keys) == Set(RealCatalogue.all.map(\.name)))
    }

    @Test(arguments: [
        ("12.50", "125e-1"), ("-0", "0"), ("1e2", "100"), ("0.10", "1e-1"), ("100000000000000000000", "1e20"),
    ])
    func `plain decimals are equal in whatever notation`(one: String, other: String) throws {
        #expect(try #require(PlainDecimal(one)) == #require(PlainDecimal(other)))
    }

    @Test func `plain decimals are ordered, and texts that are none are refused`() {
        let ordered = ["-10", "-9.5", "0", "0.001", "1", "1.01", "9", "10", "1e40"].map { PlainDecimal($0) }
        for (one, other) in zip(ordered, ordered.dropFirst()) {
            #expect(one.flatMap { one in other.map { one < $0 } } == true)
        }
        for text in ["", "-", "01", "1.", ".5", "1e", "+1", "1 ", "１"] { #expect(PlainDecimal(text) == nil, "\(text)") }
    }
}

/// A real catalogue, its decoder, and the products of its items as they are.
struct MutatedSubject {
    enum Outcome { case served, refused, skipped, leftOut }

    let reading: PlainReading
    let items: [JSONValue]
    private let document: MutatedDocument
    private let decoder: any CatalogueDecoder
    private let skips: Bool
    /// The product of each item; nil for one that is left out, or skipped.
    private let products: [ArraySlice<UInt8>?]
    /// The places of items that are skipped as they are.
    private let bad: Set<Int>
    /// Members of items whose texts are all in the products.
    private let kept: Set<String>

    init(_ catalogue: RealCatalogue) throws {
        reading = try #require(PlainReading.all[catalogue.name])
        decoder = try catalogue.decoder()
        document = try MutatedDocument(
            String(decoding: catalogue.document(), as: UTF8.self), name: catalogue.fileName, reading: reading)
        items = document.items
        let decoded = try decoder.decode(catalogue.document(), knowing: nil)
        skips = (decoder as? MappedCatalogueFormat)?.mapping.onBadItem == .skip
        var position = 0
        var products: [ArraySlice<UInt8>?] = []
        let inner = items.map { [reading] in PlainReading.values(reading.item, in: $0).first ?? .null }
        let bad = Set(decoded.skipped.map(\.index))
        for (place, item) in inner.enumerated() {
            let isTaken = reading.isTaken(item) && !bad.contains(place)
            try #require(!isTaken || position < decoded.array.count)
            products.append(isTaken ? decoded.array.bytes[decoded.array.ranges[position]] : nil)
            position += isTaken ? 1 : 0
        }
        #expect(position == decoded.array.count)
        (self.products, self.bad) = (products, bad)
        let mapping = (decoder as? MappedCatalogueFormat)?.mapping
        let keepsVariants = mapping?.variants.map { $0.attributes == .keep } ?? true
        var (all, lost): (Set<String>, Set<String>) = ([], keepsVariants ? [] : ["variants"])
        for (item, product) in zip(inner, products) {
            guard let product else { continue }
            let members = try JSONParser().parse(Array(product)).object
            for member in item.object?.members ?? [] {
                all.insert(member.key)
                let texts = members?[member.key].map { LeafTexts($0).texts }
                if !LeafTexts(member.value).texts.isSubset(of: texts ?? []) || texts == nil { lost.insert(member.key) }
            }
        }
        // Larder's own price and kind have the places of others.
        kept = all.subtracting(lost).subtracting(["price", "type"])
    }

    /// Returns all that is wrong with the products of the items as they are.
    func faults() -> [String] {
        var outcomes: [Outcome: Int] = [:]
        return faults(of: items, at: items.indices, changing: nil, &outcomes)
    }

    /// Returns all that is wrong with the products of a changed item and its neighbours; of all items where some stand beside
    /// others.
    func faults(of item: JSONValue, at place: Int, outcomes: inout [Outcome: Int]) -> [String] {
        let window = reading.isJoined ? items.indices : max(0, place - 1)..<min(items.count, place + 2)
        var items = Array(items[window])
        items[place - window.lowerBound] = item
        return faults(of: items, at: window, changing: place - window.lowerBound, &outcomes)
    }

    private func faults(
        of items: [JSONValue], at window: Range<Int>, changing index: Int?, _ outcomes: inout [Outcome: Int]
    ) -> [String] {
        let (text, values) = document.text(of: items)
        do {
            return try faults(decoder.decode(text, knowing: nil), values, at: window, changing: index, &outcomes)
        } catch ProductsFailure.malformed(let detail, _) {
            outcomes[.refused, default: 0] += 1
            if detail.contains("invalid ") { return detail.contains("line ") ? [] : ["no line: \(detail)"] }
            let isAll = detail.hasPrefix("no item of \(items.count) is good; the first: [\(index ?? -1)]") && skips
            // An object beside the items makes those bad that name it.
            let isTelling = (reading.isJoined ? items.indices.map(\.self) : [index]).contains {
                Self.isTelling(detail, $0)
            }
            return isAll || isTelling && !skips ? [] : ["not telling: \(detail)"]
        } catch {
            return ["\(error)"]
        }
    }

    private func faults(
        _ decoded: DecodedProducts, _ values: [JSONValue], at window: Range<Int>, changing index: Int?,
        _ outcomes: inout [Outcome: Int]
    ) throws -> [String] {
        guard values.count == window.count else { return ["the changed document has \(values.count) items"] }
        var (faults, position): ([String], Int) = ([], 0)
        let skipped = Set(decoded.skipped.map(\.index))
        if !skipped.subtracting(index.map { [$0] } ?? []).isSubset(of: bad.map { $0 - window.lowerBound }) {
            faults.append("skipped: \(decoded.skipped)")
        }
        for (place, value) in values.enumerated() {
            let item = PlainReading.values(reading.item, in: value).first ?? .null
            if skipped.contains(place) {
                if place == index { outcomes[.skipped, default: 0] += 1 }
                faults += decoded.skipped.filter { $0.index == place }.map(\.reason).filter {
                    !Self.isTelling($0, place)
                }.map { "not telling: \($0)" }
                continue
            }
            guard reading.isTaken(item) || item.isNull else {
                if place == index { outcomes[.leftOut, default: 0] += 1 }
                continue
            }
            guard position < decoded.array.count else {
                faults.append("nothing of item \(place): \(decoded.skipped), \(decoded.leftOut) left out")
                break
            }
            let product = decoded.array.bytes[decoded.array.ranges[position]]
            position += 1
            if place == index {
                outcomes[.served, default: 0] += 1
            } else if !reading.isJoined || index == nil {
                if product != products[place + window.lowerBound] {
                    faults.append("item \(place) has become \(Self.text(product))")
                }
                if index != nil { continue }
            }
            faults += try self.faults(JSONParser().parse(Array(product)), item)
        }
        if position != decoded.array.count { faults.append("\(decoded.array.count - position) products too many") }
        if decoded.leftOut != values.count - position - skipped.count { faults.append("\(decoded.leftOut) left out") }
        return faults
    }

    /// Compares a product with its item.
    private func faults(_ product: JSONValue, _ item: JSONValue) -> [String] {
        var faults: [String] = []
        let price = product.object?["price"]?.object
        let served = price?["amount"].flatMap { PlainDecimal($0) }.flatMap { amount in
            price?["currency"]?.string.map { PlainPrice(amount: amount, currency: $0) }
        }
        let wanted = reading.price(of: item)
        if served == nil || served != wanted { faults.append("price \(served as Any) in place of \(wanted as Any)") }
        if product.object?["id"]?.string != reading.id(of: item) { faults.append("id \(product.object?["id"] as Any)") }
        if !reading.names.isEmpty, product.object?["name"]?.string != reading.name(of: item) {
            faults.append("name \(product.object?["name"] as Any)")
        }
        let texts = LeafTexts(product).texts
        for member in item.object?.members ?? [] where kept.contains(member.key) {
            let lost = LeafTexts(member.value).texts.subtracting(texts)
            if !lost.isEmpty {
                faults.append(
                    "\(member.key) has lost \(lost.prefix(3).map { String(decoding: $0.prefix(80), as: UTF8.self) })")
            }
        }
        return faults
    }

    private static func text(_ product: ArraySlice<UInt8>) -> String { String(decoding: product, as: UTF8.self) }

    /// Whether a reason names the item, its member, and what is found there.
    private static func isTelling(_ reason: String, _ index: Int?) -> Bool {
        guard let index, reason.hasPrefix("[\(index)]"), let colon = reason.firstIndex(of: ":") else { return false }
        let member = reason[..<colon].dropFirst("[\(index)]".count)
        let found = [
            "found ", "missing", "is negative", "cells, and the header", "prices in ", "unknown kind",
            "cannot be kept to the digit", "expected all of ",
        ]
        return (member.hasPrefix(".") || reason.contains("expected an object") || reason.contains("cells"))
            && found.contains { reason.contains($0) }
    }
}

/// The texts and numbers in a value, in one notation, as bytes.
private struct LeafTexts {
    private(set) var texts: Set<[UInt8]> = []

    init(_ value: JSONValue) { collect(value) }

    private mutating func collect(_ value: JSONValue) {
        switch value {
        case .null, .string(""): break
        case .bool(let flag): insert("\(flag)")
        case .number(let number): insert(PlainDecimal(value)?.description ?? number.literal)
        case .string(let text): insert(PlainDecimal(value)?.description ?? text)
        case .array(let elements): for element in elements { collect(element) }
        case .object(let object): for member in object.members { collect(member.value) }
        }
    }

    /// Currencies are served in capitals.
    private mutating func insert(_ text: String) {
        texts.insert(text.utf8.map { (0x61...0x7A).contains($0) ? $0 - 0x20 : $0 })
    }
}

import JSON
import PolymorphicCodable
import Testing

@testable import Products
import ProductsTestSupport

/// Products that were made from the same text before are copied; the result is that of a decoder that knows nothing.
@Suite struct KnownProductsTests {
    private func document(_ items: [JSONValue]) -> [UInt8] { JSONValue.array(items).encoded() }

    private func known(_ text: [UInt8], by decoder: NativeCatalogueDecoder) throws -> KnownProducts {
        let decoded = try decoder.decode(text, knowing: nil)
        return try #require(KnownProducts(Catalogue(decoded), from: decoded))
    }

    @Test(arguments: 0..<60)
    func `a document of changed, new, moved and removed products is decoded as without them`(seed: Int) throws {
        var random = RandomProducts(seed: seed)
        let decoder = NativeCatalogueDecoder(unknownKinds: .keep)
        let old = random.items(60)
        var new = old
        let fresh = random.items(100).dropFirst(60)
        for (number, item) in fresh.prefix(seed % 20).enumerated() {
            let place = number * 7 % new.count
            switch number % 3 {
            case 0: new[place] = item
            case 1: new.insert(item, at: place)
            default: new.append(new.remove(at: place))
            }
        }
        let (earlier, text) = (try known(document(old), by: decoder), document(new))
        let expected = try Catalogue(decoder.decode(text, knowing: nil))
        let found = try Catalogue(decoder.decode(text, knowing: earlier))
        #expect(found.encoded == expected.encoded)
        #expect(found.ranges == expected.ranges)
        let changes = try #require(found.changes)
        #expect(changes.revision == earlier.revision)
        let unchanged = Set(new.indices).subtracting(changes.positions)
        #expect(unchanged.allSatisfy { old.contains(new[$0]) })
        let isOrdered = new == old
        #expect(!isOrdered || changes.positions.isEmpty)
    }

    @Test(arguments: 0..<20)
    func `a listing is that of all products, whatever it takes over from an earlier one`(seed: Int) throws {
        var random = RandomProducts(seed: seed)
        let (decoder, rule) = (NativeCatalogueDecoder(unknownKinds: .keep), PopularityRule(salesOver: 3))
        let old = random.items(40)
        var new = old
        for place in new.indices where (place * 7 + seed) % (seed + 1) == 0 {
            guard case .object(var item) = new[place] else { continue }
            item["sales"] = .number(JSONNumber(place % 9))
            new[place] = .object(item)
        }
        if seed % 5 == 4 { new.swapAt(3, 20) }
        let earlier = try known(document(old), by: decoder)
        let before = ProductsUseCase.marked(earlier.catalogue, by: rule)
        let later = try Catalogue(decoder.decode(document(new), knowing: earlier))
        let known = EarlierListing(of: earlier.catalogue, before.marks, at: before.array.ranges) {
            $1 += before.array.bytes[$0]
        }
        let (found, expected) = (
            ProductsUseCase.marked(later, by: rule, after: known), ProductsUseCase.marked(later, by: rule)
        )
        #expect(found.array.bytes == expected.array.bytes && found.array.ranges == expected.array.ranges)
        #expect(found.marks.isPopular == expected.marks.isPopular)
        let lower = ProductsUseCase.marked(later, by: PopularityRule(salesOver: 0), after: known)
        #expect(lower.array.bytes == ProductsUseCase.marked(later, by: PopularityRule(salesOver: 0)).array.bytes)
    }

    @Test func `a product that stands where it was is not read again`() throws {
        let decoder = NativeCatalogueDecoder()
        let items = (0..<30).map { item("digital", id: "\($0)") }
        let text = { (items: [String]) in Array("[\(items.joined(separator: " ,\n"))]".utf8) }
        let earlier = try known(text(items), by: decoder)
        var changed = items
        changed[7] = item("digital", id: "new")
        let one = try Catalogue(decoder.decode(text(changed), knowing: earlier))
        #expect(one.changes?.positions == [7])
        changed.insert(item("digital", id: "newer"), at: 20)
        changed.remove(at: 3)
        let more = try Catalogue(decoder.decode(text(changed), knowing: earlier))
        let positions = try #require(more.changes?.positions)
        #expect(Set(positions).isSuperset(of: [6, 19]) && positions.count < 8)
    }

    @Test func `what is left out of a product is reported again`() throws {
        let decoder = NativeCatalogueDecoder(unknownKinds: .skip)
        let bundle = item("bundle", id: "b", #","products":[\#(item("voucher", id: "v"))]"#)
        let text = Array("[\(item("digital")),\(item("rental", id: "r")),\(bundle)]".utf8)
        let first = try decoder.decode(text, knowing: nil)
        let again = try decoder.decode(text, knowing: KnownProducts(Catalogue(first), from: first))
        #expect(again.skipped == first.skipped)
        #expect(first.skipped.map(\.index) == [1, 2])
        #expect(again.array.bytes == first.array.bytes)
    }

    @Test func `a fault behind known products is found`() throws {
        let decoder = NativeCatalogueDecoder()
        let text = "[\(item("digital", id: "1")),\(item("digital", id: "2"))"
        let earlier = try known(Array((text + "]").utf8), by: decoder)
        for end in ["", ",", "}", "]]", "]x"] {
            let bad = Array((text + end).utf8)
            let expected = try #require(throws: ProductsFailure.self) { try decoder.decode(bad, knowing: nil) }
            #expect(throws: expected) { try decoder.decode(bad, knowing: earlier) }
        }
    }
}

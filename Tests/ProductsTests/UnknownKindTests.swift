import JSON
import PolymorphicCodable
import Products
import ProductsTestSupport
import Testing

@Suite struct UnknownKindTests {
    private func reason(_ place: String, _ kind: String) -> String {
        "\(place).type: unknown kind \"\(kind)\"; known are \(knownKinds)"
    }

    private let bundle = item(
        "bundle", id: "b",
        #","products":[\#(item("voucher", id: "v")),\#(item("digital", id: "d"))],"addOn":\#(item("rental", id: "r"))"#)

    @Test func `are refused unless the policy says otherwise`() {
        for items in [[item("voucher")], [item("digital"), item("voucher")]] {
            let place = "[\(items.count - 1)]"
            #expect(throws: ProductsFailure.malformed(detail: reason(place, "voucher"))) {
                try decode("[\(items.joined(separator: ","))]")
            }
        }
        #expect(throws: ProductsFailure.malformed(detail: reason("[0].products[0]", "voucher"))) {
            try decode("[\(bundle)]")
        }
    }

    @Test func `are left out and reported`() throws {
        let items = [item("voucher", id: "1"), item("digital", id: "2"), item("rental", id: "3"), bundle]
        let decoded = try decode("[\(items.joined(separator: ","))]", unknownKinds: .skip)
        #expect(decoded.products.map(\.id) == ["2", "b"])
        let left = try #require(decoded.products.last as? BundleProduct)
        #expect(left.products.map(\.id) == ["d"])
        #expect(left.addOn == nil)
        #expect(
            decoded.skipped == [
                SkippedItem(index: 0, reason: reason("[0]", "voucher")),
                SkippedItem(index: 2, reason: reason("[2]", "rental")),
                SkippedItem(index: 3, reason: reason("[3].products[0]", "voucher")),
                SkippedItem(index: 3, reason: reason("[3].addOn", "rental")),
            ])
    }

    @Test func `are reported where they stand in the document`() throws {
        let decoded = try decode(#"{"products":[\#(item("digital")),\#(item("voucher"))]}"#, unknownKinds: .skip)
        #expect(decoded.skipped == [SkippedItem(index: 1, reason: reason("products[1]", "voucher"))])
        let items = try [item("digital"), item("voucher")].map { try JSONParser().parse(Array($0.utf8)) }
        let paged = try NativeCatalogueDecoder(unknownKinds: .skip).decode(items: items)
        #expect(paged.products.map(\.typeName) == ["digital"])
        #expect(paged.skipped == [SkippedItem(index: 1, reason: reason("[1]", "voucher"))])
    }

    @Test func `are left out one by one`() throws {
        var decoded = DecodedProducts()
        decoded.skipped = [SkippedItem(index: 1, reason: "earlier")]
        let decoder = NativeCatalogueDecoder(unknownKinds: .skip)
        for (index, text) in [(7, item("voucher")), (8, item("digital")), (9, bundle)] {
            let object = try #require(try JSONParser().parse(Array(text.utf8)).object)
            let before = decoded.products.count
            try decoder.append(object, at: index, to: &decoded)
            #expect(decoded.products.count == (index == 7 ? before : before + 1))
        }
        #expect(decoded.skipped.map(\.index) == [1, 7, 9, 9])
    }

    @Test(arguments: [UnknownKindPolicy.skip, .keep])
    func `is no excuse for what else is wrong`(policy: UnknownKindPolicy) {
        for (text, detail) in [
            ("{}", "[0].type: missing; known are \(knownKinds)"),
            (#"{"type":7}"#, "[0].type: expected a string, found 7; known are \(knownKinds)"),
            ("[]", "[0]: expected an object, found an array"),
            (#"{"type":"digital"}"#, "[0].id: missing"),
        ] {
            #expect(throws: ProductsFailure.malformed(detail: detail)) {
                try decode("[\(text)]", unknownKinds: policy)
            }
        }
    }

    @Test func `are kept with all that they carry`() throws {
        let own = #","z":1e400,"products":[{"type":"x"}],"interval":null,"isPopular":true,"a":[9007199254740993,-0.0]"#
        let decoded = try decode("[\(item("voucher", own))]", unknownKinds: .keep)
        let product = try #require(decoded.products.first as? KeptProduct)
        #expect(product.typeName == "voucher")
        #expect(product.name == "Mug")
        #expect(product.attributes.keys == ["z", "products", "interval", "a"])
        #expect(
            try encode(product)
                == #"{"type":"voucher","id":"1","name":"Mug","price":{"amount":1,"currency":"EUR"},"sales":0,"#
                + #""z":1e400,"products":[{"type":"x"}],"interval":null,"a":[9007199254740993,-0.0]}"#)
        #expect(decoded.skipped.isEmpty)
    }

    @Test func `are kept in bundles too`() throws {
        let decoded = try decode("[\(bundle)]", unknownKinds: .keep)
        let kept = try #require(decoded.products.first as? BundleProduct)
        #expect(kept.products.map(\.typeName) == ["voucher", "digital"])
        #expect(kept.addOn is KeptProduct)
        let catalogue = try Catalogue(products: Array(decoded.products))
        let again = try Catalogue(encoded: catalogue.encoded)
        #expect(again.revision == catalogue.revision)
        #expect(try Catalogue(products: Array(again.products)).encoded == catalogue.encoded)
    }

    @Test func `must have what all products have, to be kept`() {
        #expect(throws: ProductsFailure.malformed(detail: "[0].price: missing")) {
            try decode(#"[{"type":"voucher","id":"1","name":"x"}]"#, unknownKinds: .keep)
        }
    }
}

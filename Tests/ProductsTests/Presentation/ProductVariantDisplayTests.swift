import PolymorphicCodable
import Products
import Testing

@Suite("Which type shows which kind")
struct ProductVariantDisplayTests {
    private func shown(_ type: String) throws -> any ProductDisplayable {
        let members = #","interval":"month","products":[],"denominations":[]"#
        let product = try decode("[\(item(type, members))]", unknownKinds: .keep).products[0]
        return product.variant.display(popularity: PopularityRule())
    }

    @Test("Every kind, and that of the unknown ones, has a type of its own")
    func ownTypes() throws {
        let kinds = ProductKind.allCases.map(\.rawValue) + ["voucher"]
        let types = try kinds.map { String(describing: type(of: try shown($0))) }
        #expect(
            types == [
                "PhysicalProductDisplay", "DigitalProductDisplay", "SubscriptionProductDisplay",
                "BundleProductDisplay", "GiftCardProductDisplay", "KeptProductDisplay",
            ])
    }

    @Test(
        "Popular is shown by the rule that is given, for every kind",
        arguments: ProductKind.allCases.map(\.rawValue))
    func popular(type: String) throws {
        let members = #","sales":5,"interval":"month","products":[],"denominations":[]"#
        #expect(try display(type, members, popularOver: 4).badge == "Popular")
        #expect(try display(type, members, popularOver: 5).badge != "Popular")
    }

    @Test("A product without a name is shown by its id", arguments: ProductKind.allCases.map(\.rawValue))
    func nameless(type: String) throws {
        let members = #""price":{"amount":1,"currency":"EUR"},"interval":"month","products":[],"denominations":[]"#
        let product = try decodeProducts(#"[{"type":"\#(type)","id":"a-7","name":"",\#(members)}]"#)[0]
        #expect(product.variant.display(popularity: PopularityRule()).title == "a-7")
    }
}

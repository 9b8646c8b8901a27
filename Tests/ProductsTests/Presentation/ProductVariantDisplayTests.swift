import PolymorphicCodable
import Products
import Testing

struct ProductVariantDisplayTests {
    private func shown(_ type: String) throws -> any ProductDisplayable {
        let members = #","interval":"month","products":[],"denominations":[]"#
        let product = try decode("[\(item(type, members))]", unknownKinds: .keep).products[0]
        return product.variant.display(popularity: PopularityRule())
    }

    @Test func `Every kind, and that of the unknown ones, has a type of its own`() throws {
        let kinds = ProductKind.allCases.map(\.rawValue) + ["voucher"]
        let types = try kinds.map { String(describing: type(of: try shown($0))) }
        #expect(
            types == [
                "PhysicalProductDisplay", "DigitalProductDisplay", "SubscriptionProductDisplay",
                "BundleProductDisplay", "GiftCardProductDisplay", "KeptProductDisplay",
            ])
    }

    @Test(arguments: ProductKind.allCases.map(\.rawValue))
    func `Popular is shown by the rule that is given, for every kind`(type: String) throws {
        let members = #","sales":5,"interval":"month","products":[],"denominations":[]"#
        #expect(try display(type, members, popularOver: 4).badge == "Popular")
        #expect(try display(type, members, popularOver: 5).badge != "Popular")
    }

    @Test(arguments: ProductKind.allCases.map(\.rawValue))
    func `A product without a name is shown by its id`(type: String) throws {
        let members = #""price":{"amount":1,"currency":"EUR"},"interval":"month","products":[],"denominations":[]"#
        let product = try decodeProducts(#"[{"type":"\#(type)","id":"a-7","name":"",\#(members)}]"#)[0]
        #expect(product.variant.display(popularity: PopularityRule()).title == "a-7")
    }
}

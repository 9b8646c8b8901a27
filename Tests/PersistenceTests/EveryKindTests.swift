import FoundationEssentials
import JSON
import Persistence
import Products
import Testing
import TestSupport

@Suite struct EveryKindTests {
    private let directory: TemporaryDirectory

    init() throws {
        directory = try TemporaryDirectory()
    }

    private func details(_ id: String, attributes: JSONObject = JSONObject()) -> ProductDetails {
        ProductDetails(
            id: id, name: id, price: Price(amount: Decimal(1990) / 100, currency: "EUR"), attributes: attributes)
    }

    private func makeProducts() -> [any Product] {
        let kept = KeptProduct(details: details("k", attributes: ["until": .null, "x": 1]), typeName: "rental")
        let card = GiftCardProduct(details: details("g"), denominations: [10, Decimal(2550) / 100])
        let tea = SubscriptionProduct(details: details("s"), interval: "month", trialDays: 14)
        let book = DigitalProduct(details: details("d"), downloadURL: "https://x/d", size: 7)
        let inner = BundleProduct(details: details("i"), products: [kept, card], addOn: tea)
        return [
            kept, card, tea, book, BundleProduct(details: details("b"), products: [inner, book, book], addOn: kept),
        ]
    }

    @Test func `a generation holds products of every kind, kept and nested ones too`() async throws {
        let catalogue = try Catalogue(products: makeProducts())
        let moment = Date(timeIntervalSince1970: 1_769_860_800)
        try await makeStore(directory.path).save(
            ProductsSnapshot(catalogue: catalogue, fetchedAt: moment, origin: .network))
        let stored = try #require(try await makeStore(directory.path).stored())
        #expect(stored.catalogue.encoded == catalogue.encoded)
        #expect(stored.catalogue.ranges == catalogue.ranges)
        #expect(stored.products.map(\.typeName) == ["rental", "giftCard", "subscription", "digital", "bundle"])
        #expect(try Catalogue(products: stored.products).revision == catalogue.revision)
        let bundle = try #require(stored.catalogue.product(withID: "b") as? BundleProduct)
        #expect(bundle.addOn?.attributes == ["until": .null, "x": 1])
    }
}

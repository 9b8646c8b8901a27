internal import FoundationEssentials
internal import Products
internal import ProvidersTestSupport
internal import Testing

@testable internal import Providers

struct ValidatedProductsProviderDecoratorTests {
    @Test func `a good catalogue passes unchanged, trail and all`() async throws {
        let upstream = ScriptedProvider {
            ProductsAnswer(snapshot: makeSnapshot(), trail: [TrailStep(node: "http", outcome: .fetched)])
        }
        let answer = try await ValidatedProductsProviderDecorator(upstream: upstream).ask()
        #expect(answer.snapshot.revision == makeCatalogue().revision)
        #expect(answer.steps == ["http: fetched"])
    }

    @Test func `the request goes on to the upstream as it came`() async throws {
        let upstream = ScriptedProvider { ProductsAnswer(snapshot: makeSnapshot()) }
        let request = ProductsRequest(headers: ["x-user": "me"], analyticsOptOut: true)
        _ = try await ValidatedProductsProviderDecorator(upstream: upstream).products(for: request)
        #expect(upstream.requests.map { $0.headers["x-user"] } == ["me"])
        #expect(upstream.requests.map(\.analyticsOptOut) == [true])
    }
}

struct CatalogueRulesTests {
    private func failure(
        _ rules: CatalogueRules, _ products: [any Product], replacing old: Int? = nil
    ) -> ProductsFailure? {
        do throws(ProductsFailure) {
            try rules.check(Catalogue(products: products), replacing: old)
            return nil
        } catch {
            return error
        }
    }

    @Test(arguments: [(0, 0, false), (0, 1, true), (9, 10, true), (10, 10, false)])
    func `the least number of products`(count: Int, minimum: Int, isRefused: Bool) {
        let failure = failure(CatalogueRules(minimum: minimum), makeProducts(count: count))
        #expect(failure == (isRefused ? .refused(.empty(count: count, minimum: minimum)) : nil))
    }

    @Test(arguments: [
        (0.5, 100, 51, false), (0.5, 100, 50, true), (0.5, 100, 1, true), (0.5, 3, 2, false), (0.5, 3, 1, true),
        (0.5, 2, 1, true), (0.5, 1, 1, false), (0.5, 100, 200, false), (0, 100, 100, false), (0, 100, 99, true),
        (1, 100, 1, false), (0.1, 10, 9, true), (0.1, 11, 10, false),
    ])
    func `the share whose loss is too much`(maxShrink: Double, before: Int, after: Int, isRefused: Bool) {
        let rules = CatalogueRules(maxShrink: maxShrink)
        let failure = failure(rules, makeProducts(count: after), replacing: before)
        #expect(failure == (isRefused ? .refused(.shrunken(from: before, to: after)) : nil))
    }

    @Test func `prices are not below zero, and the product is named`() {
        let products = [makeProduct(id: "a", amount: 0), makeProduct(id: "b", amount: -0.01)]
        #expect(failure(CatalogueRules(), products) == .refused(.negativePrice(id: "b", position: 1)))
    }

    @Test(arguments: [true, false])
    func `of what was made from the accepted catalogue the difference is checked, else all`(isAccepted: Bool) throws {
        let bad = try Catalogue(products: [makeProduct(id: "a", amount: -1), makeProduct(id: "b")])
        let decoder = NativeCatalogueDecoder()
        let first = try decoder.decode(bad.encoded)
        let known = try KnownProducts(Catalogue(first), from: first)
        let more = try Catalogue(products: [makeProduct(id: "a", amount: -1), makeProduct(id: "b", name: "Cup")])
        let next = try Catalogue(decoder.decode(more.encoded, knowing: known))
        #expect(next.changes?.revision == bad.revision)
        let accepted = isAccepted ? bad.revision : more.revision
        var failure: ProductsFailure?
        do throws(ProductsFailure) {
            try CatalogueRules().check(next, replacing: 2, accepted: accepted)
        } catch {
            failure = error
        }
        #expect(failure == (isAccepted ? nil : .refused(.negativePrice(id: "a", position: 0))))
    }

    @Test func `a gift card has no amount below zero, and it is said that it is not its price`() {
        let card = GiftCardProduct(details: makeProduct(id: "card").details, denominations: [0, 10, -5])
        #expect(failure(CatalogueRules(), [card]) == .refused(.negativeDenomination(id: "card", position: 0)))
    }

    @Test(arguments: ["", "eur", "EURO", "XXY", "US$"])
    func `currencies are of ISO 4217, in capitals`(_ code: String) {
        let products = [makeProduct(id: "a"), makeProduct(id: "b", currency: code)]
        #expect(failure(CatalogueRules(), products) == .refused(.badCurrency(code, id: "b", position: 1)))
    }

    @Test(arguments: ["EUR", "USD", "JPY", "CHF", "CLF", "ZWG"])
    func `known currencies pass`(_ code: String) {
        #expect(failure(CatalogueRules(), [makeProduct(currency: code)]) == nil)
    }

    @Test func `what a bundle is made of keeps the rules too, and is named by the way to it`() {
        let free = makeProduct(id: "free", amount: -1)
        let foreign = makeProduct(id: "foreign", currency: "XXY")
        let inner = makeBundle(id: "inner", [makeProduct(id: "mug"), free])
        let cases: [(any Product, RefusalReason)] = [
            (makeBundle(id: "box", [free]), .negativePrice(id: "box > free", position: 1)),
            (makeBundle(id: "box", [inner]), .negativePrice(id: "box > inner > free", position: 1)),
            (makeBundle(id: "box", [], addOn: foreign), .badCurrency("XXY", id: "box > foreign", position: 1)),
        ]
        for (box, reason) in cases {
            #expect(failure(CatalogueRules(), [makeProduct(id: "mug"), box]) == .refused(reason))
        }
        #expect(failure(CatalogueRules(), [makeBundle(id: "box", [makeProduct(id: "mug")])]) == nil)
    }

    private func makeBundle(id: String, _ products: [any Product], addOn: (any Product)? = nil) -> BundleProduct {
        BundleProduct(details: makeProduct(id: id).details, products: products, addOn: addOn)
    }
}

package import Configuration
package import FoundationEssentials
package import Products
internal import Wiring

package func makeCatalogue(_ names: [String] = ["Mug"], sales: Int = 0) throws -> Catalogue {
    try Catalogue(
        products: names.enumerated().map { index, name in
            PhysicalProduct(
                details: ProductDetails(
                    id: "\(index + 1)", name: name, price: Price(amount: 19.9, currency: "EUR"), sales: sales))
        })
}

package func makeAnswer(
    _ catalogue: Catalogue, fetchedAt: Date = Date(timeIntervalSince1970: 1_800_000_000), freshness: Freshness? = nil
) -> ProductsAnswer {
    ProductsAnswer(
        snapshot: ProductsSnapshot(catalogue: catalogue, fetchedAt: fetchedAt, origin: .network), freshness: freshness)
}

package func makeFreshness(
    _ verdict: Freshness.Verdict = .hit, isOffline: Bool = false,
    freshUntil: Date = Date(timeIntervalSince1970: 1_800_000_030),
    servableUntil: Date = Date(timeIntervalSince1970: 1_800_000_060), mayIdle: Bool = true,
    isLate: Bool = false
) -> Freshness {
    Freshness(
        verdict: verdict, isOffline: isOffline, freshUntil: freshUntil, servableUntil: servableUntil,
        staleWhileRevalidate: .seconds(60), staleIfError: .seconds(600),
        mayIdle: mayIdle, isLate: isLate)
}

/// The outline of the graph that a config serves. The config has `serve` and components, and nothing else.
package func makeOutline(_ yaml: String, environment: [String: String] = [:]) throws -> ComponentOutline {
    let document = try ConfigDocument.parse(yaml, file: "c.yaml", environment: environment)
    let check = ConfigurationCheck(
        document: document, registry: .everyFamily,
        sections: [.required("serve", .component(ProviderFamily.self), "the root")])
    let root = check.root.component("serve", ProviderFamily.self)
    _ = try check.finish()
    return root.outline
}

@testable import HTTPServer
@testable import Serving
import Concurrency
import Configuration
import FoundationEssentials
@testable import Products

@testable import Service

func makeCatalogue(_ names: [String] = ["Mug"], sales: Int = 0) throws -> Catalogue {
    try Catalogue(
        products: names.enumerated().map { index, name in
            PhysicalProduct(
                details: ProductDetails(
                    id: "\(index + 1)", name: name, price: Price(amount: 19.9, currency: "EUR"), sales: sales))
        })
}

func makeAnswer(
    _ catalogue: Catalogue, fetchedAt: Date = Date(timeIntervalSince1970: 1_800_000_000), freshness: Freshness? = nil
) -> ProductsAnswer {
    ProductsAnswer(
        snapshot: ProductsSnapshot(catalogue: catalogue, fetchedAt: fetchedAt, origin: .network), freshness: freshness)
}

func makeListing(_ catalogue: Catalogue) -> ProductsListing {
    ProductsListing(answer: makeAnswer(catalogue), popularity: PopularityRule())
}

extension Eventual {
    /// The value, if it need not be waited for.
    var ready: Value? {
        if case .ready(let value) = self { value } else { nil }
    }
}

extension EncodedListing {
    /// A listing that is alone, modified when it was fetched.
    convenience init(_ listing: ProductsListing, living: ResponseMemory = ResponseMemory()) {
        self.init(
            listing, lastModified: LastModified(listing.answer.snapshot.fetchedAt), living: living, siblings: 1)
    }
}

extension ListingCache {
    convenience init(capacity: Int, isVaried: Bool = true, wallClock: WallClock = .system, allowance: Int = 1 << 26) {
        self.init(
            capacity: capacity, isVaried: isVaried, living: ResponseMemory(allowance: allowance),
            modifications: ModificationTimes(wallClock: wallClock))
    }
}

func makeFreshness(
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

/// The problems of a config, each as it is printed.
func problems(_ yaml: String, environment: [String: String] = [:]) -> [String] {
    do throws(ConfigurationError) {
        let document = try ConfigDocument.parse(yaml, file: "c.yaml", environment: environment)
        return try LoadedConfiguration.check(document).warnings.map(\.description)
    } catch {
        return error.diagnostics.map(\.description)
    }
}

/// A config that is good apart from what is put before its graph.
func makeConfiguration(_ sections: String) -> String {
    sections + "\nserve: a\nproviders:\n  a: { type: http, request: { base_url: \"http://shop.example\" } }\n"
}

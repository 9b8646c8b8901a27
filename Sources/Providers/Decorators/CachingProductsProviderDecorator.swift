package import Products

/// Saves every successful answer of its upstream, to be served when the upstream is away.
///
/// A failed save does not fail the answer; the saver reports it. Only confirmed catalogues are saved, since the newest
/// one in the store is served after a restart: no substitute for a failure, no pinned catalogue, and none that a gate
/// could not check.
package struct CachingProductsProviderDecorator: ProductsProvider {
    private let name: String
    private let upstream: any ProductsProvider
    private let saver: any ProductsSaver

    package init(name: String = "caching", upstream: any ProductsProvider, saver: any ProductsSaver) {
        (self.name, self.upstream, self.saver) = (name, upstream, saver)
    }

    package func products(for request: ProductsRequest) async throws -> ProductsAnswer {
        let answer = try await upstream.products(for: request)
        guard answer.standing == .confirmed else { return answer.adding(TrailStep(node: name, outcome: .skipped)) }
        try? await saver.save(answer.snapshot)
        return answer.passingLease(ofAnyCatalogue: false).adding(TrailStep(node: name, outcome: .saving))
    }
}

extension ProductsProvider {
    /// Returns a source of entries of an `overlay` that saves them, and provides the stored ones while it fails.
    package func keepingEntries(in store: any ProductsProvider, by saver: any ProductsSaver) -> any ProductsProvider {
        FallbackProductsProviderStrategy(
            primary: CachingProductsProviderDecorator(upstream: self, saver: saver), secondary: store)
    }
}

package import Products

/// Saves every success of its upstream, so that it can be served when the upstream is gone.
///
/// No answer fails with its save; the saver reports failures. A fallback's substitute for a failure is no success and is
/// not saved, nor is a catalogue that could not be compared with the stored one: it must not become the newest.
package struct CachingProductsProviderDecorator: ProductsProvider {
    private let name: String
    private let upstream: any ProductsProvider
    private let saver: any ProductsSaver

    package init(name: String = "caching", upstream: any ProductsProvider, saver: any ProductsSaver) {
        (self.name, self.upstream, self.saver) = (name, upstream, saver)
    }

    package func products(for request: ProductsRequest) async throws -> ProductsAnswer {
        let answer = try await upstream.products(for: request)
        guard answer.failure == nil, !answer.isUnchecked else {
            return answer.adding(.init(node: name, outcome: .skipped))
        }
        try? await saver.save(answer.snapshot)
        return answer.passingLease(ofAnyCatalogue: false).adding(TrailStep(node: name, outcome: .saving))
    }
}

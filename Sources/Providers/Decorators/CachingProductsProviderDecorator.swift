package import Products

/// Saves every success of its upstream, so that it can be served when the upstream is gone.
///
/// No answer fails with its save; the saver reports failures. Only a confirmed catalogue is saved, since the newest in the
/// store is served after a restart: no substitute for a failure, none that an operator has pinned, and none that could not be
/// compared with the stored one.
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

public import Configuration
internal import Locks
public import Persistence
public import Products

/// Saves every success of its upstream, so that it can be served when the upstream is gone.
///
/// No answer waits for its save or fails with it: the save follows behind it, and the store reports what becomes of it.
/// A substitute that a fallback below gave for a failure is no success, and does not replace what is stored. What the
/// store holds goes to the upstream as the request's last good snapshot, so that a catalogue that shrank while the
/// service was down is recognised.
public final class CachingProductsProviderDecorator: ProductsProvider {
    /// `type: caching` in the `providers:` section.
    public static let spec = ComponentSpec<ProviderFamily>(
        type: "caching",
        summary: "saves every success to a store; a failing save never fails the answer",
        fields: [
            .required("store", .component(StoreFamily.self), "where successes are saved"),
            .required("upstream", .component(ProviderFamily.self), "the provider that is asked"),
        ],
        example: """
            { type: caching, store: { type: json_file, directory: /var/lib/larder }, \
            upstream: { type: http, request: { base_url: "http://shop.example" } } }
            """,
        plan: { reader in
            let store = reader.component("store", StoreFamily.self)
            let upstream = reader.component("upstream", ProviderFamily.self)
            checkVariations(upstream.outline.variations, reader)
            let name = reader.name
            return { assembly in
                CachingProductsProviderDecorator(
                    name: name, upstream: try upstream.instantiate(in: assembly),
                    store: try store.instantiate(in: assembly))
            }
        })

    /// A store has room for one catalogue, and what is read from it goes to whoever asks.
    private static func checkVariations(_ variations: [RequestVariation], _ reader: FieldReader) {
        guard let header = variations.first?.header else { return }
        reader.report(
            .error, at: "upstream",
            "answers from here vary by the header \"\(header)\", and one store cannot keep them apart; "
                + "put \"caching\" below what decides by it")
    }

    /// How long the first answer waits for what the store holds.
    private static let patience = Duration.seconds(2)

    private let name: String
    private let upstream: any ProductsProvider
    private let store: any ProductsStore
    /// What was accepted last, or else stored.
    private let lastGood = Mutex<ProductsSnapshot?>(nil)

    /// Decorates `upstream`.
    ///
    /// - Parameter name: the node's name on trails.
    public init(name: String = "caching", upstream: any ProductsProvider, store: any ProductsStore) {
        self.name = name
        self.upstream = upstream
        self.store = store
    }

    /// The upstream's answer, which is saved behind it.
    public func products(for request: ProductsRequest) async throws -> ProductsAnswer {
        let answer = try await upstream.products(for: await withLastGood(request))
        guard answer.failure == nil else { return answer.adding(TrailStep(node: name, outcome: .skipped)) }
        lastGood.withLock { $0 = answer.snapshot }
        store.saveLater(answer.snapshot)
        return answer.adding(TrailStep(node: name, outcome: .saving))
    }

    private func withLastGood(_ request: ProductsRequest) async -> ProductsRequest {
        guard request.lastGood == nil else { return request }
        var request = request
        request.lastGood = await known(by: request)
        return request
    }

    /// The store is asked until it, or the upstream, has given something. A disk that does not answer is no reason not
    /// to ask the upstream.
    private func known(by request: ProductsRequest) async -> ProductsSnapshot? {
        if let known = lastGood.withLock({ $0 }) { return known }
        var question = request
        let end = ContinuousClock.now + Self.patience
        question.deadline = request.deadline.map { min($0, end) } ?? end
        guard let stored = try? await store.products(for: question).snapshot else { return nil }
        return lastGood.withLock { lastGood in
            lastGood = lastGood ?? stored
            return lastGood
        }
    }
}

public import Configuration
internal import FoundationEssentials
public import Logging
internal import Persistence
public import Products
internal import Synchronization

/// Saves every success of its upstream, so that it can be served when the upstream is gone.
///
/// A failing save never fails the answer: it is noted on the trail and logged once per row of failures. A substitute
/// that a fallback below gave for a failure is no success, and does not replace what is stored. What the store holds
/// goes to the upstream as the request's last good snapshot, so that a catalogue that shrank while the service was down
/// is recognised.
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
                    store: try store.instantiate(in: assembly), logger: assembly.resource(Logger.self))
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

    private let name: String
    private let upstream: any ProductsProvider
    private let store: any ProductsProvider & ProductsSaver
    private let logger: Logger
    private let isFailing = Atomic(false)

    /// Decorates `upstream`.
    ///
    /// - Parameter name: the node's name on trails and in the log.
    public init(
        name: String = "caching", upstream: any ProductsProvider, store: any ProductsProvider & ProductsSaver,
        logger: Logger
    ) {
        self.name = name
        self.upstream = upstream
        self.store = store
        self.logger = logger
    }

    /// The upstream's answer, saved.
    public func products(for request: ProductsRequest) async throws -> ProductsAnswer {
        let answer = try await upstream.products(for: await withLastGood(request))
        let outcome = answer.failure == nil ? await save(answer.snapshot) : .skipped
        return answer.adding(TrailStep(node: name, outcome: outcome))
    }

    private func withLastGood(_ request: ProductsRequest) async -> ProductsRequest {
        guard request.lastGood == nil else { return request }
        var request = request
        request.lastGood = try? await store.products(for: request).snapshot
        return request
    }

    private func save(_ snapshot: ProductsSnapshot) async -> TrailOutcome {
        do {
            try await store.save(snapshot)
            if isFailing.exchange(false, ordering: .relaxed) {
                logger.notice("store recovered", metadata: ["provider": "\(name)"])
            }
            return .saved
        } catch {
            if !isFailing.exchange(true, ordering: .relaxed) {
                logger.warning(
                    "products are served but cannot be saved", metadata: ["provider": "\(name)", "error": "\(error)"])
            }
            return .saveFailed
        }
    }
}

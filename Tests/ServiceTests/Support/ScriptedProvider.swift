import Concurrency
import Configuration
import FoundationEssentials
import Products
internal import Wiring

@testable import Service

/// Gives the outcome that the test sets, and counts how often it was asked.
final class ScriptedProvider: ProductsProvider {
    private let state: Mutex<(outcome: Result<ProductsAnswer, any Error>, asked: Int)>
    /// The date of answers when they are given; nil for answers that keep their date.
    private let now: (@Sendable () -> Date)?

    init(_ outcome: Result<ProductsAnswer, any Error>) {
        state = Mutex((outcome, 0))
        now = nil
    }

    /// A source that has this catalogue, fetched whenever it is asked.
    init(_ catalogue: Catalogue, now: @escaping @Sendable () -> Date) {
        state = Mutex((.success(makeAnswer(catalogue)), 0))
        self.now = now
    }

    var outcome: Result<ProductsAnswer, any Error> {
        get { state.withLock(\.outcome) }
        set { state.withLock { $0.outcome = newValue } }
    }

    var asked: Int { state.withLock(\.asked) }

    func serve(_ names: [String]) throws { outcome = .success(makeAnswer(try makeCatalogue(names))) }

    /// Fails like an upstream that answers 503.
    func fail() { outcome = .failure(ProductsFailure.upstreamStatus(503, retryAfter: nil)) }

    func products(for request: ProductsRequest) async throws -> ProductsAnswer {
        let outcome = state.withLock { state in
            state.asked += 1
            return state.outcome
        }
        let answer = try outcome.get()
        return now.map { makeAnswer(answer.snapshot.catalogue, fetchedAt: $0()) } ?? answer
    }

    /// The type by which a config names this provider.
    func spec(_ type: String) -> ComponentSpec<ProviderFamily> {
        ComponentSpec<ProviderFamily>(
            type: type, summary: "a scripted upstream", fields: [], example: "{ type: \(type) }"
        ) { _ in { _ in self } }
    }
}

extension LoadedConfiguration {
    /// A config in which provider types of a test stand beside the service's own.
    static func checked(
        _ yaml: String, adding specs: [ComponentSpec<ProviderFamily>]
    ) throws(ConfigurationError) -> LoadedConfiguration {
        try checked(yaml) { $0.register(ProviderFamily.self, specs) }
    }

    /// A config in which component types of a test stand beside the service's own.
    static func checked(
        _ yaml: String, adding add: (inout ComponentRegistry) -> Void
    ) throws(ConfigurationError) -> LoadedConfiguration {
        var registry = ComponentRegistry.everyFamily
        add(&registry)
        return try LoadedConfiguration.check(
            try ConfigDocument.parse(yaml, file: "test.yaml", environment: [:]), registry: registry)
    }
}

public import Configuration
public import Products

/// At most so many questions at once to what is below.
///
/// Those that come while all places are taken wait in the order in which they came, as long as the queue has room, and
/// fail at once when it has none. A caller that is cancelled leaves the queue. How long one may wait is for a `timeout`
/// above to say.
public struct ConcurrencyLimitProductsProviderDecorator: ProductsProvider {
    /// `type: concurrency_limit` in the `providers:` section.
    public static let spec = ComponentSpec<ProviderFamily>(
        type: "concurrency_limit",
        summary: "at most max questions at once; the rest wait in a queue, or fail at once",
        fields: [
            .required("max", .integer, "how many may be under way at once"),
            .defaulted("queue", .integer, "0", "how many more may wait for a place"),
            .required("upstream", .component(ProviderFamily.self), "the provider that is asked"),
        ],
        example: """
            { type: concurrency_limit, max: 10, queue: 100, \
            upstream: { type: http, request: { base_url: "http://shop.example" } } }
            """,
        plan: { reader in
            let places = reader.integer("max", in: 1...)
            let queue = reader.integer("queue", in: 0...)
            let upstream = reader.component("upstream", ProviderFamily.self)
            return { assembly in
                ConcurrencyLimitProductsProviderDecorator(
                    upstream: try upstream.instantiate(in: assembly),
                    gate: assembly.state(ifUnchanged: .settings) { ConcurrencyGate(places: places, queue: queue) })
            }
        })

    private let upstream: any ProductsProvider
    private let gate: ConcurrencyGate

    /// Decorates `upstream`.
    ///
    /// - Parameters:
    ///   - max: how many questions may be under way at once, 1 at least.
    ///   - queue: how many more may wait.
    public init(upstream: any ProductsProvider, max: Int, queue: Int = 0) {
        self.init(upstream: upstream, gate: ConcurrencyGate(places: max, queue: queue))
    }

    /// Decorates `upstream`, behind a gate through which others may have gone before.
    init(upstream: any ProductsProvider, gate: ConcurrencyGate) {
        self.upstream = upstream
        self.gate = gate
    }

    /// The upstream's answer; throws `ProductsFailure.overloaded` where there is no place.
    public func products(for request: ProductsRequest) async throws -> ProductsAnswer {
        try await gate.enter()
        defer { gate.leave() }
        return try await upstream.products(for: request)
    }
}

extension ConcurrencyLimitProductsProviderDecorator: LiveStateReporting {
    /// How many questions are under way, and how many wait.
    public var liveState: [LiveStateEntry] {
        let (inside, waiting) = gate.occupancy
        return [LiveStateEntry("in_flight", "\(inside)"), LiveStateEntry("waiting", "\(waiting)")]
    }
}

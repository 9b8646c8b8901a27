package import Concurrency
internal import FoundationEssentials
package import Products

/// Limits on the age of a served snapshot. The windows follow RFC 5861: both begin where freshness ends.
package struct FreshnessPolicy: Sendable, Hashable {
    /// The age up to which the snapshot is served without a refresh.
    package var ttl: Duration
    /// The time after `ttl` during which the snapshot is served at once while a refresh runs behind the answer.
    package var staleWhileRevalidate: Duration
    /// The time after `ttl` during which the snapshot is served when the refresh fails.
    package var staleIfError: Duration
    /// The pause after the first failed refresh; it doubles with each further failure.
    package var holdOff: Duration
    var longestHoldOff = Duration.seconds(30)
    /// The longest wait of a request for a refresh while a stale snapshot may be served.
    package var maxWait: Duration
    /// Whether the end of freshness starts a refresh, and not the first request after it.
    package var refreshesInBackground = false

    package init(
        ttl: Duration = .seconds(30), staleWhileRevalidate: Duration = .seconds(60),
        staleIfError: Duration = .seconds(7 * 86400), holdOff: Duration = .seconds(1), maxWait: Duration = .seconds(3)
    ) {
        self.ttl = ttl
        self.staleWhileRevalidate = staleWhileRevalidate
        self.staleIfError = staleIfError
        self.holdOff = holdOff
        self.maxWait = maxWait
    }

    /// The age up to which a snapshot may be served at all.
    var longestUse: Duration { ttl + max(staleWhileRevalidate, staleIfError) }
}

/// The variants of one `memory`: one for each variant of the requests, made on first use.
///
/// After a reload the variants start with copies of their predecessor's snapshots, so that a refused graph does not
/// affect the one that stays in force.
package final class MemoryVariants: Sendable {
    let division: VariantKey
    let policy: FreshnessPolicy
    let node: String
    /// The clock of all times in the variants; a successor continues it.
    let uptime: Uptime
    let signal: CatalogueSignal
    /// The variants with a known request, in the order of their first request, for background refreshes.
    let (refreshable, becameRefreshable) = AsyncStream.makeStream(of: CatalogueInForce.self)
    private let variants = Mutex<[VariantKey.Key: CatalogueInForce]>([:])

    /// - Parameters:
    ///   - uptime: the clock, unless there is a predecessor.
    ///   - signal: signals the catalogues that come into force.
    ///   - previous: the predecessor's variants. They are ignored if it divided the requests differently, because a key
    ///     would then stand for other requests.
    ///   - isElsewhere: whether the graph below has changed since the predecessor, so that it is asked at once.
    package init(
        division: VariantKey, policy: FreshnessPolicy, node: String, uptime: Uptime,
        signal: CatalogueSignal = CatalogueSignal(), following previous: MemoryVariants? = nil,
        isElsewhere: Bool = false
    ) {
        self.division = division
        self.policy = policy
        self.node = node
        self.signal = signal
        self.uptime = previous?.uptime ?? uptime
        guard let previous, previous.division.identity == division.identity else { return }
        for (key, old) in previous.variants.withLock({ $0 }) {
            let (memory, override, headers) = old.withLock { ($0.memory, $0.override, $0.headers) }
            let variant = variant(key) {
                CatalogueInForce(
                    memory: memory.copied(policy, node: node, isDue: isElsewhere), override: override, signal: signal)
            }
            if let headers, division.key(of: ProductsRequest(headers: headers)) == key {
                variant.withLock { record(headers, of: variant, &$0) }
            }
        }
    }

    var all: [CatalogueInForce] { variants.withLock { Array($0.values) } }

    /// Returns the variant with this key; makes it empty if there is none.
    func variant(_ key: VariantKey.Key) -> CatalogueInForce {
        variant(key) { CatalogueInForce(memory: MemoryState(policy: policy, node: node), signal: signal) }
    }

    /// Records the deciding headers of a request of the variant. The caller holds the variant's lock.
    func record(_ headers: [String: String], of variant: CatalogueInForce, _ state: inout CatalogueInForce.State) {
        guard state.headers == nil else { return }
        state.headers = headers
        becameRefreshable.yield(variant)
    }

    private func variant(_ key: VariantKey.Key, _ make: () -> CatalogueInForce) -> CatalogueInForce {
        variants.withLock { variants in
            if let variant = variants[key] { return variant }
            let variant = make()
            variants[key] = variant
            return variant
        }
    }
}

/// Divides requests into variants, each of which gets the same answer from a part of the graph.
package struct VariantKey: Sendable {
    /// Identifies a variant of the requests: the variant of each variation, in their order.
    typealias Key = [String]

    private let variations: [RequestVariation]

    /// Divides by the variations of a graph's answers; without any, all requests are one variant.
    package init(_ variations: [RequestVariation] = []) {
        self.variations = variations
    }

    /// Whether all requests get the same answer.
    var isWhole: Bool { variations.isEmpty }

    /// Equal for divisions in which a key stands for the same requests. Requests that the config does not distinguish
    /// count as the same, such as the subjects of one arm of an experiment whose share has changed.
    var identity: [[String]] { variations.map { [$0.header, $0.rule] + $0.variants } }

    /// Returns the variant that a request belongs to.
    func key(of request: ProductsRequest) -> Key {
        variations.map { $0.variant(request.headers[$0.header]) }
    }

    /// Returns only those headers of a request that decide its variant.
    func headers(of request: ProductsRequest) -> [String: String] {
        guard !isWhole else { return [:] }
        return request.headers.filter { header in variations.contains { $0.header == header.key } }
    }
}

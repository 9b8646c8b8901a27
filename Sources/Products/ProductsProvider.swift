package import Tracing

/// Provides products: the protocol of every source, strategy and decorator of the graph.
///
/// A provider either answers with a whole catalogue or throws a ``ProductsFailure``; an empty catalogue never means
/// "none". Many tasks may call it at once. It runs on its caller's executor, usually an event loop, so work of more
/// than a millisecond moves to the global concurrent executor.
public protocol ProductsProvider: Sendable {
    /// Answers the request.
    func products(for request: ProductsRequest) async throws -> ProductsAnswer
}

/// Keeps products for the time when their source is unreachable.
///
/// A saver either keeps the whole snapshot or throws and keeps the previous one.
public protocol ProductsSaver: Sendable {
    /// Keeps the snapshot, and replaces the previous one once this is safe.
    func save(_ snapshot: ProductsSnapshot) async throws
}

/// The input of a provider's decisions. The route builds it from the HTTP headers that the graph consults.
public struct ProductsRequest: Sendable {
    /// The present request headers that the graph consults, by lower-case name.
    package var headers: [String: String]
    /// Whether the client opted out of analytics.
    package var analyticsOptOut: Bool
    /// When the caller stops waiting.
    package var deadline: ContinuousClock.Instant?
    /// Whether caches on the way to the source have to revalidate, because an operator or a hook announced a change.
    package var revalidates: Bool
    /// The catalogue that the caller has. A provider with a newer one returns that without asking its upstream.
    package var known = CatalogueMark.none
    /// The client's request for which it is made, for logs and upstreams; nil for the service's own work.
    package var cause: (any RequestIdentitySource)?
    /// Records its path through the graph; usually nil.
    package var explanation: Explanation?
    /// The operator's order that it carries out; usually nil.
    package var order: RefreshOrder?
    /// Whether it refreshes a kept answer, for no client in particular.
    package var isRefresh = false

    /// Creates a request; by default without headers, options and deadline.
    package init(
        headers: [String: String] = [:], analyticsOptOut: Bool = false,
        deadline: ContinuousClock.Instant? = nil, revalidates: Bool = false
    ) {
        self.headers = headers
        self.analyticsOptOut = analyticsOptOut
        self.deadline = deadline
        self.revalidates = revalidates
    }
}

/// The rules of a refresh out of turn.
package struct RefreshOrder: Sendable, Hashable {
    /// Whether the upstream is asked in spite of a pause after failures or an open circuit breaker.
    package var isForced: Bool
    /// Whether a running refresh is superseded instead of awaited, since it began too early.
    package var supersedes: Bool

    package init(isForced: Bool = false, supersedes: Bool = false) {
        (self.isForced, self.supersedes) = (isForced, supersedes)
    }

    /// Whether caches before the source may not answer; see ``ProductsRequest/revalidates``.
    package var revalidates: Bool { isForced || supersedes }

    /// Whether it puts an operator's choice into force, without waiting for an unreachable upstream.
    package var isUrgent: Bool { isForced && supersedes }
}

/// The position of a catalogue in the sequence of one provider. Small, since answers are copied often.
package struct CatalogueMark: Sendable, Hashable {
    private let value: UInt64

    package static let none = CatalogueMark(0, of: 0)
    /// The mark in the request of a caller that keeps answers and has none.
    package static let nothing = CatalogueMark(0, of: .max)

    /// - Parameter giver: the provider's number, a random one.
    package init(_ number: Int, of giver: UInt32) {
        value = UInt64(giver) << 32 | UInt64(UInt32(truncatingIfNeeded: number))
    }

    /// The number, if it is of this provider; 0 for no catalogue, and nil for another provider's.
    package func number(of giver: UInt32) -> Int? {
        if self == .none || self == .nothing { return 0 }
        return value >> 32 == giver ? Int(UInt32(truncatingIfNeeded: value)) : nil
    }
}

/// Tracing of a request through the graph: the recorder, and the current span.
package struct Explanation: Sendable {
    /// Records every provider that is asked.
    package let recorder: any ExplanationRecorder
    /// The span that asks the next provider; nil before the first.
    package let span: ExplanationSpan?

    /// Creates a position; without a span, the one before the graph.
    package init(recorder: any ExplanationRecorder, span: ExplanationSpan? = nil) {
        self.recorder = recorder
        self.span = span
    }
}

/// Records the path of a request through the graph.
///
/// Spans may overlap and end in any order, also after the request.
package protocol ExplanationRecorder: AnyObject, Sendable {
    /// Records that a provider is asked.
    ///
    /// - Parameters:
    ///   - node: the provider's name in its graph.
    ///   - parent: the span of the provider that asks; nil for the first one.
    func begin(_ node: String, within parent: ExplanationSpan?) -> ExplanationSpan

    /// Records the answer or failure of a provider.
    func end(_ span: ExplanationSpan, with outcome: Result<ProductsAnswer, any Error>)
}

/// Identifies a span in its recorder.
public struct ExplanationSpan: Sendable, Hashable {
    /// Counted from 0.
    package let index: Int

    package init(index: Int) {
        self.index = index
    }
}

/// A dependence of answers on a request header.
///
/// A header has any number of values but few variants: `audience` has one for each case, `ab_test` one for each arm. A
/// provider that keeps answers keeps one for each variant.
package struct RequestVariation: Sendable {
    /// The header's name, in lower case.
    package let header: String
    /// Distinguishes rules that divide the same header into the same variants, such as an experiment's name.
    package let rule: String
    /// All variants. Kept answers survive a reload only if header, rule and variants are unchanged: anything else
    /// divides the requests differently.
    package let variants: [String]
    /// Maps a value to the index of one of `variants`; nil stands for a request without the header.
    package let index: @Sendable (String?) -> Int

    /// A variation by a header, whose name may be in any case.
    package init(header: String, rule: String, variants: [String], index: @escaping @Sendable (String?) -> Int) {
        self.header = header.lowercased()
        self.rule = rule
        self.variants = variants
        self.index = index
    }

    /// The variant of a request with this value of the header.
    package func variant(_ value: String?) -> String { variants[index(value)] }
}

/// Asks the graph for products, and marks popular ones.
package struct ProductsUseCase: Sendable {
    private let provider: any ProductsProvider
    private let popularity: PopularityRule

    /// Creates a use case for the graph with this root.
    package init(provider: some ProductsProvider, popularity: PopularityRule = PopularityRule()) {
        self.provider = provider
        self.popularity = popularity
    }

    /// Answers the request.
    package func products(for request: ProductsRequest) async throws -> ProductsListing {
        listing(try await provider.products(for: request))
    }

    /// Returns the listing for an answer of the graph or of a lease.
    package func listing(_ answer: ProductsAnswer) -> ProductsListing {
        ProductsListing(answer: answer, popularity: popularity)
    }

    /// Marks the products of a catalogue, and those within bundles. A product is popular if its sales exceed the rule's
    /// bound.
    ///
    /// The result depends on the revision and the rule only, takes some milliseconds for ten thousand products, and is
    /// not kept: call it once per revision, off the event loops.
    /// - Parameter earlier: an earlier listing, from which unchanged products are copied.
    package static func marked(
        _ catalogue: Catalogue, by rule: PopularityRule, after earlier: EarlierListing? = nil
    ) -> ListedCatalogue {
        ListedCatalogue(catalogue, by: rule, after: earlier) { sales in sales > rule.salesOver }
    }
}

/// An answer of the graph, and the rule that marks its popular products.
package struct ProductsListing: Sendable {
    package let answer: ProductsAnswer
    package let popularity: PopularityRule

    /// Encodes the products for clients; see ``ProductsUseCase/marked(_:by:after:)``.
    package func encoded(after earlier: EarlierListing? = nil) -> ListedCatalogue {
        ProductsUseCase.marked(answer.snapshot.catalogue, by: popularity, after: earlier)
    }
}

/// A lease on a graph, held by everything that may still ask its providers: the edition that lets requests in, and each
/// provider itself.
///
/// It is a resource of the assembly that makes the graph. Providers hold it because a refresh behind an answer belongs to
/// no request: it holds the provider that it asks until it has ended. So nothing logs to a sink, or saves to a store, of
/// a graph that is vacant. Providers that are taken over after a reload hold the lease of the new graph. Providers that
/// are not observed hold none.
public final class GraphLease: Sendable {
    /// Comes when the last holder has let go.
    public let vacancy = GraphDrained()

    /// Makes the lease of a graph that is about to be made.
    public init() {}

    deinit {
        vacancy.declare()
    }
}

/// The moment after which a graph is not asked any more. See `GraphLease`.
public struct GraphDrained: Sendable {
    private let waiting: AsyncStream<Never>
    private let end: AsyncStream<Never>.Continuation

    /// Makes a moment that has not come.
    public init() {
        (waiting, end) = AsyncStream.makeStream(of: Never.self)
    }

    /// Declares that it has come. Further calls have no effect.
    public func declare() {
        end.finish()
    }

    /// Returns when it has come. Only one task may wait.
    public func wait() async {
        for await _ in waiting {}
    }
}

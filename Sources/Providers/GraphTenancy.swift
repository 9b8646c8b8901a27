/// What everybody holds who may still ask something of a graph: whoever lets requests in, and each of its providers.
///
/// It is a resource of the assembly that makes the graph. The providers count because a request is not all that asks:
/// a refresh behind an answer belongs to no request, and holds the provider that it asks until it has ended. So nothing
/// logs to a sink, or saves to a store, of a graph that is vacant. Providers that are not observed do not hold it.
public final class GraphTenancy: Sendable {
    /// Comes when the last one has let go.
    public let vacancy = GraphVacancy()

    /// The tenancy of a graph that is about to be made.
    public init() {}

    deinit {
        vacancy.declare()
    }
}

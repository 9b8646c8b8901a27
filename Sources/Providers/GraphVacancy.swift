/// The moment from which on nothing can be asked of a graph any more. See `GraphTenancy`.
public struct GraphVacancy: Sendable {
    private let waiting: AsyncStream<Never>
    private let end: AsyncStream<Never>.Continuation

    /// A moment that has not come.
    public init() {
        (waiting, end) = AsyncStream.makeStream(of: Never.self)
    }

    /// Says that it has come. More than once does no harm.
    public func declare() {
        end.finish()
    }

    /// Returns when it has come. For one task only.
    public func wait() async {
        for await _ in waiting {}
    }
}

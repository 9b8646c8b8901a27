/// Where products come from: the one method that every source, strategy and decorator of the graph conforms to.
///
/// A provider either answers with a whole catalogue or throws a ``ProductsFailure``; it never answers with an empty
/// catalogue to mean "I have none". It may be asked by many tasks at once. It runs on its caller's executor, which is
/// usually an event loop, so whatever takes over a millisecond moves itself to the global concurrent executor.
public protocol ProductsProvider: Sendable {
    /// The catalogue as this provider has it for the request.
    func products(for request: ProductsRequest) async throws -> ProductsAnswer
}

/// Follows a request through the graph: it is told when a provider is asked, and what came of it.
///
/// Visits on one way may begin and end at the same time, and in any order. A visit may end after the request did.
public protocol ExplanationRecorder: AnyObject, Sendable {
    /// A provider is asked.
    ///
    /// - Parameters:
    ///   - node: what the provider is known by in its graph.
    ///   - parent: the visit of the provider that asks it; nil for the first one.
    func begin(_ node: String, within parent: ExplanationVisit?) -> ExplanationVisit

    /// The provider of a visit has answered or failed.
    func end(_ visit: ExplanationVisit, with outcome: Result<ProductsAnswer, any Error>)
}

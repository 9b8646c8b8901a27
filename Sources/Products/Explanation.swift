/// A request's place on its way through the graph, as seen by the recorder that follows it.
public struct Explanation: Sendable {
    /// What is told of every provider that is asked.
    public let recorder: any ExplanationRecorder
    /// The visit that asks further from here; nil before the first.
    public let visit: ExplanationVisit?

    /// A place; without a visit, the place before the graph.
    public init(recorder: any ExplanationRecorder, visit: ExplanationVisit? = nil) {
        self.recorder = recorder
        self.visit = visit
    }
}

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

/// What a recorder knows one visit by.
public struct ExplanationVisit: Sendable, Hashable {
    /// Which of the visits that the recorder was told of, from 0.
    public let index: Int

    /// A visit.
    public init(index: Int) {
        self.index = index
    }
}

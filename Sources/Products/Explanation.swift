/// Tracing of a request through the graph: the recorder, and the current span.
package struct Explanation: Sendable {
    /// Records every provider that is asked.
    package let recorder: any ExplanationRecorder
    /// The visit that asks the next provider; nil before the first.
    package let visit: ExplanationVisit?

    /// Creates a position; without a visit, the one before the graph.
    package init(recorder: any ExplanationRecorder, visit: ExplanationVisit? = nil) {
        self.recorder = recorder
        self.visit = visit
    }
}

/// Records the way of a request through the graph.
///
/// Visits may overlap and end in any order, also after the request.
package protocol ExplanationRecorder: AnyObject, Sendable {
    /// Records that a provider is asked.
    ///
    /// - Parameters:
    ///   - node: the provider's name in its graph.
    ///   - parent: the visit of the provider that asks; nil for the first one.
    func begin(_ node: String, within parent: ExplanationVisit?) -> ExplanationVisit

    /// Records the answer or failure of a provider.
    func end(_ visit: ExplanationVisit, with outcome: Result<ProductsAnswer, any Error>)
}

/// A recorder's number of one visit.
public struct ExplanationVisit: Sendable, Hashable {
    /// Counted from 0.
    package let index: Int

    package init(index: Int) {
        self.index = index
    }
}

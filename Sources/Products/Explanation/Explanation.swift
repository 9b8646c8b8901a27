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

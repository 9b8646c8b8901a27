/// What a recorder knows one visit by.
public struct ExplanationVisit: Sendable, Hashable {
    /// Which of the visits that the recorder was told of, from 0.
    public let index: Int

    /// A visit.
    public init(index: Int) {
        self.index = index
    }
}

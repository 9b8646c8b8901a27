/// Why a page cannot be cut where a cursor says.
public enum PageCursorProblem: Error, Sendable, Hashable, CaseIterable, CustomStringConvertible {
    /// It is no text that was given out as a cursor.
    case malformed
    /// It was given out with a page of other filters or another order.
    case ofAnotherQuery
    /// It was given out with a page of a catalogue that has been replaced since.
    case ofAnotherRevision

    /// The sentence for clients.
    public var description: String {
        switch self {
        case .malformed: "it is not one that an earlier page gave"
        case .ofAnotherQuery: "it belongs to a query with other filters or another order"
        case .ofAnotherRevision: "it belongs to a catalogue that has been replaced; begin again with the first page"
        }
    }
}

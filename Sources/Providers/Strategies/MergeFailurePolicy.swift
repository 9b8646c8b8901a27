/// What `merge` does when one of its providers fails.
public enum MergeFailurePolicy: String, Sendable, CaseIterable {
    /// The failure is the answer: there is a whole catalogue or none.
    case fail
    /// The catalogue is joined of what the others have, and the trail says what is missing.
    case omit
}

/// What happens to an item that cannot be decoded.
public enum BadItemPolicy: String, Sendable, CaseIterable {
    /// The whole document is refused.
    case reject
    /// The item is left out and reported. A document of which no item is good is refused all the same.
    case skip
}

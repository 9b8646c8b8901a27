/// What happens to an item whose type names no kind of product.
public enum UnknownKindPolicy: String, Sendable, CaseIterable {
    /// The catalogue is refused.
    case reject
    /// The item is left out.
    case skip
}

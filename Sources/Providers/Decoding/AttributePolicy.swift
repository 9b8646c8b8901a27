/// Which members of an item become attributes, and so public, of those that are neither mapped nor named by the kind.
public enum AttributePolicy: Sendable, Hashable {
    /// All of them.
    case keep
    /// None.
    case drop
    /// Those with these names. Only this is safe with an upstream whose items may one day have more members.
    case only(Set<String>)

    /// Whether a member with this name becomes an attribute.
    func keeps(_ name: String) -> Bool {
        switch self {
        case .keep: true
        case .drop: false
        case .only(let names): names.contains(name)
        }
    }
}

/// What of a component has to be as it was before a reload, for its state to stay good.
public enum ComponentPart: Sendable {
    /// Its type alone: the state depends on nothing that the config says.
    case type
    /// Its own fields; what it is built on may be another, within it or referred to.
    case settings
    /// Its own fields and everything that it is built on: the state is knowledge about what is below.
    case branch

    /// Whether this part of two components of one type is the same.
    func isSame(in old: ComponentOutline, _ new: ComponentOutline) -> Bool {
        switch self {
        case .type: true
        case .settings: old.hasSameSettings(as: new)
        case .branch: old.isSame(as: new)
        }
    }
}

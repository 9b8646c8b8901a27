/// In which notation the store commands tell of generations.
public enum StoreFormat: String, Sendable, CaseIterable {
    /// For a terminal.
    case text
    /// For scripts.
    case json
}

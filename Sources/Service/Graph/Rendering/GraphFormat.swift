/// In which notation a graph is shown.
public enum GraphFormat: String, Sendable, CaseIterable {
    /// A tree for a terminal or a log.
    case text
    /// A flowchart that Markdown renderers draw.
    case mermaid
    /// Graphviz.
    case dot
}

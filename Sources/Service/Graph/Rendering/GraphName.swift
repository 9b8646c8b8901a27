internal import Configuration

/// What a component is called where a graph is shown.
struct GraphName {
    /// On one line: the label with the type behind it, or the type alone.
    let short: String
    /// On one line or two: the label above the type, or the type alone.
    let lines: [String]

    init(_ outline: ComponentOutline) {
        if let label = outline.label {
            short = "\(label) (\(outline.type))"
            lines = [label, outline.type]
        } else {
            short = outline.type
            lines = [outline.type]
        }
    }
}

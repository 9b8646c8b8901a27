internal import Configuration

/// A graph in the language of Graphviz: every component once, the edges named by role.
struct GraphDot {
    /// The digraph, whose last line has its end.
    let text: String

    /// The digraph of a component and all below it.
    init(_ root: ComponentOutline) {
        let nodes = root.shown
        var lines = ["digraph larder {", "    node [fontname=\"sans-serif\"];", "    edge [fontname=\"sans-serif\"];"]
        for node in nodes {
            let label = GraphName(node).lines.map(Self.escaped).joined(separator: "\\n")
            lines.append("    \(Self.quoted(node.id)) [label=\"\(label)\", shape=\(Self.shape(of: node.family))];")
        }
        for node in nodes {
            for child in node.shownChildren {
                let (from, to) = (Self.quoted(node.id), Self.quoted(child.outline.id))
                lines.append("    \(from) -> \(to) [label=\(Self.quoted(child.role))];")
            }
        }
        text = (lines + ["}"]).map { "\($0)\n" }.joined()
    }

    /// Providers are boxes; what holds something for them is round.
    private static func shape(of family: String) -> String {
        switch family {
        case "provider": "box"
        case "store": "cylinder"
        case "monitor": "hexagon"
        default: "ellipse"
        }
    }

    private static func quoted(_ text: String) -> String { "\"\(escaped(text))\"" }

    private static func escaped(_ text: String) -> String {
        text.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"").replacing("\n", with: " ")
    }
}

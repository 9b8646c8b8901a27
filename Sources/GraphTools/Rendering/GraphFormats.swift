package import Configuration

/// In which notation a graph is shown.
public enum GraphFormat: String, Sendable, CaseIterable {
    /// A tree for a terminal or a log.
    case text
    /// A flowchart that Markdown renderers draw.
    case mermaid
    /// Graphviz.
    case dot
}

extension GraphFormat {
    /// The graph below a component in this notation, whose last line has its end.
    package func render(_ root: ComponentOutline) -> String {
        switch self {
        case .text: GraphText(root).text
        case .mermaid: GraphMermaid(root).text
        case .dot: GraphDot(root).text
        }
    }
}

/// A graph as a tree of lines: every component under its role in the one above it.
///
/// What several refer to is drawn out where it comes first, and referred to by name after that.
package struct GraphText {
    /// The lines, without line ends.
    private(set) var lines: [String] = []
    private var drawn: Set<String> = []

    /// The tree below a component, which is its first line.
    package init(_ root: ComponentOutline) {
        add(root, role: nil, indentation: "", continuation: "")
    }

    /// All lines, each with its end.
    package var text: String { lines.map { "\($0)\n" }.joined() }

    private mutating func add(
        _ outline: ComponentOutline, role: String?, indentation: String, continuation: String
    ) {
        let place = role.map { "\($0): " } ?? ""
        let isNew = drawn.insert(outline.id).inserted
        lines.append(indentation + place + GraphName(outline).short + (isNew ? "" : " (above)"))
        guard isNew else { return }
        let children = outline.shownChildren
        for (index, child) in children.enumerated() {
            let isLast = index == children.count - 1
            add(
                child.outline, role: child.role, indentation: continuation + (isLast ? "└─ " : "├─ "),
                continuation: continuation + (isLast ? "   " : "│  "))
        }
    }
}

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

/// A graph as a Mermaid flowchart: every component once, the edges named by role.
struct GraphMermaid {
    /// The flowchart, whose last line has its end.
    let text: String

    /// The flowchart of a component and all below it.
    init(_ root: ComponentOutline) {
        let nodes = root.shown
        let names = Dictionary(uniqueKeysWithValues: nodes.enumerated().map { ($1.id, "n\($0 + 1)") })
        var lines = ["flowchart TD"]
        for node in nodes {
            let (open, close) = Self.shape(of: node.family)
            let label = GraphName(node).lines.map(Self.escaped).joined(separator: "<br>")
            lines.append("    \(names[node.id, default: ""])\(open)\"\(label)\"\(close)")
        }
        for node in nodes {
            for child in node.shownChildren {
                let (from, to) = (names[node.id, default: ""], names[child.outline.id, default: ""])
                lines.append("    \(from) -->|\"\(Self.escaped(child.role))\"| \(to)")
            }
        }
        text = lines.map { "\($0)\n" }.joined()
    }

    /// Providers are boxes; what holds something for them is round.
    private static func shape(of family: String) -> (String, String) {
        switch family {
        case "provider": ("[", "]")
        case "store": ("[(", ")]")
        case "monitor": ("{{", "}}")
        default: ("([", "])")
        }
    }

    /// Labels come from the config, and Mermaid takes much for markup: all but plain characters become their numbers.
    private static func escaped(_ text: String) -> String {
        text.unicodeScalars.map { scalar in
            let isPlain =
                scalar.properties.isAlphabetic || ("0"..."9").contains(scalar) || " _-.".contains(Character(scalar))
            return isPlain ? String(scalar) : "#\(scalar.value);"
        }.joined()
    }
}

/// What a component is called where a graph is shown.
package struct GraphName {
    /// On one line: the label with the type behind it, or the type alone.
    package let short: String
    /// On one line or two: the label above the type, or the type alone.
    let lines: [String]

    package init(_ outline: ComponentOutline) {
        if let label = outline.label {
            short = "\(label) (\(outline.type))"
            lines = [label, outline.type]
        } else {
            short = outline.type
            lines = [outline.type]
        }
    }
}

extension ComponentOutline {
    /// What the config says that the component is built on. What stands there by default, such as `pagination: single`,
    /// would hide the rest.
    package var shownChildren: [Child] {
        children.filter { child in
            let field = child.role.prefix { $0 != "." && $0 != "[" }
            return settings.given(String(field)) != nil
        }
    }

    /// The component and all that is shown below it, itself first; each once.
    package var shown: [ComponentOutline] {
        var seen: Set<String> = []
        var found: [ComponentOutline] = []
        var open = [self]
        while let next = open.popLast() {
            guard seen.insert(next.id).inserted else { continue }
            found.append(next)
            open += next.shownChildren.reversed().map(\.outline)
        }
        return found
    }
}

extension ComponentOutline {
    /// The settings that operators are shown. What authenticates shows none.
    package var shownSettings: [ComponentSettings.Shown] { family == "auth" ? [] : settings.shown }
}

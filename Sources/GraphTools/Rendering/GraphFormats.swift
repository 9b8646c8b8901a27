package import Configuration

/// A notation in which a graph is shown.
package enum GraphFormat: String, Sendable, CaseIterable {
    /// A tree for a terminal or a log.
    case text
    /// A flowchart that Markdown renderers draw.
    case mermaid

    /// Draws the graph below a component. Every line has its end.
    package func render(_ root: ComponentOutline) -> String {
        let lines =
            switch self {
            case .text: GraphText(root).lines
            case .mermaid: GraphMermaid.lines(of: root)
            }
        return lines.map { "\($0)\n" }.joined()
    }
}

/// A graph as a tree of lines: every component under its role in the one above it.
///
/// A component with several parents is drawn below the first one, and named below the others.
private struct GraphText {
    /// The lines, without line ends.
    private(set) var lines: [String] = []
    private var drawn: Set<String> = []

    package init(_ root: ComponentOutline) {
        add(root, place: "", indentation: "", continuation: "")
    }

    private mutating func add(_ outline: ComponentOutline, place: String, indentation: String, continuation: String) {
        let isNew = drawn.insert(outline.id).inserted
        lines.append(indentation + place + outline.fullName + (isNew ? "" : " (above)"))
        guard isNew else { return }
        let children = outline.shownChildren
        for (index, child) in children.enumerated() {
            let isLast = index == children.count - 1
            add(
                child.outline, place: "\(child.role): ", indentation: continuation + (isLast ? "└─ " : "├─ "),
                continuation: continuation + (isLast ? "   " : "│  "))
        }
    }
}

/// A graph as a Mermaid flowchart: every component once, the edges named by role.
private enum GraphMermaid {
    static func lines(of root: ComponentOutline) -> [String] {
        let nodes = root.shown
        let names = Dictionary(uniqueKeysWithValues: nodes.enumerated().map { ($1.id, "n\($0 + 1)") })
        var lines = ["flowchart TD"]
        for node in nodes {
            let (open, close) = shape(of: node.family)
            let label = node.titles.map(escaped).joined(separator: "<br>")
            lines.append("    \(names[node.id, default: ""])\(open)\"\(label)\"\(close)")
        }
        for node in nodes {
            for child in node.shownChildren {
                let (from, to) = (names[node.id, default: ""], names[child.outline.id, default: ""])
                lines.append("    \(from) -->|\"\(escaped(child.role))\"| \(to)")
            }
        }
        return lines
    }

    private static func shape(of family: String) -> (String, String) {
        switch family {
        case "provider": ("[", "]")
        case "store": ("[(", ")]")
        case "monitor": ("{{", "}}")
        default: ("([", "])")
        }
    }

    /// Replaces all but plain characters by their numbers: labels come from the config, and many characters are markup
    /// in Mermaid.
    private static func escaped(_ text: String) -> String {
        text.unicodeScalars.map { scalar in
            let isPlain =
                scalar.properties.isAlphabetic || ("0"..."9").contains(scalar) || " _-.".contains(Character(scalar))
            return isPlain ? String(scalar) : "#\(scalar.value);"
        }.joined()
    }
}

extension ComponentOutline {
    /// The children that the config file names. Defaults such as `pagination: single` would hide the rest.
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

    /// The settings shown to operators; none of a component that authenticates.
    package var shownSettings: [ComponentSettings.Shown] { family == "auth" ? [] : settings.shown }

    /// The label with the type behind it, or the type alone.
    package var fullName: String { label.map { "\($0) (\(type))" } ?? type }

    /// The lines of a drawn node: the label above the type, or the type alone.
    fileprivate var titles: [String] { [label, type].compactMap(\.self) }
}

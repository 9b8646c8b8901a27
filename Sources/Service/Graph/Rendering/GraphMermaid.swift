internal import Configuration

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

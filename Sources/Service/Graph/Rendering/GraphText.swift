internal import Configuration

/// A graph as a tree of lines: every component under its role in the one above it.
///
/// What several refer to is drawn out where it comes first, and referred to by name after that.
struct GraphText {
    /// The lines, without line ends.
    private(set) var lines: [String] = []
    private var drawn: Set<String> = []

    /// The tree below a component, which is its first line.
    init(_ root: ComponentOutline) {
        add(root, role: nil, indentation: "", continuation: "")
    }

    /// All lines, each with its end.
    var text: String { lines.map { "\($0)\n" }.joined() }

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

internal import Configuration
internal import Providers

/// The providers of a graph as SVG: a box for each, a line for each role. What else a provider uses stands in its box.
struct GraphDrawing {
    /// The `svg` element.
    let svg: String

    init(_ report: GraphReport) {
        let boxes = Self.boxes(report)
        let lines = report.edges.filter { boxes[$0.to] != nil }
            .map { GraphLayout.Line(from: $0.from, to: $0.to, role: $0.role) }
        let ids = report.nodes.map(\.outline.id).filter { boxes[$0] != nil }
        let layout = GraphLayout(ids: ids, lines: lines, heights: boxes.mapValues(\.height))
        let drawnLines = layout.lines.map { GraphLine($0, in: layout, emphasis: GraphEmphasis($0, report)).svg }
        let drawnBoxes = ids.compactMap { id in
            layout.boxes[id].flatMap { boxes[id]?.svg(id: id, at: $0, emphasis: GraphEmphasis(node: id, report)) }
        }
        svg = """
            <svg width="\(layout.size.x)" height="\(layout.size.y)" viewBox="0 0 \(layout.size.x) \(layout.size.y)" \
            role="img" aria-label="the graph of providers">
            <defs>\(GraphEmphasis.allCases.map(Self.arrow).joined())</defs>
            \((drawnLines + drawnBoxes).joined(separator: "\n"))
            </svg>
            """
    }

    private static func boxes(_ report: GraphReport) -> [String: NodeBox] {
        let nodes = Dictionary(uniqueKeysWithValues: report.nodes.map { ($0.outline.id, $0) })
        let uses = Dictionary(grouping: report.edges, by: \.from)
        var boxes: [String: NodeBox] = [:]
        for node in report.nodes where node.outline.family == provider {
            let besides = (uses[node.outline.id] ?? []).compactMap { edge in
                nodes[edge.to].map { (role: edge.role, node: $0) }
            }
            boxes[node.outline.id] = NodeBox(
                node, besides: besides.filter { $0.node.outline.family != provider }, at: report.time)
        }
        return boxes
    }

    private static let provider = ProviderFamily.noun

    private static func arrow(_ emphasis: GraphEmphasis) -> String {
        """
        <marker id="arrow-\(emphasis.rawValue)" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="8" markerHeight="8" \
        markerUnits="userSpaceOnUse" orient="auto"><path class="head \(emphasis.rawValue)" d="M0 0L8 4L0 8z"/></marker>
        """
    }
}

internal import Configuration
internal import Providers
internal import Wiring

/// The providers of a graph as SVG: a box for each provider, a line for each role. Other components that a provider
/// uses are listed in its box.
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

/// A line between two boxes as SVG, with its role beside it.
struct GraphLine {
    let svg: String

    init(_ line: GraphLayout.Line, in layout: GraphLayout, emphasis: GraphEmphasis) {
        guard let from = layout.boxes[line.from], let to = layout.boxes[line.to] else {
            svg = ""
            return
        }
        let start = GraphLayout.Point(
            x: Self.port(of: line, among: layout.lines.filter { $0.from == line.from }, on: from) { line in
                line.lane ?? layout.boxes[line.to]?.middle
            }, y: from.y + from.height)
        let end = GraphLayout.Point(
            x: Self.port(of: line, among: layout.lines.filter { $0.to == line.to }, on: to) { line in
                line.lane ?? layout.boxes[line.from]?.middle
            }, y: to.y)
        let (fromRow, toRow) = (layout.row(of: line.from), layout.row(of: line.to))
        var path = "M\(start.x) \(start.y)V\(layout.rows[fromRow].bottom)"
        var labelled = GraphLayout.Point(x: end.x, y: end.y)
        if let lane = line.lane {
            let (top, bottom) = (layout.rows[fromRow + 1].top, layout.rows[toRow - 1].bottom)
            path += Self.curve(from: start.x, layout.rows[fromRow].bottom, to: lane, top) + "V\(bottom)"
            path += Self.curve(from: lane, bottom, to: end.x, end.y)
            labelled = GraphLayout.Point(x: lane, y: top)
        } else {
            path += Self.curve(from: start.x, layout.rows[fromRow].bottom, to: end.x, end.y)
        }
        let label = line.role == "upstream" ? "" : Self.label(line.role, at: labelled)
        svg = """
            <path class="line \(emphasis.rawValue)" marker-end="url(#arrow-\(emphasis.rawValue))" d="\(path)"/>\(label)
            """
    }

    private static let portGap = 36

    /// The x at which the line meets the box; several lines are placed side by side, in their order.
    private static func port(
        of line: GraphLayout.Line, among lines: [GraphLayout.Line], on box: GraphLayout.Box,
        origin: (GraphLayout.Line) -> Int?
    ) -> Int {
        let before = lines.filter { (origin($0) ?? 0, $0.role) < (origin(line) ?? 0, line.role) }
        let gap = min(portGap, box.width / (lines.count + 1))
        return box.middle + before.count * gap - (lines.count - 1) * gap / 2
    }

    private static func curve(from x: Int, _ y: Int, to endX: Int, _ endY: Int) -> String {
        let bend = (endY - y) / 2
        return "C\(x) \(y + bend) \(endX) \(endY - bend) \(endX) \(endY)"
    }

    private static func label(_ role: String, at point: GraphLayout.Point) -> String {
        "<text class=\"role\" x=\"\(point.x + 7)\" y=\"\(point.y - 10)\">\(HTMLText.escaped(role, upTo: 28))</text>"
    }
}

/// The emphasis of a box or a line, as a class of the page's style; the last of several applicable cases is used.
enum GraphEmphasis: String, CaseIterable {
    case plain
    /// On the path of the last refresh.
    case refreshed
    /// Failed in the last answer or refresh.
    case failed
    /// On the path of the last answer.
    case answered

    init(node id: String, _ report: GraphReport) {
        self.init(report) { $0.nodes.contains(id) }
    }

    init(_ line: GraphLayout.Line, _ report: GraphReport) {
        let step = TracePath.Step(from: line.from, to: line.to)
        self.init(report) { $0.steps.contains(step) }
    }

    private init(_ report: GraphReport, isIn: (TracePath.Part) -> Bool) {
        self =
            if isIn(report.lastAnswer.answered) {
                .answered
            } else if isIn(report.lastAnswer.failed) || isIn(report.lastRefresh.failed) {
                .failed
            } else if isIn(report.lastRefresh.answered) {
                .refreshed
            } else {
                .plain
            }
    }
}

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

    /// Where the line meets the box: several lines meet it side by side, in the order in which they come.
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

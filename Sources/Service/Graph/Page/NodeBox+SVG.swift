extension NodeBox {
    /// The box as SVG.
    func svg(id: String, at box: GraphLayout.Box, emphasis: GraphEmphasis) -> String {
        let x = box.x + Self.padding + 2
        var y = box.y + Self.padding + 12
        var texts = [Self.text(title, x, y)]
        y += Self.titleHeight - Self.lineHeight
        for line in lines {
            y += Self.lineHeight
            texts.append(Self.text(line, x, y))
        }
        return """
            <g class="node \(emphasis.rawValue)" id="\(HTMLText.escaped(id))">\
            <rect x="\(box.x)" y="\(box.y)" width="\(box.width)" height="\(box.height)" rx="6"/>\
            \(texts.joined())</g>
            """
    }

    private static func text(_ line: Line, _ x: Int, _ y: Int) -> String {
        let tip = line.whole.map { "<title>\($0)</title>" } ?? ""
        return "<text class=\"\(line.style)\" x=\"\(x)\" y=\"\(y)\">\(tip)\(line.text)</text>"
    }
}

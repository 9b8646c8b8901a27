internal import Configuration
internal import Fleet
internal import FoundationEssentials
internal import GraphTools
internal import Products
internal import Providers
internal import Serving
internal import Text
internal import Wiring

/// The lines of text in the box of a provider.
struct NodeBox {
    /// One line, shortened for the box.
    struct Line {
        /// A class of the page's style.
        let style: String
        let text: String
        /// The tooltip: a longer text, or the full text of a shortened line.
        let whole: String?

        init(_ style: String, _ text: String, upTo length: Int = NodeBox.lineLength, whole: String? = nil) {
            self.style = style
            self.text = HTMLText.escaped(text, upTo: length)
            self.whole = (whole ?? (text.count > length ? text : nil)).map { HTMLText.escaped($0) }
        }
    }

    static let lineHeight = 16
    static let titleHeight = 22
    static let padding = 10
    private static let lineLength = 34
    private static let titleLength = 24

    let title: Line
    let lines: [Line]

    /// - Parameter besides: the used components that are not providers, by role.
    init(_ node: GraphReport.Node, besides: [(role: String, node: GraphReport.Node)], at time: Date) {
        let outline = node.outline
        title = Line("title", outline.name, upTo: Self.titleLength)
        var lines: [Line] = []
        if outline.label != nil { lines.append(Line("type", outline.type)) }
        lines += outline.shownSettings.map { Line("setting", "\($0.name.split(separator: ".").last ?? "") \($0.text)") }
        lines += besides.map { Line("beside", "\($0.role): \($0.node.outline.fullName)") }
        lines += Self.lines(of: node.counts, at: time)
        if outline.type == MemoryProductsProviderDecorator.spec.type, let ratio = node.counts?.hitRatio {
            lines.append(Line("count", "\(ReadableNumber.percent(ratio)) hits"))
        }
        lines += node.liveState.map { Line("state", Self.text(of: $0)) }
        self.lines = lines
    }

    var height: Int { 2 * Self.padding + Self.titleHeight + lines.count * Self.lineHeight - 4 }

    /// A unit at the end of a name is moved behind the value: `age 12 s`.
    private static func text(of entry: LiveStateEntry) -> String {
        let unit = "_seconds"
        let hasUnit = entry.name.hasSuffix(unit) && entry.value.last?.isNumber == true
        let name = hasUnit ? String(entry.name.dropLast(unit.count)) : entry.name
        return "\(name.replacing("_", with: " ")) \(entry.value)" + (hasUnit ? " s" : "")
    }

    private static func lines(of counts: NodeCounts?, at time: Date) -> [Line] {
        guard let counts else { return [] }
        var text = "\(ReadableNumber.grouped(counts.calls)) \(counts.calls == 1 ? "call" : "calls")"
        if counts.failures > 0 { text += " · \(ReadableNumber.grouped(counts.failures)) failed" }
        if counts.inFlight > 0 { text += " · \(ReadableNumber.grouped(counts.inFlight)) in flight" }
        guard let failure = counts.lastFailure else { return [Line("count", text)] }
        let ago = ReadableNumber.time(.seconds(max(0, time.timeIntervalSince(failure.time))))
        let line = Line("failure", "\(failure.failure.token) \(ago) ago", whole: "\(failure.failure)")
        return [Line("count", text), line]
    }
}

extension NodeBox {
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

/// The facts of a shared store for the page, with a row for each known replica.
struct SharedStorePanel {
    let html: String

    init(_ store: SharedStoreReport, at time: Date) {
        let rows = (store.replicas ?? []).map { replica in
            [
                replica.name + (replica.name == store.fleet.name ? " (this one)" : ""),
                ReadableNumber.grouped(replica.generation), String(replica.revision.prefix(12)),
                ReadableNumber.time(replica.lag), "\(ReadableNumber.time(replica.silence)) ago",
                replica.holdsTurn ? "refreshes" : "",
            ]
        }
        html = """
            <h2>store \(HTMLText.escaped(store.label))</h2>
            \(HTMLText.facts(Self.facts(store, at: time)))
            \(HTMLText.table(["replica", "generation", "revision", "behind", "heard", "turn"], rows))
            """
    }

    private static func facts(_ store: SharedStoreReport, at time: Date) -> [(String, String)] {
        let fleet = store.fleet
        var facts = [
            ("connection", fleet.isConnected ? "up" : "down"),
            ("tier", HTMLText.escaped(store.tiers.joined(separator: " › "))),
            ("turn", HTMLText.escaped(store.holder ?? "nobody")),
            ("generation", fleet.served.map { ReadableNumber.grouped($0.generation) } ?? "–"),
            ("behind", ReadableNumber.time(fleet.lag)),
        ]
        if let newest = fleet.pointer {
            let age = ReadableNumber.time(.seconds(max(0, time.timeIntervalSince(newest.checked))))
            facts.append(("newest", "\(ReadableNumber.grouped(newest.generation)), checked \(age) ago"))
            facts.append(("by", HTMLText.escaped(newest.writer)))
        }
        if let pin = fleet.pin { facts.append(("pinned", "generation \(ReadableNumber.grouped(pin.generation))")) }
        return facts
    }
}

/// Text for HTML and SVG.
enum HTMLText {
    /// A list of names and values; the values are HTML.
    static func facts(_ facts: [(String, String)]) -> String {
        "<dl>\(facts.map { "<div><dt>\($0)</dt><dd>\($1)</dd></div>" }.joined())</dl>"
    }

    /// A table of texts; empty without rows.
    static func table(_ titles: [String], _ rows: [[String]]) -> String {
        if rows.isEmpty { return "" }
        func row(_ cells: [String], _ tag: String) -> String {
            "<tr>\(cells.map { "<\(tag)>\(escaped($0))</\(tag)>" }.joined())</tr>"
        }
        return "<table>\(row(titles, "th"))\(rows.map { row($0, "td") }.joined())</table>"
    }

    /// Escapes a text for elements and quoted attributes.
    static func escaped(_ text: String) -> String {
        var result = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "&": result += "&amp;"
            case "<": result += "&lt;"
            case ">": result += "&gt;"
            case "\"": result += "&quot;"
            case "'": result += "&#39;"
            case "\t", "\n", "\r": result += " "
            default: result.unicodeScalars.append(scalar.isSteering ? "\u{fffd}" : scalar)
            }
        }
        return result
    }

    /// The beginning of a text that is too long, escaped.
    static func escaped(_ text: String, upTo length: Int) -> String {
        escaped(text.count > length ? text.prefix(length - 1) + "…" : text)
    }
}

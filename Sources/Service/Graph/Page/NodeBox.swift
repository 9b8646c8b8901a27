internal import Configuration
internal import FoundationEssentials
internal import Products
internal import Providers

/// The lines of text in the box of a provider.
struct NodeBox {
    /// One line, already fit for the box.
    struct Line {
        /// How it is shown, as a class of the page's style.
        let style: String
        let text: String
        /// What is shown of it on pointing at it, such as the text as a whole where it was cut.
        let whole: String?

        /// - Parameter whole: what there is to say in more words, where that is not the text itself.
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

    /// The box of a provider.
    ///
    /// - Parameters:
    ///   - besides: what it uses that is no provider, by role.
    ///   - time: now.
    init(_ node: GraphReport.Node, besides: [(role: String, node: GraphReport.Node)], at time: Date) {
        let outline = node.outline
        title = Line("title", outline.name, upTo: Self.titleLength)
        var lines: [Line] = []
        if outline.label != nil { lines.append(Line("type", outline.type)) }
        lines += outline.shownSettings.map { Line("setting", "\($0.name.split(separator: ".").last ?? "") \($0.text)") }
        lines += besides.map { Line("beside", "\($0.role): \(GraphName($0.node.outline).short)") }
        lines += Self.lines(of: node.counts, at: time)
        if outline.type == MemoryProductsProviderDecorator.spec.type, let ratio = node.counts?.hitRatio {
            lines.append(Line("count", "\(PageNumber.percent(ratio)) hits"))
        }
        lines += node.liveState.map { Line("state", Self.text(of: $0)) }
        self.lines = lines
    }

    var height: Int { 2 * Self.padding + Self.titleHeight + lines.count * Self.lineHeight - 4 }

    /// A unit at the end of a name goes behind the value: `age 12 s`.
    private static func text(of entry: LiveStateEntry) -> String {
        let unit = "_seconds"
        let hasUnit = entry.name.hasSuffix(unit) && entry.value.last?.isNumber == true
        let name = hasUnit ? String(entry.name.dropLast(unit.count)) : entry.name
        return "\(name.replacing("_", with: " ")) \(entry.value)" + (hasUnit ? " s" : "")
    }

    private static func lines(of counts: NodeCounts?, at time: Date) -> [Line] {
        guard let counts else { return [] }
        var text = "\(PageNumber.grouped(counts.calls)) \(counts.calls == 1 ? "call" : "calls")"
        if counts.failures > 0 { text += " · \(PageNumber.grouped(counts.failures)) failed" }
        if counts.inFlight > 0 { text += " · \(PageNumber.grouped(counts.inFlight)) in flight" }
        guard let failure = counts.lastFailure else { return [Line("count", text)] }
        let ago = PageNumber.time(.seconds(max(0, time.timeIntervalSince(failure.time))))
        let line = Line("failure", "\(failure.failure.token) \(ago) ago", whole: "\(failure.failure)")
        return [Line("count", text), line]
    }
}

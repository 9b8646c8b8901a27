internal import FoundationEssentials
internal import Products
internal import Providers

/// The page that shows the graph in a browser. It fetches itself anew while somebody looks; without scripts it is good
/// as well, and stands still.
struct GraphPage {
    /// The document.
    let html: String

    init(_ report: GraphReport) {
        let state = report.serving.state.rawValue
        html = """
            <!DOCTYPE html>
            <html lang="en">
            <head>
            <meta charset="utf-8">
            <meta name="viewport" content="width=device-width">
            <title>\(state) · larder</title>
            <link rel="icon" href="data:,">
            <style>\(Self.style)</style>
            </head>
            <body>
            <header>
            <h1>larder <span id="state" class="badge \(state)">\(state)</span></h1>
            <p id="lost" role="alert" hidden></p>
            </header>
            <main>
            <p>\(report.serving.state.meaning)</p>
            \(Self.troubles(report))
            <dl>\(Self.facts(report.serving).map { "<div><dt>\($0)</dt><dd>\($1)</dd></div>" }.joined())</dl>
            \(GraphDrawing(report).svg)
            </main>
            <footer>\(Self.legend)</footer>
            <script>\(Self.script)</script>
            </body>
            </html>

            """
    }

    /// A line for each provider whose refreshes fail.
    private static func troubles(_ report: GraphReport) -> String {
        report.serving.failing.texts(at: report.time)
            .map { "<p class=\"trouble\">\(HTMLText.escaped($0))</p>" }.joined(separator: "\n")
    }

    /// What is worth knowing of the whole, as names and values.
    private static func facts(_ serving: ServingReport) -> [(String, String)] {
        var facts: [(String, String)] = []
        if let reason = serving.reason { facts.append(("nothing to serve", HTMLText.escaped(reason))) }
        if let answer = serving.answer {
            facts.append(("products", PageNumber.grouped(answer.products)))
            facts.append(("age", PageNumber.time(answer.age)))
            if let windows = answer.windows {
                let isFresh = windows.freshFor >= .zero
                let time = PageNumber.time(isFresh ? windows.freshFor : .zero - windows.freshFor)
                facts.append(isFresh ? ("fresh for", time) : ("freshness ended", "\(time) ago"))
                facts.append(("servable for", PageNumber.time(windows.servableFor)))
            }
            facts.append(("from", answer.origin.rawValue))
            facts.append(("revision", HTMLText.escaped(String(answer.revision.prefix(12)))))
        }
        if let counts = serving.counts {
            facts.append(("hit ratio", counts.hitRatio.map(PageNumber.percent) ?? "–"))
            facts.append(("answers", PageNumber.grouped(counts.answers)))
            if counts.failures > 0 { facts.append(("failed", PageNumber.grouped(counts.failures))) }
        }
        return facts
    }

    private static let legend = """
        <ul><li class="answered">way of the last answer</li><li class="refreshed">way of the last refresh</li>\
        <li class="failed">asked there, and failed</li></ul>
        """
}

internal import FoundationEssentials
internal import Hashing
internal import Health
internal import Products
internal import Providers
internal import Serving

/// The page that shows the graph in a browser. It refreshes itself unless scripts are disabled.
struct GraphHTML {
    let html: String

    init(_ report: GraphReport) {
        let state = report.serving.state.name
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
            <p><a href="/history.html">history</a></p>
            </header>
            <main>
            <p>\(report.serving.state.meaning)</p>
            \(Self.troubles(report))
            \(HTMLText.facts(Self.facts(report.serving)))
            \(report.sharedStores.map { SharedStorePanel($0, at: report.time).html }.joined(separator: "\n"))
            \(GraphDrawing(report).svg)
            </main>
            <footer>\(Self.legend)</footer>
            <script>\(Self.script)</script>
            </body>
            </html>

            """
    }

    /// One line for each known trouble, pin and refused catalogue.
    private static func troubles(_ report: GraphReport) -> String {
        let shared = report.sharedStores.filter(\.isTroubled).map { "store \($0.text(at: report.time))" }
        // These have more detailed lines of their own.
        let others = report.troubles.filter { trouble in
            switch trouble.kind {
            case .upstream: report.serving.failing.isEmpty
            case .quarantine: report.operators.quarantined.isEmpty
            case .sharedStore: report.sharedStores.isEmpty
            default: true
            }
        }
        return
            (report.serving.failing.texts(at: report.time) + others.map { $0.text(at: report.time) }
            + report.operators.texts + shared)
            .map { "<p class=\"trouble\">\(HTMLText.escaped($0))</p>" }.joined(separator: "\n")
    }

    /// The names and values above the drawing.
    private static func facts(_ serving: ServingReport) -> [(String, String)] {
        var facts: [(String, String)] = []
        if let reason = serving.reason { facts.append(("nothing to serve", HTMLText.escaped(reason))) }
        if let answer = serving.answer {
            facts.append(("products", ReadableNumber.grouped(answer.products)))
            facts.append(("age", ReadableNumber.time(answer.age)))
            if let windows = answer.windows {
                let isFresh = windows.freshFor >= .zero
                let time = ReadableNumber.time(isFresh ? windows.freshFor : .zero - windows.freshFor)
                facts.append(isFresh ? ("fresh for", time) : ("freshness ended", "\(time) ago"))
                facts.append(("servable for", ReadableNumber.time(windows.servableFor)))
            }
            facts.append(("from", answer.origin.rawValue))
            facts.append(("revision", HTMLText.escaped(String(answer.revision.prefix(12)))))
        }
        if let counts = serving.counts {
            facts.append(("hit ratio", counts.hitRatio.map(ReadableNumber.percent) ?? "–"))
            facts.append(("answers", ReadableNumber.grouped(counts.answers)))
            if counts.failures > 0 { facts.append(("failed", ReadableNumber.grouped(counts.failures))) }
        }
        return facts
    }

    private static let legend = """
        <ul><li class="answered">path of the last answer</li><li class="refreshed">path of the last refresh</li>\
        <li class="failed">asked there, and failed</li></ul>
        """
}

extension GraphHTML {
    /// Script and style are the same for every graph, so that the content security policy can name their hashes.
    static let script = String(decoding: PackageResources.graph_js, as: UTF8.self)
    static let style = String(decoding: PackageResources.graph_css, as: UTF8.self)

    /// The page's content security policy: only its own script and style.
    static let policy = """
        default-src 'none'; script-src '\(hash(of: script))'; style-src '\(hash(of: style))'; connect-src 'self'; \
        img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'
        """

    /// The source expression of an inline script or style.
    static func hash(of text: String) -> String {
        "sha256-" + Data(SHA256Digest(of: text.utf8).bytes).base64EncodedString()
    }
}

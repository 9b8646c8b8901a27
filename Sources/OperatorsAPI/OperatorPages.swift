internal import HTTPServer
package import Serving

/// `GET /` on the port for operators: a page with links to all resources of the port.
package struct IndexHandler: HTTPHandler {
    package init() {}

    private static let links = [
        ("/graph.html", "the graph at work, drawn; it follows the service"),
        ("/graph", "the same as JSON"),
        ("/products?explain=1", "asks the graph, and shows the steps of each node"),
        ("/history.html", "the generations of the store and their differences; pins one of them"),
        ("/history", "the same as JSON"),
        ("/quarantine", "the refused catalogues, and their differences"),
        ("/metrics", "metrics for Prometheus"),
        ("/openapi.json", "the requests that this port takes, in OpenAPI's terms"),
        ("/readyz?verbose", "whether there is a catalogue to serve, and why not"),
        ("/healthz?verbose", "the same, for health checks"),
        ("/livez?verbose", "whether the process works"),
    ]

    private static let response = HTTPResponse(
        status: .ok,
        headers: [
            "Content-Type": "text/html; charset=utf-8", "Cache-Control": "no-cache",
            "Content-Security-Policy": "default-src 'none'; frame-ancestors 'none'",
            "X-Content-Type-Options": "nosniff", "Referrer-Policy": "no-referrer",
        ],
        body: HTTPBody(text: page))

    func respond(to request: HTTPRequest) -> EventualResponse { .ready(Self.response) }

    private static let page = """
        <!DOCTYPE html>
        <html lang="en">
        <head><meta charset="utf-8"><title>larder</title></head>
        <body>
        <h1>larder \(LarderVersion.current)</h1>
        <ul>
        \(links.map { "<li><a href=\"\($0)\">\($0)</a>: \($1)</li>" }.joined(separator: "\n"))
        </ul>
        </body>
        </html>

        """
}

/// `GET /history.html` on the operators' port: quarantine, pin, the generations of a store, and their differences.
///
/// The page contains the names of the graph's stores, but no text of a catalogue or an operator. Its script reads the
/// port's other routes and inserts their contents as text, never as HTML.
package struct HistoryPageHandler: HTTPHandler {
    private let page: HTTPBody

    package init(controls: GraphControls) {
        let names = controls.histories.map(\.label)
        page = HTTPBody(
            text: HistoryHTML.html(stores: names, shown: (try? controls.history(nil))?.label ?? names.first))
    }

    func respond(to request: HTTPRequest) throws -> EventualResponse {
        var headers: HTTPHeaderBlock = [
            "Content-Type": "text/html; charset=utf-8", "Cache-Control": "no-cache",
            "X-Content-Type-Options": "nosniff", "Referrer-Policy": "no-referrer",
        ]
        try headers.append("Content-Security-Policy", HistoryHTML.policy)
        return .ready(HTTPResponse(status: .ok, headers: headers, body: page))
    }
}

/// The page's HTML.
enum HistoryHTML {
    /// - Parameters:
    ///   - stores: the names of the stores that keep generations.
    ///   - shown: the store whose history is shown first.
    static func html(stores: [String], shown: String?) -> String {
        [
            ("graph.css", GraphHTML.style), ("history.css", style), ("history.js", script),
            ("stores", choice(stores, shown)),
        ].reduce(String(decoding: PackageResources.history_html, as: UTF8.self)) { page, part in
            page.replacing("{{\(part.0)}}", with: part.1)
        }
    }

    /// The choice between several stores; the name of the only one.
    private static func choice(_ stores: [String], _ shown: String?) -> String {
        let names = stores.map { HTMLText.escaped($0) }
        let only = "<input type=\"hidden\" id=\"store\" value=\"\(names.first ?? "")\">"
        guard names.count > 1 else {
            return only
                + (names.first.map { "store <strong>\($0)</strong>" }
                    ?? "The graph has no store that keeps generations.")
        }
        let options = zip(stores, names).map { "<option\($0 == shown ? " selected" : "")>\($1)</option>" }
        return "<label>store <select id=\"store\">\(options.joined())</select></label>"
    }

    /// The page's content security policy: only its own script and styles, and no conversion of text to HTML.
    static let policy = """
        default-src 'none'; script-src '\(GraphHTML.hash(of: script))'; \
        style-src '\(GraphHTML.hash(of: GraphHTML.style))' '\(GraphHTML.hash(of: style))'; connect-src 'self'; \
        img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; \
        require-trusted-types-for 'script'; trusted-types 'none'
        """

    /// Script and style are the same for every graph, so that the content security policy can name their hashes.
    static let script = String(decoding: PackageResources.history_js, as: UTF8.self)
    static let style = String(decoding: PackageResources.history_css, as: UTF8.self)
}

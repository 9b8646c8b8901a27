internal import HTTPServer

/// `GET /` on the port for operators: a page that links to everything the port answers.
package struct IndexHandler: HTTPHandler {
    package init() {}

    private static let links = [
        ("/graph.html", "the graph at work, drawn; it follows the service"),
        ("/graph", "the same as JSON"),
        ("/products?explain=1", "asks the graph, and shows what each node did"),
        ("/history.html", "the generations of the store and their differences; pins one of them"),
        ("/history", "the same as JSON"),
        ("/quarantine", "the catalogues that were refused, and how they differ"),
        ("/metrics", "metrics for Prometheus"),
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

    func answer(to request: HTTPRequest) -> HTTPAnswer { .ready(Self.response) }

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

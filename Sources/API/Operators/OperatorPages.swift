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

/// `GET /history.html` on the operators' port: the generations of a store, their differences, and the pin.
///
/// The page is the same for every catalogue. Its script asks the port's other routes, and puts what they answer in place as
/// text, never as HTML.
package struct HistoryPageHandler: HTTPHandler {
    package init() {}

    func answer(to request: HTTPRequest) throws -> HTTPAnswer {
        var headers: HTTPHeaderBlock = [
            "Content-Type": "text/html; charset=utf-8", "Cache-Control": "no-cache",
            "X-Content-Type-Options": "nosniff", "Referrer-Policy": "no-referrer",
        ]
        try headers.append("Content-Security-Policy", HistoryPage.policy)
        return .ready(HTTPResponse(status: .ok, headers: headers, body: HTTPBody(text: HistoryPage.html)))
    }
}

/// The page's HTML. It holds no text of a catalogue or an operator.
enum HistoryPage {
    static let html = """
        <!DOCTYPE html>
        <html lang="en">
        <head>
        <meta charset="utf-8">
        <meta name="viewport" content="width=device-width">
        <title>history · larder</title>
        <link rel="icon" href="data:,">
        <style>\(GraphPage.style)</style>
        <style>\(style)</style>
        </head>
        <body>
        <header>
        <h1>larder history</h1>
        <p><a href="/">all pages</a> <a href="/graph.html">the graph at work</a></p>
        <p id="problem" class="trouble" role="alert" hidden></p>
        <noscript><p class="trouble">This page needs its script; <a href="/history">the same as JSON</a> does not.</p></noscript>
        </header>
        <main>
        <p><label>store <input id="store" placeholder="the only one"></label> <button id="reload">Show</button></p>
        <p id="pin"></p>
        <table id="generations"></table>
        <section id="product">
        <h2>A product's history</h2>
        <p><label>id <input id="product-id"></label> <button id="trace">Show</button></p>
        <table id="changes"></table>
        </section>
        </main>
        <dialog id="dialog" aria-labelledby="question">
        <h2 id="question"></h2>
        <p id="counts"></p>
        <table id="difference"></table>
        <div id="order">
        <p><label>reason <input id="reason" maxlength="200"></label></p>
        <p><label>token <input id="token" type="password" autocomplete="off" placeholder="where admin.token_file is set"></label></p>
        <p id="refusal" class="trouble" role="alert"></p>
        </div>
        <p><button id="confirm"></button> <button id="cancel">Close</button></p>
        </dialog>
        <script>\(script)</script>
        </body>
        </html>

        """

    /// The page's content security policy: its own script and styles and nothing else, and no texts made into HTML.
    static let policy = """
        default-src 'none'; script-src '\(GraphPage.hash(of: script))'; \
        style-src '\(GraphPage.hash(of: GraphPage.style))' '\(GraphPage.hash(of: style))'; connect-src 'self'; \
        img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; \
        require-trusted-types-for 'script'; trusted-types 'none'
        """

    static let style = """

        td { max-width: 40em; overflow-wrap: anywhere; unicode-bidi: isolate; }
        tr.pinned td { color: var(--warn); font-weight: 600; }
        tr.price td { color: var(--bad); font-weight: 600; }
        dialog { max-width: 90vw; max-height: 90vh; border: 1px solid var(--edge); background: var(--box); color: var(--text); }
        #pin.pinned { color: var(--warn); font-weight: 600; }

        """
}

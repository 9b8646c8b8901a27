internal import HTTPServer
package import Serving

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

/// `GET /history.html` on the operators' port: quarantine, pin, the generations of a store, and their differences.
///
/// The page holds the names of the graph's stores, and no text of a catalogue or an operator: its script asks the port's other
/// routes, and puts what they answer in place as text, never as HTML.
package struct HistoryPageHandler: HTTPHandler {
    private let page: HTTPBody

    package init(controls: GraphControls) {
        let names = controls.histories.map(\.label)
        page = HTTPBody(
            text: HistoryPage.html(stores: names, shown: (try? controls.history(nil))?.label ?? names.first))
    }

    func answer(to request: HTTPRequest) throws -> HTTPAnswer {
        var headers: HTTPHeaderBlock = [
            "Content-Type": "text/html; charset=utf-8", "Cache-Control": "no-cache",
            "X-Content-Type-Options": "nosniff", "Referrer-Policy": "no-referrer",
        ]
        try headers.append("Content-Security-Policy", HistoryPage.policy)
        return .ready(HTTPResponse(status: .ok, headers: headers, body: page))
    }
}

/// The page's HTML.
enum HistoryPage {
    /// - Parameters:
    ///   - stores: the names of the stores that keep generations.
    ///   - shown: the store whose history is shown first.
    static func html(stores: [String], shown: String?) -> String {
        """
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
        <p><a href="/graph.html">graph</a> <a href="/">all pages</a></p>
        <p id="problem" class="trouble" role="alert" hidden></p>
        <noscript><p class="trouble">This page needs its script; <a href="/history">the same as JSON</a> does not.</p></noscript>
        </header>
        <main>
        <p id="done" role="status"></p>
        <div id="quarantine"></div>
        <p>\(choice(stores, shown))</p>
        <div id="pin"></div>
        <div id="generations"></div>
        <section id="difference"></section>
        <section id="product">
        <h2>A product's past</h2>
        <p><label>id <input id="product-id" type="search" autocomplete="off"></label> \
        <button type="button" id="trace">Show</button></p>
        <div id="changes"></div>
        </section>
        </main>
        <dialog id="dialog" aria-labelledby="question">
        <h2 id="question"></h2>
        <div id="effect"></div>
        <p><label>reason <input id="reason" maxlength="200" autocomplete="off"></label></p>
        <p><label>token <input id="token" type="password" autocomplete="off" placeholder="if admin.token_file is set"></label></p>
        <p id="refusal" class="trouble" role="alert"></p>
        <p class="actions"><button type="button" id="confirm" class="strong"></button> \
        <button type="button" id="cancel">Cancel</button></p>
        </dialog>
        <script>\(script)</script>
        </body>
        </html>

        """
    }

    /// The choice of a store where there are several; the name of the only one.
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

    /// The page's content security policy: its own script and styles and nothing else, and no texts made into HTML.
    static let policy = """
        default-src 'none'; script-src '\(GraphPage.hash(of: script))'; \
        style-src '\(GraphPage.hash(of: GraphPage.style))' '\(GraphPage.hash(of: style))'; connect-src 'self'; \
        img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; \
        require-trusted-types-for 'script'; trusted-types 'none'
        """

    static let style = """

        header a { margin-right: 12px; }
        h3 { margin: 14px 0 4px; font-size: 13px; color: var(--muted); font-weight: 600; }
        td, span, p, button { overflow-wrap: anywhere; unicode-bidi: isolate; }
        td { max-width: 36em; vertical-align: middle; }
        thead th { position: sticky; top: 0; background: var(--page); }
        tbody tr:hover td { background: var(--box); }
        .scroll, #effect { max-height: 60vh; overflow: auto; }
        #effect { max-height: 44vh; margin-bottom: 12px; } #effect .scroll { max-height: none; }
        .member, code { white-space: nowrap; }
        #difference, #product { scroll-margin-top: 76px; }
        .muted, .none, .ago { color: var(--muted); }
        .good { color: var(--good); } .warn { color: var(--warn); } .bad, tr.price td { color: var(--bad); }
        tr.pinned td { background: var(--box); font-weight: 600; }
        .counts span, .delta span { margin-right: 14px; white-space: nowrap; }
        .counts span:not(.none) { font-weight: 600; }
        .ids button { margin-right: 12px; }
        .panel { margin: 0 0 14px; padding: 2px 16px 10px; border: 1px solid var(--edge); border-left: 4px solid currentColor; \
        border-radius: 6px; background: var(--box); }
        .panel > * { color: var(--text); } .panel > .muted { color: var(--muted); }
        .panel h2 { margin: 10px 0 4px; color: inherit; } .panel p { margin: 0 0 6px; }
        .badge { margin: 0; padding: 1px 8px; font-size: 12px; }
        code { font: 12px ui-monospace, monospace; }
        button, input, select { padding: 3px 10px; border: 1px solid var(--edge); border-radius: 5px; background: var(--box); \
        color: var(--text); font: inherit; }
        button { cursor: pointer; } button:hover { border-color: var(--refresh); } button:disabled { opacity: 0.5; cursor: default; }
        button.strong { border-color: var(--refresh); color: var(--refresh); font-weight: 600; }
        button.link { padding: 0; border: 0; background: none; color: var(--refresh); text-decoration: underline; text-align: left; }
        input[type=radio] { display: block; margin: 0; accent-color: var(--refresh); }
        .actions button { margin-right: 8px; }
        :focus-visible { outline: 2px solid var(--refresh); outline-offset: 2px; }
        dialog { width: 46em; max-width: 92vw; max-height: 88vh; box-sizing: border-box; border: 1px solid var(--edge); \
        border-radius: 8px; background: var(--page); color: var(--text); }
        dialog::backdrop { background: #0008; } dialog h2 { margin-top: 0; }
        dialog label input { width: 22em; max-width: 70vw; }
        #done:empty { display: none; } #done { color: var(--good); font-weight: 600; }

        """
}

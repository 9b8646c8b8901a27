internal import FoundationEssentials
internal import Hashing
internal import Health
internal import Products
internal import Providers
internal import Serving

/// The page that shows the graph in a browser and refreshes itself; without scripts it does not change.
struct GraphPage {
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

    /// A line for each known trouble, for each pin and refused catalogue.
    private static func troubles(_ report: GraphReport) -> String {
        let shared = report.sharedStores.filter(\.isTroubled).map { "store \($0.text(at: report.time))" }
        // These have lines of their own, which say more.
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

extension GraphPage {
    /// The page's content security policy: its own script and style and nothing else, from nowhere else.
    static let policy = """
        default-src 'none'; script-src '\(hash(of: script))'; style-src '\(hash(of: style))'; connect-src 'self'; \
        img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'
        """

    /// The source expression of an inline script or style.
    static func hash(of text: String) -> String {
        "sha256-" + Data(SHA256Digest(of: text.utf8).bytes).base64EncodedString()
    }
}

extension GraphPage {
    /// The page's script, the same for every graph, so that its hash can be named in the content security policy.
    ///
    /// It refreshes the page once a second, and every five seconds in a hidden tab, whose title may be watched. While
    /// text is selected, only the state changes. When the service has not answered within two seconds, the page turns
    /// grey and says so, in its title too.
    static let script = """

        "use strict";
        const shown = document.querySelector("main");
        const lost = document.getElementById("lost");
        let answered = Date.now();
        let timer;
        function show(page) {
          const state = page.getElementById("state");
          const content = page.querySelector("main");
          if (!state || !content) throw new Error("another page");
          answered = Date.now();
          document.title = page.title;
          document.getElementById("state").replaceWith(state);
          document.body.classList.remove("lost");
          lost.hidden = true;
          if (getSelection().isCollapsed) shown.replaceChildren(...content.childNodes);
        }
        function showLost() {
          const seconds = Math.round((Date.now() - answered) / 1000);
          const state = document.getElementById("state");
          state.className = "badge lost";
          state.textContent = "no answer";
          document.title = "no answer · larder";
          document.body.classList.add("lost");
          lost.textContent = "The service has not answered for " + seconds + " s. What is shown is as it was at "
            + new Date(answered).toLocaleTimeString() + ".";
          lost.hidden = false;
        }
        async function watch() {
          clearTimeout(timer);
          try {
            const response = await fetch("/graph.html", { cache: "no-store", signal: AbortSignal.timeout(2000) });
            if (!response.ok) throw new Error(response.statusText);
            show(new DOMParser().parseFromString(await response.text(), "text/html"));
          } catch {
            showLost();
          }
          clearTimeout(timer);
          timer = setTimeout(watch, document.hidden ? 5000 : 1000);
        }
        document.addEventListener("visibilitychange", watch);
        timer = setTimeout(watch, 1000);

        """
}

extension GraphPage {
    /// The page's style, the same for every graph, so that its hash can be named in the content security policy.
    static let style = """

        :root {
          color-scheme: light dark;
          --page: light-dark(#f6f7f9, #14171c); --box: light-dark(#ffffff, #1d2229);
          --edge: light-dark(#b4bcc8, #49525f); --text: light-dark(#1a2029, #e6eaf0);
          --muted: light-dark(#5b6675, #98a3b3); --good: light-dark(#0a7d43, #45c783);
          --refresh: light-dark(#2f6fd0, #6aa5f5); --bad: light-dark(#c02a32, #ff7b80);
          --warn: light-dark(#95610a, #e5af4c); --good-box: light-dark(#ecf8f1, #182c23);
        }
        body { margin: 0; padding: 20px 24px; background: var(--page); color: var(--text); font: 14px/1.4 system-ui, sans-serif; }
        header { position: sticky; top: 0; z-index: 1; padding: 4px 0; background: var(--page); }
        header p { margin: 0 0 8px; }
        a { color: var(--refresh); }
        h1 { margin: 0 0 8px; font-size: 20px; }
        .badge { margin-left: 6px; padding: 2px 10px; border: 1.5px solid; border-radius: 11px; font-size: 14px; }
        .badge.fresh, .badge.idle { color: var(--good); }
        .badge.unkept { color: var(--muted); }
        .badge.stale, .badge.draining { color: var(--warn); }
        .badge.offline, .badge.empty, .badge.lost { color: var(--bad); }
        main > p { margin: 0 0 8px; color: var(--muted); }
        p.trouble, #lost { color: var(--bad); font-weight: 600; }
        #lost { margin: 0 0 8px; }
        body.lost main, body.lost footer { filter: grayscale(1); opacity: 0.4; }
        dl { display: flex; flex-wrap: wrap; gap: 8px 28px; margin: 12px 0 20px; }
        dt { color: var(--muted); font-size: 12px; }
        dd { margin: 0; font-weight: 600; font-variant-numeric: tabular-nums; }
        h2 { margin: 24px 0 8px; font-size: 16px; }
        table { border-collapse: collapse; margin: 0 0 20px; font-variant-numeric: tabular-nums; }
        th, td { padding: 4px 14px 4px 0; border-bottom: 1px solid var(--edge); text-align: left; vertical-align: top; }
        th { color: var(--muted); font-size: 12px; font-weight: normal; }
        td.number { text-align: right; }
        svg { display: block; max-width: none; font-size: 12px; font-variant-numeric: tabular-nums; }
        rect { fill: var(--box); stroke: var(--edge); }
        text { fill: var(--text); }
        .title { font-size: 14px; font-weight: 600; }
        .type, .setting, .beside, .role { fill: var(--muted); }
        .failure { fill: var(--bad); }
        .role { font-size: 11px; paint-order: stroke; stroke: var(--page); stroke-width: 4px; }
        .line { fill: none; stroke: var(--edge); stroke-width: 1.2; }
        .head { fill: var(--edge); }
        .line.refreshed { stroke: var(--refresh); stroke-width: 1.8; stroke-dasharray: 5 4; }
        .line.failed { stroke: var(--bad); stroke-width: 1.8; stroke-dasharray: 2 3; }
        .line.answered { stroke: var(--good); stroke-width: 2.6; }
        .head.refreshed { fill: var(--refresh); } .head.failed { fill: var(--bad); } .head.answered { fill: var(--good); }
        .refreshed rect { stroke: var(--refresh); stroke-width: 1.6; stroke-dasharray: 5 4; }
        .failed rect { stroke: var(--bad); stroke-width: 1.6; stroke-dasharray: 2 3; }
        .answered rect { stroke: var(--good); stroke-width: 2.4; fill: var(--good-box); }
        footer { margin-top: 16px; color: var(--muted); font-size: 12px; }
        ul { display: flex; flex-wrap: wrap; gap: 4px 24px; margin: 0; padding: 0; list-style: none; }
        li::before { content: ""; display: inline-block; width: 24px; margin-right: 8px; vertical-align: middle; border-top: 2px solid; }
        li.answered::before { color: var(--good); border-top-width: 3px; }
        li.refreshed::before { color: var(--refresh); border-top-style: dashed; }
        li.failed::before { color: var(--bad); border-top-style: dotted; }

        """
}

extension GraphPage {
    /// The page's script, the same for every graph, so that its hash can be named in the content security policy.
    ///
    /// It replaces what is shown once a second by what the service shows then, but not while nobody looks, and not while
    /// somebody has marked text to copy it.
    static let script = """

        "use strict";
        const shown = document.querySelector("main");
        const lost = document.getElementById("lost");
        async function refresh() {
          if (document.hidden || !getSelection().isCollapsed) return;
          try {
            const response = await fetch("/graph.html", { cache: "no-store", signal: AbortSignal.timeout(5000) });
            if (!response.ok) throw new Error(response.statusText);
            const page = new DOMParser().parseFromString(await response.text(), "text/html");
            shown.replaceChildren(...page.querySelector("main").childNodes);
            document.title = page.title;
            lost.hidden = true;
          } catch {
            lost.hidden = false;
          }
        }
        async function watch() {
          await refresh();
          setTimeout(watch, 1000);
        }
        setTimeout(watch, 1000);

        """
}

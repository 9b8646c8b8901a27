"""The page's follower in Chromium, which keeps the catalogue in its own database."""

import json
import shutil
import subprocess
import threading
from collections.abc import Callable
from contextlib import suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from examples import EXAMPLES, STALE_AFTER, Page

from programs import Failure, Programs

# Not the script of that name in /usr/bin, whose end does not end the browser.
PROGRAM = "/usr/lib/chromium/chromium-headless-shell"
STRIP = """
const { stripTypeScriptTypes } = require("node:module");
process.stdout.write(stripTypeScriptTypes(require("node:fs").readFileSync(process.argv[1], "utf8")));
"""
DOCUMENT = """<!doctype html><title>Drill</title><script type="module">
import { Follower } from "./page.js";
import { IndexedDBCopy } from "./indexeddb.js";
const copy = new IndexedDBCopy("catalogue");
const options = { every: EVERY, spread: 0.2, longestPause: 1, staleAfter: STALE_AFTER };
const follower = new Follower("LARDER", copy, options);
const send = (place, value) => fetch(place, { method: "POST", body: JSON.stringify(value ?? null) });
const say = () => send("/said", {
  revision: follower.state?.revision, products: follower.products.size, pinned: follower.state?.pinned,
  stale: follower.isStale, age: Number.isFinite(follower.age) ? follower.age : null, trouble: follower.trouble,
});
// The place of what is on the disk, at the start and after each step.
follower.onchange = async () => { await send("/kept", await copy.load()); await say(); };
await send("/kept", await copy.load());
await follower.start();
setInterval(say, 200);
// A second tab, with which the first one shares the database.
await new Follower("LARDER", new IndexedDBCopy("catalogue"), options).start();
</script>"""


class Browser(Page):
    """Two tabs of a page, of which the first tells this process what the database has."""

    tabs = 2

    def __init__(self, programs: Programs, name: str, service: int, compare: Callable[[str, dict], int]):
        super().__init__(programs, name, service, compare)
        self.kept, self.last, self.wrong = None, {}, None
        browser = self

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                found = browser.files().get(self.path.split("?")[0])
                self.send_response(200 if found else 404)
                self.send_header("Content-Type", "text/javascript" if self.path.endswith(".js") else "text/html")
                self.end_headers()
                self.wfile.write((found or "").encode())

            def do_POST(self) -> None:
                with suppress(OSError, ValueError):
                    browser.hear(self.path, json.loads(self.rfile.read(int(self.headers["Content-Length"]))))
                    self.send_response(204)
                    self.end_headers()

            def log_message(self, *_) -> None:
                pass

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.server.handle_error = lambda *_: None
        self.scripts = {f"/{name}.js": subprocess.run(
            [self.node(), "--disable-warning=ExperimentalWarning", "-e", STRIP, EXAMPLES / f"{name}.ts"],
            capture_output=True, text=True, check=True).stdout for name in ("page", "indexeddb")}
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def files(self) -> dict[str, str]:
        document = (DOCUMENT.replace("LARDER", self.larder).replace("EVERY", str(self.every))
                    .replace("STALE_AFTER", str(STALE_AFTER)))
        return self.scripts | {"/": document}

    def hear(self, place: str, value: dict | None) -> None:
        if place == "/said":
            self.last = value
        else:
            self.kept = value and (
                value["state"]["revision"], {product["id"]: product for product in value["products"]})
            try:
                value and self.compare(self.name, self.kept[1])
            except Failure as failure:
                self.wrong = failure

    def command(self) -> list:
        return [PROGRAM, "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--remote-debugging-port=0",
                f"--user-data-dir={self.place}", f"http://127.0.0.1:{self.server.server_address[1]}/"]

    def read(self) -> tuple[str, dict[str, dict]] | None:
        if self.wrong:
            raise self.wrong
        return self.kept

    def said(self) -> dict:
        return self.last

    def kill(self, after: float | None = None) -> None:
        super().kill(after)
        self.kept, self.last = None, {}

    def clear(self) -> None:
        shutil.rmtree(self.place, ignore_errors=True)

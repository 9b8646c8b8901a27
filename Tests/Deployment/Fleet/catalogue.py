"""An upstream whose catalogue has a version in each product, and which knows its visitors."""

import os
import threading
import time
from contextlib import suppress
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

MARK = b"@@@@@@@"
"""Stands for the version, in as many digits."""


@dataclass
class Refresh:
    """A request to the upstream."""

    began: float
    ended: float | None
    visitor: str
    version: int


class Catalogue:
    """Serves a version until it changes; counts, delays, cuts or hangs the requests of each visitor.

    All replicas ask at one address, since another one would be another catalogue to them: the process at the other end
    of a connection says which one it is.
    """

    def __init__(self, count: int):
        self.count, self.version, self.delay, self.is_away = count, 0, 0.02, False
        self.refreshes: list[Refresh] = []
        self.pids: dict[str, int] = {}
        self.cut: set[str] = set()
        self.hung: set[str] = set()
        self.changes: list[tuple[float, int]] = []
        self.lock, self.mover = threading.Lock(), None
        self.resize(count)
        catalogue = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"
            disable_nagle_algorithm = True

            def setup(self) -> None:
                super().setup()
                self.visitor = catalogue.visitor(self.client_address[1])

            def do_GET(self) -> None:
                catalogue.answer(self)

            def log_message(self, *_) -> None:
                pass

        class Server(ThreadingHTTPServer):
            daemon_threads = True

            def handle_error(self, *_) -> None:
                pass

        self.server = Server(("127.0.0.1", 0), Handler)
        self.port = self.server.server_address[1]
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def resize(self, count: int) -> None:
        """Has so many products from now on, in a new version."""
        self.offered = count
        self.template = b"[" + b",".join(
            b'{"type":"physical","id":"p-%d","name":"Preserve of the %dth batch","weight":250,"price":{"amount":%d.5,'
            b'"currency":"EUR"},"sales":%d,"category":"%s","description":"Made with sugar and the juice of a lemon, as '
            b'in version %s of the book."}' % (n, n, n % 90 + 1, n % 251, (b"jam", b"jelly", b"curd")[n % 3], MARK)
            for n in range(count)) + b"]"
        self.change()

    def change(self) -> int:
        with self.lock:
            self.version += 1
            self.body = self.template.replace(MARK, b"%07d" % self.version)
            self.changes.append((time.monotonic(), self.version))
            return self.version

    def answer(self, request: BaseHTTPRequestHandler) -> None:
        name = request.visitor
        with self.lock:
            refresh = Refresh(time.monotonic(), None, name, self.version)
            body = self.body
        if name in self.cut or self.is_away:
            request.close_connection = True
            return
        self.refreshes.append(refresh)
        try:
            time.sleep(self.delay)
            while name in self.hung:
                time.sleep(0.05)
            with suppress(OSError):
                request.send_response(200)
                request.send_header("Content-Type", "application/json")
                request.send_header("Content-Length", str(len(body)))
                request.end_headers()
                request.wfile.write(body)
        finally:
            refresh.ended = time.monotonic()

    def visitor(self, port: int) -> str:
        """The name of the process that has this port."""
        for line in Path("/proc/net/tcp").read_text().splitlines()[1:]:
            fields = line.split()
            if fields[1] == f"0100007F:{port:04X}":
                wanted = f"socket:[{fields[9]}]"
                for name, pid in list(self.pids.items()):
                    with suppress(OSError):
                        if any(os.readlink(end) == wanted for end in descriptors(pid)):
                            return name
        return "unknown"

    def running(self) -> Refresh | None:
        """A request that waits for its answer."""
        return next((one for one in reversed(self.refreshes[-10:]) if one.ended is None), None)

    def move(self, pause) -> None:
        """Changes again and again, after so many seconds each."""
        stop = self.mover = threading.Event()

        def run() -> None:
            while not stop.wait(pause()):
                self.change()

        threading.Thread(target=run, daemon=True).start()

    def rest(self) -> int:
        """Stays at a last new version, which it gives."""
        if self.mover:
            self.mover.set()
        return self.change()


def descriptors(pid: int):
    for entry in os.scandir(f"/proc/{pid}/fd"):
        yield entry.path

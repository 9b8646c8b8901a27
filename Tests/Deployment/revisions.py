"""An upstream whose catalogue changes as a whole, a service of it, and clients who each hold another revision."""

import socket
import subprocess
import threading
import time
from collections import deque
from contextlib import suppress
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

from programs import Failure, Programs, end, free_ports, status, until

CONFIG = """
http: {{ listen: "127.0.0.1:{http}", threads: 2, drain: {{ delay: 10ms, deadline: 2s }} }}
admin: {{ listen: "127.0.0.1:{admin}" }}
stores: {{ disk: {{ type: json_file, directory: "{data}/catalogue" }} }}
providers:
  shop:
    type: http
    timeout: 30s
    max_body: 1GiB
    request: {{ base_url: "http://127.0.0.1:{upstream}", path: /products }}
  remote: {{ type: caching, store: disk, upstream: {{ type: validated, baseline: disk, upstream: shop }} }}
  storefront:
    type: memory
    ttl: {ttl}
    hold_off: {ttl}
    upstream: {{ type: fallback, primary: remote, secondary: {{ type: stored, store: disk }} }}
serve: storefront
"""
SLOW = 400
"""Bytes a second that a slow reader takes."""


class Revisions:
    """Serves products, in another revision each time it is told to, or with each response while it is moving."""

    def __init__(self, count: int, kept: int = 0):
        """Keeps the bodies of so many revisions to serve them again, if wanted: a change then costs no time."""
        self.count, self.number, self.is_moving, self.is_away = count, 0, False, False
        self.kept = [self.body(number) for number in range(kept)]
        self.change()
        revisions = self

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                if revisions.is_moving:
                    revisions.change()
                tag, body = revisions.current
                is_known = self.headers.get("If-None-Match") == tag
                self.send_response(503 if revisions.is_away else 304 if is_known else 200)
                self.send_header("Content-Type", "application/json")
                self.send_header("ETag", tag)
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                with suppress(OSError):
                    self.wfile.write(b"" if is_known else body)

            def log_message(self, *_) -> None:
                pass

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.port = self.server.server_address[1]
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    @property
    def megabytes(self) -> float:
        return len(self.current[1]) / 1e6

    def change(self) -> None:
        self.number += 1
        body = self.kept[self.number % len(self.kept)] if self.kept else self.body(self.number)
        self.current = f'"{self.number}"', body

    def leave(self) -> None:
        """Nobody listens at its port any more."""
        self.server.shutdown()
        self.server.server_close()

    def body(self, revision: int) -> bytes:
        return ("[" + ",".join(
            f'{{"type":"physical","id":"p-{number}","name":"Preserve of the {number}th batch","weight":250,"price":'
            f'{{"amount":{(number + revision) % 9000 / 100},"currency":"EUR"}},"sales":{(number + revision) % 251},'
            f'"category":"{("jam", "jelly", "curd")[number % 3]}","description":"Ripe on day {revision}, with sugar and '
            'the juice of a lemon."}' for number in range(self.count)) + "]").encode()


@dataclass
class Shop:
    """A service of such an upstream, with memory and a disk, where it starts from."""

    http: int
    admin: int
    service: subprocess.Popen
    seconds: float
    """From the start until it was ready."""

    @staticmethod
    def start(programs: Programs, larder: Path, upstream: Revisions, ttl: str = "1s",
              config: str = CONFIG) -> "Shop":
        """Starts it on the disk of the one before."""
        http, admin = free_ports(2)
        path = programs.folder / "larder.yaml"
        path.write_text(config.format(http=http, admin=admin, upstream=upstream.port, ttl=ttl,
                                        data=programs.folder / f"data-{upstream.count}"))
        began = time.monotonic()
        service = programs.start("larder", [larder, "serve", "--config", path])
        until(lambda: status(http, "/readyz") == 200, "the service is ready", service, patience=60, pause=0.001)
        return Shop(http, admin, service, time.monotonic() - began)

    def end(self) -> None:
        if end(self.service) != 0:
            raise Failure(f"the service ended badly\n{self.service.log.read_text()[-2000:]}")


@dataclass
class SlowReaders:
    """Clients that each hold the revision of another moment: at most so many, of which the oldest gives up."""

    port: int
    most: int
    held: deque = field(default_factory=deque)

    def join(self) -> None:
        if not self.most:
            return
        while len(self.held) >= self.most:
            self.held.popleft().close()
        reader = socket.socket()
        reader.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        reader.connect(("127.0.0.1", self.port))
        reader.sendall(b"GET /products HTTP/1.1\r\nHost: drill\r\n\r\n")
        self.held.append(reader)

    def read(self, seconds: float) -> None:
        for reader in self.held:
            with suppress(OSError):
                reader.settimeout(0.01)
                reader.recv(max(1, int(SLOW * seconds)))

    def leave(self) -> None:
        while self.held:
            self.held.popleft().close()

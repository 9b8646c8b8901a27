"""An upstream whose catalogue changes as a whole when it is told to, and clients who each hold another revision of it."""

import socket
import threading
from collections import deque
from contextlib import suppress
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

SLOW = 400
"""Bytes a second that a slow reader takes."""


class Revisions:
    """Serves products, in another revision each time it is told to."""

    def __init__(self, count: int):
        self.count, self.number = count, 0
        self.change()
        revisions = self

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                tag, body = revisions.current
                is_known = self.headers.get("If-None-Match") == tag
                self.send_response(304 if is_known else 200)
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

    def change(self) -> None:
        self.number += 1
        self.current = f'"{self.number}"', self.body(self.number)

    def body(self, revision: int) -> bytes:
        return ("[" + ",".join(
            f'{{"type":"physical","id":"p-{number}","name":"Preserve of the {number}th batch","weight":250,"price":'
            f'{{"amount":{(number + revision) % 9000 / 100},"currency":"EUR"}},"sales":{(number + revision) % 251},'
            f'"category":"{("jam", "jelly", "curd")[number % 3]}","description":"What was ripe on day {revision}, with '
            'sugar and the juice of a lemon, in a glass with a lid."}' for number in range(self.count)) + "]").encode()


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

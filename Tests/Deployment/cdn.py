"""A cache before the shop that goes on with what it has."""

import email.utils
import http.server
import threading
import time

from instances import Instance
from programs import ask, free_ports

CACHED = 3 * 86_400
"""Seconds for which it has been giving the same."""


class Cdn(Instance):
    """An instance with a cache before its upstream that can give what is three days old."""

    age = 0

    def start_upstream(self, *words) -> None:
        own = self.upstream
        [self.upstream] = free_ports(1)
        super().start_upstream(*words)
        instance, (_, _, body) = self, ask(self.upstream, "/products")

        class Handler(http.server.BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_GET(self) -> None:
                self.send_response_only(200)
                status = "origin-cdn; hit; ttl=-259140; detail=stale" if instance.age else "origin-cdn; fwd=uri-miss"
                for name, value in (
                        ("Date", email.utils.formatdate(time.time() - instance.age, usegmt=True)), ("Age", instance.age),
                        ("Content-Type", "application/json"), ("Cache-Control", "max-age=60"), ("Cache-Status", status),
                        ("Content-Length", len(body))):
                    self.send_header(name, str(value))
                self.end_headers()
                self.wfile.write(body)

            def log_message(self, *_) -> None:
                pass

        server = http.server.ThreadingHTTPServer(("127.0.0.1", own), Handler)
        server.daemon_threads = True
        threading.Thread(target=server.serve_forever, daemon=True).start()

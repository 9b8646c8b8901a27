"""A cache before the shop that goes on with what it has."""

import email.utils
import http.server
import json
import threading
import time

from instances import Instance

CACHED = 3 * 86_400
"""Seconds for which it has been giving the same."""


class Cdn(Instance):
    """An instance whose upstream is a cache that can serve what is three days old."""

    age = 0

    def start_upstream(self, *_) -> None:
        instance = self

        class Handler(http.server.BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_GET(self) -> None:
                body = json.dumps([
                    {"type": "physical", "id": f"p-{number}", "name": f"Jam {number}", "weight": 250, "sales": number,
                     "price": {"amount": 4.5, "currency": "EUR"}} for number in range(20)]).encode()
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

        server = http.server.ThreadingHTTPServer(("127.0.0.1", self.upstream), Handler)
        server.daemon_threads = True
        threading.Thread(target=server.serve_forever, daemon=True).start()

"""The bodies of an upstream in Larder's own form, some or all of whose products change, and the upstream itself."""

import threading
from contextlib import suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

KINDS = ("physical",) * 5 + ("digital",) * 2 + ("subscription", "giftCard", "bundle")
MEMBERS = {"physical": ',"weight":250.5', "digital": ',"size":40960', "subscription": ',"interval":"month","trialDays":14',
           "giftCard": ',"denominations":[10,25,50]',
           "bundle": ',"products":[{{"type":"digital","id":"part-{number}","name":"Label","price":{{"amount":0.5,'
                     '"currency":"EUR"}},"sales":3}}]'}
DESCRIPTION = ',"description":"Ripe in week {number}, with sugar and the juice of {lemons}."'


class Body:
    """So many products of every kind, each in a revision of its own."""

    def __init__(self, count: int, is_described: bool):
        self.revisions = [0] * count
        self.parts = [self.item(number, is_described) for number in range(count)]

    @staticmethod
    def item(number: int, is_described: bool) -> tuple[str, str]:
        """The text before the digits that change, and the text behind them."""
        kind = KINDS[number % len(KINDS)]
        return (f'{{"type":"{kind}","id":"p-{number}","name":"Preserve of lot {number}","price":{{"amount":{number % 90 + 1}.',
                f',"category":"{("jam", "jelly", "curd")[number % 3]}"' + MEMBERS[kind].format(number=number)
                + (DESCRIPTION.format(number=number, lemons="½ lemon" if number % 10 == 3 else "a lemon") if is_described else "") + "}")

    def change(self, count: int) -> None:
        """Changes price and sales of so many products, spread evenly; the first is one of them."""
        for number in range(count):
            self.revisions[number * len(self.revisions) // count] += 1

    def sales(self, number: int) -> int:
        return 100 + (number + self.revisions[number] * 7) % 900

    @property
    def bytes(self) -> bytes:
        items = (f'{head}{10 + revision % 90},"currency":"EUR"}},"sales":{100 + (number + revision * 7) % 900}{tail}'
                 for number, ((head, tail), revision) in enumerate(zip(self.parts, self.revisions, strict=True)))
        return b"[" + ",".join(items).encode() + b"]"


class Upstream:
    """Serves a body, with a tag only while `is_tagged`."""

    def __init__(self):
        self.body, self.is_tagged = b"[]", False
        upstream = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_GET(self) -> None:
                body, tag = upstream.body, f'"{id(upstream.body)}"'
                is_known = upstream.is_tagged and self.headers.get("If-None-Match") == tag
                self.send_response(304 if is_known else 200)
                self.send_header("Content-Type", "application/json")
                if upstream.is_tagged:
                    self.send_header("ETag", tag)
                if not is_known:
                    self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                with suppress(OSError):
                    self.wfile.write(b"" if is_known else body)

            def log_message(self, *_) -> None:
                pass

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.server.daemon_threads = True
        # A client that ends leaves connections.
        self.server.handle_error = lambda *_: None
        self.port = self.server.server_address[1]
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def leave(self) -> None:
        self.server.shutdown()
        self.server.server_close()

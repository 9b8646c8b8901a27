"""A client that follows the stock of a shop by `/changes`, over an `overlay`, beside one that reads the whole list.

Each second the stock of some products changes. At every step what the first client holds must be the whole list. Gives the
bytes of both, as they are and in gzip, and the time from the feed to the client of a stream.
"""

import asyncio
import gzip
import json
import random
import sys
import threading
import time
from contextlib import suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from programs import Failure, Programs, ask, parser, run
from revisions import Shop

CONFIG = """
http: {{ listen: "127.0.0.1:{http}", threads: 2, drain: {{ delay: 10ms, deadline: 2s }} }}
admin: {{ listen: "127.0.0.1:{admin}" }}
providers:
  catalogue: {{ type: memory, ttl: 1h, upstream: {{ type: http, request: {{ base_url: "http://127.0.0.1:{upstream}", path: /products }} }} }}
  stock:
    type: http
    request: {{ base_url: "http://127.0.0.1:{upstream}", path: /stock }}
    decode: {{ type: physical, constants: {{ name: "", price.amount: 0, price.currency: XXX }} }}
serve: {{ type: overlay, upstream: catalogue, overlay: stock, members: [stock], ttl: {ttl}, refresh: background }}
"""


class Feed:
    """Serves a catalogue, and the stock of all its products in a list of its own."""

    def __init__(self, count: int, seed: int):
        self.count, self.random = count, random.Random(seed)
        self.stock = [7] * count
        self.products = json.dumps([
            {"type": "physical", "id": f"p-{number}", "name": f"Preserve of the {number}th batch", "weight": 250,
             "price": {"amount": number % 9000 / 100, "currency": "EUR"}, "category": "jam",
             "description": "Ripe, with sugar and the juice of a lemon."} for number in range(count)]).encode()
        self.entries = b""
        self.change(0)
        feed = self

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                body = feed.entries if self.path == "/stock" else feed.products
                self.send_response(200)
                self.send_header("Content-Type", "application/json")
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                with suppress(OSError):
                    self.wfile.write(body)

            def log_message(self, *_) -> None:
                pass

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.port = self.server.server_address[1]
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def change(self, count: int) -> None:
        for number in self.random.sample(range(self.count), count):
            self.stock[number] = (self.stock[number] + self.random.randint(1, 8)) % 10
        self.entries = json.dumps([{"id": f"p-{number}", "stock": stock} for number, stock in enumerate(self.stock)]).encode()
        self.changed_at = time.monotonic()


def read(port: int, target: str) -> tuple[int, dict, bytes, int]:
    """Status, fields, body, and its length in gzip."""
    status, fields, body = ask(port, target, patience=30, headers={"Accept-Encoding": "gzip"})
    packed = len(body)
    return status, fields, gzip.decompress(body) if fields.get("content-encoding") == "gzip" else body, packed


class Client:
    """What a client holds that has read the whole once."""

    def __init__(self, port: int):
        self.port, self.bytes, self.packed, self.longest, self.gone = port, 0, 0, 0.0, 0
        self.products, self.revision = self.whole()

    def whole(self) -> tuple[dict, str]:
        _, fields, body, _ = read(self.port, "/products")
        return {product["id"]: product for product in json.loads(body)["products"]}, fields["etag"][1:33]

    def follow(self) -> None:
        began = time.monotonic()
        status, _, body, packed = read(self.port, f"/changes?since={self.revision}")
        self.longest = max(self.longest, time.monotonic() - began)
        if status != 200:
            raise Failure(f"{status} for a revision that was served: {body[:200]}")
        changes = json.loads(body)
        for product in changes["added"] + changes["changed"]:
            self.products[product["id"]] = product
        for product in changes["removed"]:
            del self.products[product]
        self.revision = changes["revision"]
        self.bytes += len(body)
        self.packed += packed


async def listen(port: int, feed: Feed, delays: list[float]) -> None:
    """Follows the stream, and measures how long after the feed its events come."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port, limit=1 << 24)
    writer.write(b"GET /changes HTTP/1.1\r\nHost: drill\r\nAccept: text/event-stream\r\n\r\n")
    seen = None
    while line := await reader.readline():
        if line.startswith(b"event: gap"):
            raise Failure("a stream that was open has a gap")
        if line.startswith(b"data: ") and json.loads(line[6:]).get("since"):
            if seen != feed.changed_at:
                delays.append(time.monotonic() - feed.changed_at)
            seen = feed.changed_at


async def drill(programs: Programs, options) -> None:
    feed = Feed(options.products, options.seed)
    shop = Shop.start(programs, options.larder, feed, ttl=options.ttl, config=CONFIG)
    loop = asyncio.get_running_loop()
    often, seldom = Client(shop.http), Client(shop.http)
    whole_bytes = whole_packed = 0
    delays: list[float] = []
    stream = asyncio.create_task(listen(shop.http, feed, delays))
    for step in range(1, options.steps + 1):
        await asyncio.sleep(options.every)
        feed.change(options.changing)
        want = list(feed.stock)
        while True:
            await asyncio.sleep(0.1)
            await loop.run_in_executor(None, often.follow)
            _, fields, body, packed = await loop.run_in_executor(None, read, shop.http, "/products")
            if fields["etag"][1:33] != often.revision:
                continue
            reference = {product["id"]: product for product in json.loads(body)["products"]}
            if often.products != reference:
                raise Failure(f"step {step}: what is held differs from the list")
            if [reference[f"p-{number}"]["stock"] for number in range(options.products)] == want:
                break
        whole_bytes, whole_packed = whole_bytes + len(body), whole_packed + packed
        if step % options.seldom == 0:
            await loop.run_in_executor(None, seldom.follow)
            if seldom.revision == often.revision and seldom.products != often.products:
                raise Failure(f"step {step}: a client that follows seldom holds another list")
    await asyncio.sleep(0.5)
    stream.cancel()
    with suppress(asyncio.CancelledError):
        await stream
    print(f"{options.steps} steps, {options.changing} of {options.products} products each: held and listed alike at every step")
    print(f"changes {often.bytes / 1e6:.2f} MB ({often.packed / 1e6:.2f} in gzip), each {options.seldom} steps "
          f"{seldom.bytes / 1e6:.2f} MB ({seldom.packed / 1e6:.2f}); whole lists {whole_bytes / 1e6:.2f} MB ({whole_packed / 1e6:.2f})")
    print(f"longest answer of /changes {often.longest * 1000:.0f} ms; events {len(delays)}, "
          f"{min(delays) * 1000:.0f} to {max(delays) * 1000:.0f} ms after the feed changed")
    shop.end()


def main() -> int:
    arguments = parser(__doc__)
    arguments.add_argument("--products", type=int, default=10_000)
    arguments.add_argument("--changing", type=int, default=1_000, help="products whose stock changes in each step")
    arguments.add_argument("--steps", type=int, default=60)
    arguments.add_argument("--every", type=float, default=1, help="seconds between two steps")
    arguments.add_argument("--seldom", type=int, default=10, help="steps between two requests of the second client")
    arguments.add_argument("--ttl", default="400ms", help="of the stock; it is asked for each half of it")
    arguments.add_argument("--seed", type=int, default=4)
    options = arguments.parse_args()
    return run("stock", lambda programs: asyncio.run(drill(programs, options)))


if __name__ == "__main__":
    sys.exit(main())

"""The dearest requests that a client can make of 16 KB of head and 8 KB of target, on every route of both ports, in
instructions beside a plain one: `make bench-instructions`.

Each is asked a few times of one Larder under callgrind; a request that closes its connection has callgrind write down
what came before it. What an event loop spends decides, since a loop serves all its clients: it may be ten times what it
spends on a plain request of the route, or on a plain `GET /products` where that is more. Long targets are read by other
threads, beside which loops go on: what all of them spend is a column of its own.
"""

import argparse
import itertools
import re
import socket
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from catalogues import get
from instructions import stripped
from processes import Failure, Processes, end, free_ports, parser, run, two_cores, until, wait_for
from servers import filled

HEAD, TARGET = 16_000, 8_000
"""Bytes, a little below the limits."""
MOST = 10
"""Times a plain request."""
TIMES = 3
MARKER = "larder_evhttp_mark_last"
"""Called for the answer to a request that closes its connection, and for no other that is asked here."""
PUBLIC = ("/products", "/products/p-1", "/categories", "/changes?since=x", "/livez", "/readyz", "/healthz", "/openapi.json",
          "/nowhere")
OPERATORS = ("/", "/graph", "/graph.html", "/products", "/metrics", "/livez", "/readyz", "/healthz", "/quarantine",
             "/history", "/history.html", "/diff", "/nowhere")


@dataclass(frozen=True)
class Question:
    """A request, and what is long in it."""

    port: str
    route: str
    what: str
    request: bytes

    @property
    def is_long_target(self) -> bool:
        """Whether other threads than the loop read the target."""
        return len(self.request.split(b" ", 2)[1]) > 256


def filling(unit: str, size: int) -> str:
    return unit * (size // len(unit.encode()))


def fields() -> Iterator[tuple[str, str]]:
    """Header fields, as text."""
    size = HEAD - 200
    yield "Host", "Host: " + filling("a", size)
    yield "Host, an address", "Host: " + filling("1.", size)
    yield "Authorization", "Authorization: " + filling("a", size)
    yield "Authorization, Bearer", "Authorization: Bearer " + filling("e\u0301", size)
    yield "Prefer", "Prefer: " + filling("wait=1,", size)
    yield "Accept", "Accept: " + filling("a/b;q=0.1,", size)
    yield "Accept, accents", "Accept: " + filling("e\u0301/e\u0301,", size)
    yield "Accept-Encoding", "Accept-Encoding: " + filling("br;q=1,", size)
    yield "If-None-Match", "If-None-Match: " + filling('"a",', size)
    yield "If-None-Match, of a tag's length", "If-None-Match: " + filling('"0123456789abcdef0123456789abcdef",', size)
    yield "If-Match", "If-Match: " + filling('W/"a",', size)
    yield "If-Modified-Since", "If-Modified-Since: " + filling("Sunday, ", size)
    yield "Cookie", "Cookie: " + filling("a=b; ", size)
    yield "Origin", "Origin: http://" + filling("a", size)
    yield "Forwarded", "X-Forwarded-For: " + filling("1.1.1.1, ", size)
    yield "X-Request-Id", "X-Request-Id: " + filling("a", size)
    yield "traceparent", "traceparent: 01-" + "a" * 32 + "-" + "b" * 16 + "-01-" + filling("c", size - 80)
    yield "tracestate", ("traceparent: 00-" + "a" * 32 + "-" + "b" * 16 + "-01\r\ntracestate: "
                         + filling("a=b,", 900) + filling(" ,", 100))
    yield "Last-Event-ID", "Accept: text/event-stream\r\nLast-Event-ID: " + filling("a", size - 40)
    yield "Range", "Range: bytes=" + filling("0-1,", size)
    yield "a hundred fields", "\r\n".join(f"X-{number:02}: {'a' * 150}" for number in range(97))
    yield "a hundred of Accept", "\r\n".join(f"Accept: {'a/b,' * 37}" for _ in range(97))
    yield "a name", filling("a", size) + ": b"
    yield "short lines", "\r\n".join("a:" for _ in range(97))


def targets(route: str) -> Iterator[tuple[str, str]]:
    """Targets of a route; `@` stands for a number."""
    path = route.partition("?")[0]
    size = TARGET - 100
    for name in ("ids", "fields", "sort", "category", "type", "q", "exclude", "verbose&exclude", "since", "unknown"):
        yield f"{name}=a,", f"{path}?{name}={filling('a,', size)}@"
    yield "q, words", f"{path}?q={filling('word+', size)}@"
    yield "q, accents", f"{path}?q={filling('%CC%81', size)}@"
    yield "ids, escapes", f"{path}?ids={filling('%41', size)}@"
    yield "ids, escaped commas", f"{path}?ids={filling('%5C%2C', size)}@"
    yield "cursor", f"{path}?cursor={filling('a', size)}@"
    yield "min_price", f"{path}?min_price={filling('9', size)}"
    yield "limit", f"{path}?limit={filling('1', size)}"
    yield "many items", f"{path}?{filling('a&', size)}"
    yield "many excluded", f"{path}?verbose{filling('&exclude=a', size)}"
    yield "many excluded, all different", (
        f"{path}?verbose&" + "&".join(f"exclude={number}" for number in range(size // 13)))
    yield "a broken escape", f"{path}?{filling('%41', size)}%"
    yield "a name near one", f"{path}?{filling('catego', 120)}ry=1"
    yield "a longer path", f"{path.rstrip('/')}/{filling('a', size)}"
    yield "many segments", f"{path.rstrip('/')}{filling('/a', size)}"
    yield "escaped segments", f"{path.rstrip('/')}/{filling('%41', size)}"
    yield "escaped accents", f"{path.rstrip('/')}/{filling('%CC%81', size)}"
    yield "an escaped route", f"/{filling('%70', size)}"


def questions() -> Iterator[Question]:
    for port, routes in (("clients", PUBLIC), ("operators", OPERATORS)):
        for route in routes:
            yield Question(port, route, "nothing", head(route))
            for what, text in fields():
                yield Question(port, route, what, head(route, text))
            for what, target in targets(route):
                yield Question(port, route, what, head(target))
    for what, text in (("nothing", ""), *fields()):
        yield Question("clients", "OPTIONS *", what, head("*", text, "OPTIONS"))
        yield Question("clients", "POST /hooks/shop", what, head("/hooks/shop", text, "POST"))
        yield Question("clients", "HEAD /products", what, head("/products", text, "HEAD"))
        yield Question("operators", "POST /pin", what, head("/pin?generation=x", text, "POST"))
    for what, target in targets("/pin"):
        yield Question("operators", "POST /pin", what, head(target, "", "POST"))


def head(target: str, text: str = "", method: str = "GET") -> bytes:
    host = "" if text.startswith("Host:") else "Host: 127.0.0.1\r\n"
    lines = f"{method} {target} HTTP/1.1\r\n{host}" + (f"{text}\r\n" if text else "")
    return f"{lines}\r\n".encode()


class Client:
    """One connection, made anew when it was closed."""

    def __init__(self, port: int):
        self.port, self.connection = port, None

    def ask(self, request: bytes) -> int:
        """The status of the answer, which is read to its end."""
        for _ in range(2):
            try:
                self.connection = self.connection or socket.create_connection(("127.0.0.1", self.port), 120)
                self.connection.sendall(request)
                return self.take(has_body=not request.startswith(b"HEAD"))
            except OSError:
                self.connection = None
        raise Failure(f"no answer to {request[:60]!r}")

    def take(self, has_body: bool) -> int:
        received = b""
        while b"\r\n\r\n" not in received:
            received += self.receive()
        start, _, body = received.partition(b"\r\n\r\n")
        start = start.lower()
        length = int((re.search(rb"^content-length: (\d+)", start, re.MULTILINE) or [0, 0])[1])
        while has_body and len(body) < length:
            body += self.receive()
        if b"connection: close" in start:
            self.connection.close()
            self.connection = None
        return int(start.split()[1])

    def receive(self) -> bytes:
        if not (chunk := self.connection.recv(1 << 16)):
            raise ConnectionResetError
        return chunk


class Counter:
    """Larder under callgrind, and what it has written down so far: for the thread that has answered, or for all."""

    def __init__(self, processes: Processes, options: argparse.Namespace, threads: str):
        core, _ = two_cores()
        folder = processes.folder / threads
        folder.mkdir()
        [upstream] = free_ports(1)
        wait_for(upstream, processes.start(f"upstream of {threads}", [options.larder, "upstream", "--listen", f"127.0.0.1:{upstream}"]))
        self.ports = dict(zip(("clients", "operators"), free_ports(2)))
        values = dict(port=self.ports["clients"], admin=self.ports["operators"], upstream=upstream, ttl="1h",
                      data=folder / "data")
        config = folder / "larder.yaml"
        config.write_text(filled("larder.yaml.in", values) + "hooks: { shop: { signature: github, secret: hush } }\n")
        self.profiles, self.dumps = folder / "callgrind", 0
        tool = ["valgrind", "--tool=callgrind", f"--separate-threads={'no' if threads == 'all' else 'yes'}",
                f"--dump-before={MARKER}", f"--callgrind-out-file={self.profiles}"]
        self.process = processes.start(f"larder of {threads}", [*tool, options.larder, "serve", "--config", config], core=core)
        wait_for(self.ports["clients"], self.process, patience=240)
        until(lambda: get(self.ports["clients"], "/products", timeout=60).status == 200, "Larder has a catalogue",
              patience=240)
        self.clients = {name: Client(port) for name, port in self.ports.items()}
        self.numbers = itertools.count()
        plain = Question("clients", "/products", "nothing", head("/products"))
        for _ in range(3):
            self.cost_of_marker()
            self.plain, _ = self.cost(plain)

    def cost_of_marker(self) -> None:
        self.count()
        self.marker = self.count()

    def count(self) -> dict[str, int]:
        """The instructions since the last time, by thread where they are told apart."""
        self.clients["clients"].ask(head("/livez", "Connection: close"))
        self.dumps += 1
        counts = {}
        for path in self.profiles.parent.glob(f"{self.profiles.name}.{self.dumps}*"):
            found = re.search(r"^(?:totals|summary): (\d+)", path.read_text(errors="replace"), re.MULTILINE)
            counts[path.name.rpartition("-")[2]] = int(found[1]) if found else 0
            path.unlink()
        if not counts:
            raise Failure(f"callgrind has not written down part {self.dumps}: {self.process.log.read_text()[-2000:]}")
        return counts

    def cost(self, question: Question) -> tuple[float, int]:
        """The instructions of one request, and the status. No query is asked twice. The first of its kind is not
        counted: what the process does once, such as the look-up of a conformance, no client can have it do again."""
        self.ask(question)
        self.count()
        for _ in range(TIMES):
            status = self.ask(question)
        found = self.count()
        return (sum(found.values()) - sum(self.marker.values())) / TIMES, status

    def ask(self, question: Question) -> int:
        """The status of the answer to a question with the next number."""
        return self.clients[question.port].ask(question.request.replace(b"@", str(next(self.numbers)).encode(), 1))


def main() -> int:
    arguments = parser(__doc__)
    arguments.add_argument("--table", type=Path, help="where the whole table is kept; the worst are printed")
    arguments.add_argument("--only", help="a part of what is asked, as port, route and what")
    options = arguments.parse_args()
    return run("worst", lambda processes: measure(processes, options), most_seconds=3600)


def measure(processes: Processes, options: argparse.Namespace) -> bool:
    options.larder = stripped(options.larder, processes.folder)
    loop, whole = (Counter(processes, options, threads) for threads in ("the loop", "all"))
    rows, units = [], {}
    for question in questions():
        title = f"{question.port} {question.route}: {question.what}"
        if question.what == "nothing" or not options.only or options.only in title:
            spent, status = loop.cost(question)
            is_unit = question.what == "nothing"
            if is_unit or spent > MOST * units[question.port, question.route]:
                # What a loop does now and then beside requests may have come between.
                spent = min(spent, *(loop.cost(question)[0] for _ in range(2)))
            if is_unit:
                units[question.port, question.route] = max(loop.plain, spent)
            total = whole.cost(question)[0] if question.is_long_target else spent
            rows.append((spent / units[question.port, question.route], spent / loop.plain, total / loop.plain, status,
                         title))
    end(loop.process)
    end(whole.process)
    rows.sort(reverse=True)
    top = ["| of a plain one of the route | of `GET /products` | on all threads | status | what is long |",
           "|---:|---:|---:|---|---|", f"| 1.0 | 1.0 = {loop.plain:,.0f} | 1.0 | 200 | clients /products: plain |"]
    lines = [f"| {own:.1f} | {one:.1f} | {total:.1f} | {status} | {title} |" for own, one, total, status, title in rows]
    if options.table:
        options.table.write_text("\n".join(top + lines) + "\n")
    print("\n".join(top + lines[:40]))
    print("On all threads most:")
    print("\n".join(lines[place] for place in sorted(range(len(rows)), key=lambda at: -rows[at][2])[:20]))
    dear = [row for row in rows if row[0] > MOST]
    print(f"{len(dear)} of {len(rows)} requests cost a loop more than {MOST} times a plain one", flush=True)
    return not dear


if __name__ == "__main__":
    sys.exit(main())

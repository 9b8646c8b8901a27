"""The processor time of refreshes of the default graph, seen from outside, beside orjson: `make bench-refresh`.

It is the time of all threads of `larder serve` from the order to refresh until the catalogue is on disk, the first page
shows the change and the process is idle again; of rows with more wanted, also until a search and the whole list in gzip
have been answered. orjson reads and writes the same bytes between the rounds, in a process of its own on the same core.
"""

import http.client
import math
import os
import statistics
import subprocess
import sys
import time
from argparse import Namespace
from dataclasses import dataclass, field
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.append(str(HERE.parent / "Serve"))

import machine
from bodies import Body, Upstream
from processes import Failure, Processes, end, free_ports, parser, resident, run, two_cores, until
from ratios_chart import chart

CONFIG = """
http: {{ listen: "127.0.0.1:{http}" }}
admin: {{ listen: "127.0.0.1:{admin}" }}
serve:
  type: shop
  url: "http://127.0.0.1:{upstream}/products"
  data: "{data}"
  ttl: 1h
  max_body: 1GiB
  timeout: 60s
  keep_for: {{ all: 1h, hourly: 48h, daily: 14d }}
  max_bytes: 1GiB
  monitor: {{ type: tcp, interval: 2s, timeout: 1s, fall: 2, rise: 1 }}
  gate: {{ warn_max_price_change: {{ factor: 3, share: 0.5 }} }}
"""
SIZES = 1_000, 10_000, 100_000, 1_000_000
ALL, FEW, SENT, TAGGED, WANTED, FEW_WANTED = "all changed", "12 changed", "unchanged, sent again", "unchanged, 304", \
    "all changed, search and gzip wanted", "12 changed, search and gzip wanted"
GOALS = {ALL: 0.6, FEW: 0.2, SENT: 0.02, TAGGED: 0.02, WANTED: 0.9}
"""Times orjson, from 10,000 products on."""
PAGE, SEARCH = "/products?limit=20", "/products?q=lot&limit=50"
IDLE = 0.25
"""Seconds without work after which a refresh is over."""


@dataclass
class Column:
    """The results of one body: ms by row, the last row orjson's."""

    count: int
    is_described: bool
    megabytes: float = 0
    times: dict[str, list[float]] = field(default_factory=dict)
    orjson: list[float] = field(default_factory=list)
    floors: dict[str, float] = field(default_factory=dict)
    resident: float = 0

    def middle(self, row: str) -> float:
        return statistics.median(self.times[row])

    def ratio(self, row: str) -> float:
        return self.middle(row) / statistics.median(self.orjson)


class Service:
    """`larder serve` with the graph of config/larder.yaml on one core."""

    def __init__(self, processes: Processes, options: Namespace, upstream: Upstream, core: int, name: str):
        self.port, self.admin = free_ports(2)
        self.data = processes.folder / name
        config = processes.folder / f"{name}.yaml"
        config.write_text(CONFIG.format(http=self.port, admin=self.admin, upstream=upstream.port, data=self.data))
        self.process = processes.start(name, [options.larder, "serve", "--config", config], core=core)
        # The clock of another process, clock_getcpuclockid(3).
        self.clock = ~self.process.pid << 3 | 2
        until(lambda: self.status("/readyz") == 200 and self.files(), "it is ready and has saved", self.process, 120)
        self.settle()

    @property
    def milliseconds(self) -> float:
        return time.clock_gettime(self.clock) * 1000

    def ask(self, target: str, headers: dict | None = None, port: int = 0, method: str = "GET") -> tuple[int, bytes]:
        connection = http.client.HTTPConnection("127.0.0.1", port or self.port, timeout=120)
        try:
            connection.request(method, target, headers=headers or {})
            response = connection.getresponse()
            return response.status, response.read()
        finally:
            connection.close()

    def status(self, target: str) -> int:
        try:
            return self.ask(target)[0]
        except OSError:
            return 0

    def files(self) -> set[tuple[str, int]]:
        """The generations on disk, complete ones alone; a file that replaces another has a new number."""
        return {(path.name, path.stat().st_ino) for path in self.data.rglob("generation-*.json")}

    def settle(self) -> float:
        """Returns when the process does nothing any more, with the time on its clock."""
        while True:
            before = self.milliseconds
            time.sleep(IDLE)
            if (now := self.milliseconds) - before < 1:
                return now

    def refresh(self, body: Body | None, is_more_wanted: bool = False) -> float:
        """Refreshes; gives the ms of processor time. Without a body, nothing has changed."""
        before, began = self.files(), self.milliseconds
        status, _ = self.ask("/refresh?force=1", {"Prefer": "respond-async"}, self.admin, "POST")
        if status != 202:
            raise Failure(f"POST /refresh: {status}")
        if body:
            until(lambda: self.files() - before, "the catalogue is saved", self.process, 120, 0.002)
            until(lambda: self.shows(body), "the change is served", self.process, 120, 0.01)
        if is_more_wanted:
            self.want()
        return self.settle() - began

    def shows(self, body: Body) -> bool:
        return f'"sales":{body.sales(0)},'.encode() in self.ask(PAGE)[1].split(b'"id":"p-1"')[0]

    def want(self) -> None:
        self.ask(SEARCH)
        self.ask("/products", {"Accept-Encoding": "gzip"})


def main() -> int:
    arguments = parser(__doc__)
    arguments.add_argument("--floors", type=Path, required=True, help="floors.c, built")
    arguments.add_argument("--sizes", type=int, nargs="+", default=SIZES, help="numbers of products")
    arguments.add_argument("--rounds", type=int, default=5, help="of refreshes of each kind; three of a million products")
    arguments.add_argument("--plain", action="store_true", help="with descriptions alone")
    arguments.add_argument("--svg", type=Path, help="the file for a chart")
    options = arguments.parse_args()
    return run("bench-refresh", lambda processes: bench(processes, options), most_seconds=3600)


def bench(processes: Processes, options: Namespace) -> bool:
    service_core, load_core = two_cores()
    os.sched_setaffinity(0, {load_core})
    peer = processes.start("orjson", [sys.executable, "-B", HERE / "orjson_peer.py"], core=service_core,
                           stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    print(*machine.description(str(options.larder)), f"orjson {peer.stdout.readline().strip()}", sep="\n")
    columns = []
    for count in options.sizes:
        for is_described in (True,) if options.plain else (True, False):
            columns.append(measured(processes, options, count, is_described, service_core, peer))
            show(columns[-1])
    grown = [growth(columns, row) for row in (ALL, WANTED) if len({column.count for column in columns}) > 2]
    for row, exponent in zip((ALL, WANTED), grown):
        print(f"growth of {row}, from 10,000 products on: the number of products to the power of {exponent:.2f}"
              f" (goal: 1.02)")
    if options.svg:
        options.svg.write_text(chart(columns))
    return True


def measured(processes: Processes, options: Namespace, count: int, is_described: bool, core: int,
             peer: subprocess.Popen) -> Column:
    """All rows for one body."""
    name = f"shop-{count}-{'with' if is_described else 'without'}"
    column, body, upstream = Column(count, is_described), Body(count, is_described), Upstream()
    file = processes.folder / "body.json"

    def changed(number: int) -> Body:
        body.change(number)
        upstream.body = body.bytes
        return body

    changed(0)
    file.write_bytes(upstream.body)
    column.megabytes = len(upstream.body) / 1e6
    output = subprocess.run([options.floors, file, processes.folder / "scratch"], stdout=subprocess.PIPE, text=True, check=True)
    for line in output.stdout.splitlines():
        milliseconds, step = line.split(None, 1)
        column.floors[step] = float(milliseconds)
    service = Service(processes, options, upstream, core, name)
    # Code and heap of both are warm after the first of each.
    service.refresh(changed(count))
    rounds = options.rounds if count < 1_000_000 else min(3, options.rounds)
    for _ in range(rounds):
        peer.stdin.write(f"{file}\n")
        peer.stdin.flush()
        column.orjson.append(float(peer.stdout.readline()))
        record(column, ALL, service.refresh(changed(count)))
        record(column, FEW, service.refresh(changed(12)))
        record(column, SENT, service.refresh(None))
        upstream.is_tagged = True
        service.refresh(None)
        record(column, TAGGED, service.refresh(None))
        upstream.is_tagged = False
    column.resident = resident(service.process.pid) / 1e6
    service.want()
    service.refresh(changed(count), is_more_wanted=True)
    for _ in range(rounds):
        record(column, WANTED, service.refresh(changed(count), is_more_wanted=True))
        record(column, FEW_WANTED, service.refresh(changed(12), is_more_wanted=True))
    upstream.leave()
    end(service.process)
    return column


def record(column: Column, row: str, milliseconds: float) -> None:
    column.times.setdefault(row, []).append(milliseconds)


def show(column: Column) -> None:
    described = "with" if column.is_described else "without"
    middle = statistics.median(column.orjson)
    print(f"\n{column.count:,} products {described} descriptions, {column.megabytes:.1f} MB; {column.resident:.0f} MB resident")
    print(f"{'':44}{'ms':>9}{'to':>9}{'÷ orjson':>10}")
    print(f"{'orjson, loads and dumps':44}{min(column.orjson):9.1f}{max(column.orjson):9.1f}")
    for row, times in column.times.items():
        goal = f"  goal: {GOALS[row]}" if column.count >= 10_000 and row in GOALS else ""
        print(f"{row:44}{min(times):9.1f}{max(times):9.1f}{column.ratio(row):10.3f}{goal}")
    floors = column.floors | {"all floors": sum(column.floors.values())}
    for step, milliseconds in floors.items():
        print(f"{f'floor: {step}':44}{milliseconds:9.1f}{'':9}{milliseconds / middle:10.3f}")
    sys.stdout.flush()


def growth(columns: list[Column], row: str) -> float:
    """The exponent of the power of the number of products that fits the times best."""
    places = [(math.log(column.count), math.log(column.middle(row))) for column in columns
              if column.is_described and column.count >= 10_000]
    return statistics.linear_regression(*zip(*places)).slope


if __name__ == "__main__":
    sys.exit(main())

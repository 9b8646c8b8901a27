"""Large catalogues that change: start, memory, first queries, latency under load, and a million products.

wrk knows no rate: each of its connections pauses for a random time before it asks again, nine milliseconds in the mean,
and wrk adds what such a connection would have asked while it waited for a late answer. Upstream, clients and service
share the machine. Exits with 1 when a goal is missed.
"""

import argparse
import http.client
import json
import statistics
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from programs import HERE, Failure, Programs, parser, resident, run, until
from revisions import Revisions, Shop

REPORT = HERE.parent / "Benchmarks" / "Serve" / "report.lua"
PACE = "function delay() return math.random(0, 18) end\n"
QUERIES = ("/products/p-5", "/products?ids=p-1,p-2", "/products?q=lemon&limit=50", "/products?sort=name&limit=50",
           "/products?sort=-price&limit=50", "/products?category=jam&limit=50", "/products?min_price=80&limit=50",
           "/products?limit=50&fields=id,name")
LOADED = "/products/p-5", "/products?limit=20"
SETTLED = 2
"""Seconds until a service has saved, and has returned memory."""


@dataclass
class Report:
    """The figures beside their goals."""

    missed: list[str] = field(default_factory=list)

    def add(self, name: str, value: float, unit: str, most: float | None = None, remark: str = "") -> None:
        is_missed = most is not None and value > most
        if is_missed:
            self.missed.append(name)
        goal = "" if most is None else f"<= {most:.4g}"
        print(f"{name:64} {value:9.2f} {unit:2} {goal:>8} {'MISSED' * is_missed:6} {remark}".rstrip(), flush=True)


class Client:
    """Asks over one connection."""

    def __init__(self, port: int):
        self.connection = http.client.HTTPConnection("127.0.0.1", port, timeout=60)

    def ask(self, target: str, method: str = "GET") -> tuple[float, str]:
        """The milliseconds of an answer, and its tag."""
        began = time.perf_counter()
        self.connection.request(method, target)
        response = self.connection.getresponse()
        response.read()
        taken = (time.perf_counter() - began) * 1000
        if response.status != 200:
            raise Failure(f"{target}: {response.status}")
        return taken, response.headers["ETag"]

    def swapped(self, change) -> float:
        """Makes a change, and returns as soon as it is served, with the seconds that it took."""
        before = self.ask("/products?limit=1", "HEAD")[1]
        change()
        return until(lambda: self.ask("/products?limit=1", "HEAD")[1] != before, "another revision is served",
                     patience=60, pause=0.002)


def main() -> int:
    arguments = parser(__doc__)
    arguments.add_argument("--products", type=int, default=100_000)
    arguments.add_argument("--few", type=int, default=10_000, help="products of a smaller catalogue")
    arguments.add_argument("--many", type=int, default=1_000_000, help="products of a larger one; 0 for none")
    arguments.add_argument("--rounds", type=int, default=5, help="of starts, queries and load")
    arguments.add_argument("--rate", type=int, default=10_000, help="requests a second")
    arguments.add_argument("--seconds", type=int, default=6, help="of load in each round, for each target and state")
    options = arguments.parse_args()
    return run("refresh", lambda programs: drill(programs, options), most_seconds=600)


def drill(programs: Programs, options: argparse.Namespace) -> bool:
    report = Report()
    few(programs, options, report)
    upstream = Revisions(options.products, kept=3)
    with serving(programs, options, upstream) as shop:
        first_queries(shop, upstream, options, report)
    with serving(programs, options, upstream, ttl="2s") as shop:
        latency(programs, shop, upstream, options, report)
    upstream.leave()
    cold_starts(programs, upstream, options, report)
    if options.many:
        many(programs, options, report)
    if report.missed:
        print(f"missed: {'; '.join(report.missed)}")
    return not report.missed


@contextmanager
def serving(programs: Programs, options: argparse.Namespace, upstream: Revisions, ttl: str = "1s") -> Iterator[Shop]:
    shop = Shop.start(programs, options.larder, upstream, ttl)
    yield shop
    time.sleep(SETTLED)
    shop.end()


def few(programs: Programs, options: argparse.Namespace, report: Report) -> None:
    """A small catalogue."""
    upstream = Revisions(options.few, kept=3)
    with serving(programs, options, upstream) as shop:
        client = Client(shop.http)
        for _ in range(options.rounds):
            client.swapped(upstream.change)
            for target in QUERIES:
                client.ask(target)
        time.sleep(SETTLED)
        report.add(f"{options.few:,} products, {options.rounds} refreshes: resident", resident(shop.service.pid) / 1e6,
                   "MB", 60)
    upstream.leave()


def first_queries(shop: Shop, upstream: Revisions, options: argparse.Namespace, report: Report) -> None:
    """One query of each kind right after a swap, with all kinds asked before it."""
    client = Client(shop.http)
    for target in QUERIES:
        times = []
        for _ in range(options.rounds):
            for other in QUERIES:
                client.ask(other)
            client.swapped(upstream.change)
            times.append(client.ask(target)[0])
        report.add(f"first {target} after a swap", statistics.median(times), "ms", 20, f"at most {max(times):.1f}")


def latency(programs: Programs, shop: Shop, upstream: Revisions, options: argparse.Namespace, report: Report) -> None:
    """The latency under load while the upstream's catalogue is the same, and while all of it changes."""
    script = programs.folder / "paced.lua"
    script.write_text(REPORT.read_text() + PACE)
    for target in LOADED:
        found = {False: [], True: []}
        for _ in range(options.rounds):
            for is_moving, results in found.items():
                time.sleep(SETTLED)
                upstream.is_moving, before = is_moving, upstream.number
                results.append(load(script, f"http://127.0.0.1:{shop.http}{target}", options))
                upstream.is_moving = False
                if is_moving and upstream.number - before < options.seconds // 3:
                    raise Failure(f"{upstream.number - before} refreshes in {options.seconds} s")
        p99 = {}
        for is_moving, results in found.items():
            times, rates = zip(*results)
            p99[is_moving] = statistics.median(times)
            state = "all changes every 2 s" if is_moving else "calm"
            report.add(f"{target} at {statistics.median(rates):,.0f}/s, {state}, p99", p99[is_moving], "ms",
                       remark=f"{min(times):.1f} to {max(times):.1f}")
        report.add(f"{target}, times calm", p99[True] / p99[False], "", 1.5)


def load(script: Path, url: str, options: argparse.Namespace) -> tuple[float, float]:
    """The p99 in milliseconds, and the requests a second."""
    command = ["wrk", "-t1", f"-c{options.rate // 100}", f"-d{options.seconds}s", "-T5s", "-s", script, url]
    output = subprocess.run(command, capture_output=True, text=True, check=True, timeout=options.seconds + 20).stdout
    result = json.loads(output.splitlines()[-1])
    if bad := {kind: result[kind] for kind in ("status", "connect", "read", "write", "timeout") if result[kind]}:
        raise Failure(f"{url}: {bad}")
    return result["p99"] / 1000, result["requests"] / result["microseconds"] * 1e6


def cold_starts(programs: Programs, upstream: Revisions, options: argparse.Namespace, report: Report) -> None:
    """Starts from disk, with the upstream off."""
    seconds, megabytes = [], []
    for _ in range(options.rounds):
        with serving(programs, options, upstream) as shop:
            seconds.append(shop.seconds)
            time.sleep(SETTLED)
            megabytes.append(resident(shop.service.pid) / 1e6)
    name = f"{upstream.count:,} products ({upstream.megabytes:.1f} MB), cold start"
    report.add(f"{name} to ready", statistics.median(seconds) * 1000, "ms", 150)
    report.add(f"{name}, resident", statistics.median(megabytes), "MB", 2.5 * upstream.megabytes + 30)


def many(programs: Programs, options: argparse.Namespace, report: Report) -> None:
    """A very large catalogue, whose figures have no goal."""
    upstream = Revisions(options.many, kept=2)
    name = f"{upstream.count:,} products ({upstream.megabytes:.0f} MB)"
    with serving(programs, options, upstream) as shop:
        report.add(f"{name}, first start to ready", shop.seconds * 1000, "ms")
        queried(name, shop, report)
        seconds = Client(shop.http).swapped(upstream.change)
        report.add(f"{name}, change until served (ttl 1 s)", seconds * 1000, "ms")
        queried(name, shop, report)
    upstream.leave()
    with serving(programs, options, upstream) as shop:
        report.add(f"{name}, cold start to ready", shop.seconds * 1000, "ms")
        queried(name, shop, report)


def queried(name: str, shop: Shop, report: Report) -> None:
    client = Client(shop.http)
    times = {client.ask(target)[0]: target for target in QUERIES}
    report.add(f"{name}, slowest first query", max(times), "ms", remark=times[max(times)])
    time.sleep(SETTLED)
    report.add(f"{name}, resident", resident(shop.service.pid) / 1e6, "MB")


if __name__ == "__main__":
    sys.exit(main())

"""A catalogue that changes at every refresh: resident memory must stay in proportion to it, and flat.

An upstream on loopback changes each of its products when it is told to, and the service asks it every second. Resident
memory is read once a revision has been served for a moment. Optionally with queries of every kind at each revision, and
with clients that each read the whole catalogue of another revision, some hundred bytes a second.
"""

import argparse
import json
import statistics
import sys
import time
from dataclasses import dataclass, field
from pathlib import Path

from plot import plot
from programs import Failure, Programs, ask, parser, resident, run
from revisions import Revisions, Shop, SlowReaders

QUERIES = ("q=lemon&limit=50", "sort=name&limit=50", "sort=-price&limit=50", "category=jam", "min_price=80",
           "fields=id,name&limit=1000", "view=display", "ids=p-1,p-2")
FEW = 10
"""Products beside which the process is measured: how much of a program is resident depends on the kernel."""
MOST_BASE = 60
"""Megabytes of that process, as Operating promises."""


@dataclass
class Scenario:
    """The load on a service, and its memory after each revision in megabytes."""

    name: str
    products: int
    queries: bool
    slow_readers: int
    size: float = 0
    base: float = 0
    """Of a service with few products."""
    memory: list[float] = field(default_factory=list)
    peak: float = 0

    def judge(self, most: float, held: float) -> list[str]:
        """The broken expectations."""
        fifth = max(1, len(self.memory) // 5)
        early, late = (statistics.median(part) for part in (self.memory[fifth:2 * fifth], self.memory[-fifth:]))
        problems, times, most = [], (late - self.base) / self.size, most + held * self.slow_readers
        if self.base > MOST_BASE:
            problems.append(f"{self.name}: a service with {FEW} products has {self.base:.0f} MB")
        if times > most:
            problems.append(f"{self.name}: {late:.0f} MB are {self.base:.0f} MB and {times:.1f} times the catalogue")
        if late > 1.1 * early + 2:
            problems.append(f"{self.name}: memory grew from {early:.0f} to {late:.0f} MB")
        print(f"{self.name:40} {self.size:10.1f} {self.base:8.0f} {self.memory[0]:8.0f} {early:8.0f} {late:8.0f} {self.peak:8.0f} "
              f"{times:8.1f} {most:8.1f}", flush=True)
        return problems


def main() -> int:
    arguments = parser(__doc__)
    arguments.add_argument("--products", type=int, nargs="+", default=[57_000, 100_000],
                           help="of catalogues, one by one")
    arguments.add_argument("--revisions", type=int, default=50)
    arguments.add_argument("--queries", action="store_true", help="ask queries of each revision")
    arguments.add_argument("--slow-readers", type=int, default=0, help="who each hold another revision")
    arguments.add_argument("--all", action="store_true", help="without both, with either, and with both")
    arguments.add_argument("--most", type=float, default=4,
                           help="times the catalogue's bytes that are allowed beside those of a service with few products")
    arguments.add_argument("--held", type=float, default=0, help="as many more for each slow reader")
    arguments.add_argument("--svg", type=Path, help="where to plot memory")
    options = arguments.parse_args()
    scenarios = planned(options)
    print(f"{'resident memory, MB':40} {'catalogue':>10}"
          + "".join(f" {name:>8}" for name in ("base", "first", "early", "late", "peak", "times", "allowed")))
    codes = [run("memory", lambda programs: drill(programs, options, scenario)) for scenario in scenarios]
    if options.svg:
        options.svg.write_text(plot([chart(scenario) for scenario in scenarios]))
        print(f"plotted in {options.svg}")
    return max(codes)


def planned(options: argparse.Namespace) -> list[Scenario]:
    readers = options.slow_readers or 4
    kinds = [(options.queries, options.slow_readers)]
    if options.all:
        kinds = [(False, 0), (False, readers), (True, 0), (True, readers)]
    return [Scenario(f"{count:,} products" + ", queries" * queries + f", {slow} slow readers" * bool(slow), count,
                     queries, slow)
            for count in options.products for queries, slow in kinds]


def drill(programs: Programs, options: argparse.Namespace, scenario: Scenario) -> None:
    change_again_and_again(programs, options.larder, scenario, options.revisions)
    if problems := scenario.judge(options.most, options.held):
        raise Failure("; ".join(problems))


def base(programs: Programs, larder: Path) -> float:
    """The megabytes of a service with few products."""
    upstream = Revisions(FEW)
    shop = Shop.start(programs, larder, upstream)
    seen = ""
    try:
        for _ in range(3):
            seen = next_revision(shop.http, seen, SlowReaders(shop.http, 0))
            upstream.change()
        return resident(shop.service.pid) / 1e6
    finally:
        upstream.leave()
        shop.end()


def change_again_and_again(programs: Programs, larder: Path, scenario: Scenario, count: int) -> None:
    scenario.base = base(programs, larder)
    upstream = Revisions(scenario.products)
    scenario.size = upstream.megabytes
    shop = Shop.start(programs, larder, upstream)
    http, service = shop.http, shop.service
    readers, seen = SlowReaders(http, scenario.slow_readers), ""
    try:
        for _ in range(count):
            seen = next_revision(http, seen, readers)
            readers.join()
            if scenario.queries:
                query(http)
            time.sleep(1)
            readers.read(1)
            scenario.memory.append(resident(service.pid) / 1e6)
            upstream.change()
        scenario.peak = resident(service.pid, "VmHWM") / 1e6
    finally:
        readers.leave()
        upstream.leave()
    shop.end()


def next_revision(http: int, seen: str, readers: SlowReaders) -> str:
    """Asks until another revision is served; gives its tag."""
    found, since = seen, time.monotonic()
    while found == seen:
        if time.monotonic() - since > 60:
            raise Failure("no other revision is served for a minute")
        time.sleep(0.1)
        readers.read(0.1)
        found = ask(http, "/products?limit=1", "HEAD", patience=30)[1].get("last-modified", seen)
    return found


def query(http: int) -> None:
    for one in QUERIES:
        answer = ask(http, f"/products?{one}", patience=60)
        if answer[0] != 200:
            raise Failure(f"{one}: {answer[0]} {answer[2][:200]}")
    if "products" not in json.loads(ask(http, "/products", patience=60)[2]):
        raise Failure("the whole catalogue has no products")


def chart(scenario: Scenario) -> tuple[str, dict]:
    points = [(float(number), value) for number, value in enumerate(scenario.memory, 1)]
    return f"{scenario.name}: resident MB by revision", {f"catalogue {scenario.size:.1f} MB": points}


if __name__ == "__main__":
    sys.exit(main())

"""An upstream that goes and comes every second, under load: no request may fail, and nothing may grow.

Calm, flapping, calm again. Memory must stay flat, latency as in calm, and log lines must follow the upstream's changes
and not the requests. A Prometheus scrapes all of it; what it has counted is compared with what the load generator and
the upstream have, and plotted.
"""

import argparse
import statistics
import sys
import threading
import time
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path

from hurried_service import Service
from load import Load
from plot import plot
from programs import Failure, Programs, end, log_lines, parser, resident, run, set_fault, until
from prometheus import Prometheus

CHARTS = (
    ("requests a second, by status", 'sum by (status) (rate(larder_http_requests_total{route="/products"}[5s]))'),
    ("answers a second, by freshness", "sum by (freshness) (rate(larder_answers_total[5s]))"),
    ("99 of 100 requests take at most (ms)", "1000 * histogram_quantile(0.99, sum by (le) "
     '(rate(larder_http_request_duration_seconds_bucket{route="/products"}[10s])))'),
    ("refreshes a second, by outcome", "sum by (outcome) (rate(larder_refresh_total[10s]))"),
    ("upstream requests a second, by outcome", "sum by (outcome) (rate(larder_upstream_requests_total[10s]))"),
    ("age of the catalogue (s)", "max(larder_snapshot_age_seconds)"),
    ("resident memory (MB)", "max(process_resident_memory_bytes) / 1e6"),
)


def main() -> int:
    arguments = parser(__doc__)
    arguments.add_argument("--rate", type=int, default=1000, help="requests a second")
    arguments.add_argument("--minutes", type=float, default=10, help="of flapping")
    arguments.add_argument("--calm", type=int, default=60, help="seconds of calm before, and after")
    arguments.add_argument("--period", type=float, default=1, help="seconds between two changes of the upstream")
    arguments.add_argument("--slower", type=float, default=1.2, help="how often calm's p99 is allowed")
    arguments.add_argument("--svg", type=Path, help="where to plot what Prometheus saw")
    options = arguments.parse_args()
    return run("flapping", lambda programs: drill(programs, options))


@dataclass
class Flapping:
    """Switches the upstream while it runs, and reads memory each time.

    In calm it does the same to no effect, so that what the drill itself takes of the machine is in both."""

    service: Service
    period: float
    mode: str = "down"
    """The fault that every other change switches on."""
    changes: int = 0
    unanswered: int = 0
    """Requests that the upstream got while it was away."""
    memory: list[float] = field(default_factory=list)
    over: threading.Event = field(default_factory=threading.Event)

    def during(self, work):
        """Does the work while the upstream is switched, and gives its result."""
        thread = threading.Thread(target=self.run)
        thread.start()
        try:
            return work()
        finally:
            self.over.set()
            thread.join()

    def run(self) -> None:
        asked = 0
        while not self.over.wait(self.period) or self.changes % 2:
            self.changes += 1
            is_away = self.changes % 2
            found = set_fault(self.service.upstream, self.mode if is_away else "none")["requests"]
            self.unanswered += 0 if is_away else found - asked
            asked = found
            self.memory.append(resident(self.service.process.pid) / 1e6)


class Verdict:
    """Says of each thing that has to be so whether it is."""

    def __init__(self):
        self.problems: list[str] = []

    def expect(self, is_so: bool, what: str) -> None:
        print(f"{'ok' if is_so else 'NOT SO'}: {what}", flush=True)
        if not is_so:
            self.problems.append(what)


def drill(programs: Programs, options: argparse.Namespace) -> None:
    service = Service(programs, options.larder, interval="250ms")
    prometheus = Prometheus(programs, {"larder": service.admin})
    until(lambda: prometheus.value("up") == 1, "the service is scraped")
    time.sleep(3)
    since, before = time.time(), counted(prometheus, service)

    def calmly() -> dict:
        calm = Flapping(service, options.period, mode="none")
        return calm.during(lambda: load(programs, service, options.rate, options.calm))

    calm = [calmly()]
    lines, flapping = len(log_lines(service.process.log)), Flapping(service, options.period)
    wild = flapping.during(lambda: load(programs, service, options.rate, int(options.minutes * 60)))
    logged = [line for line in log_lines(service.process.log)[lines:] if line["message"] != "analytics"]
    calm.append(calmly())
    time.sleep(3)
    grown = {name: count - before[name] for name, count in counted(prometheus, service).items()}
    draw(prometheus, since, options.svg)
    verdict = Verdict()
    verdict.expect(end(service.process) == 0, "the service stopped in order")
    judge(verdict, calm, wild, flapping, logged, options.slower)
    compare(verdict, grown, [*calm, wild], flapping)
    if verdict.problems:
        raise Failure(f"{len(verdict.problems)} of it is not so")


def load(programs: Programs, service: Service, rate: int, seconds: int) -> dict:
    running = Load(programs, service.port, rate, seconds)
    result = running.result()
    print(f"{seconds} s: {result}", flush=True)
    if result["failed"]:
        print(running.failures())
    return result


def judge(verdict: Verdict, calm: list[dict], wild: dict, flapping: Flapping, logged: list[dict],
          slower: float) -> None:
    """Judges by the load generator, the kernel and the log."""
    loads = [*calm, wild]
    failed, asked = (sum(one[name] for one in loads) for name in ("failed", "asked"))
    verdict.expect(failed == 0, f"{failed} of {asked} requests failed")
    usual = statistics.mean(one["p99"] for one in calm)
    verdict.expect(wild["p99"] <= slower * usual,
                   f"99 of 100 requests took at most {wild['p99']:.3f} ms, {wild['p99'] / usual:.2f} of calm")
    tenth = max(1, len(flapping.memory) // 10)
    first, last = (statistics.median(part) for part in (flapping.memory[tenth:2 * tenth] or flapping.memory,
                                                        flapping.memory[-tenth:]))
    verdict.expect(last - first <= 2, f"memory was {first:.1f} MB, and then {last:.1f} MB")
    verdict.expect(len(logged) <= 2 * flapping.changes + 2,
                   f"{len(logged)} log lines for {flapping.changes} changes and {wild['asked']} requests")
    for message, count in Counter(line["message"] for line in logged).most_common():
        print(f"  {count} {message}")


def counted(prometheus: Prometheus, service: Service) -> dict:
    """The counts of Prometheus and of the upstream so far."""
    return {"upstream": set_fault(service.upstream, "none")["requests"],
            "requests": prometheus.value('sum(larder_http_requests_total{route="/products", status="200"})'),
            "others": prometheus.value('sum(larder_http_requests_total{route="/products", status!="200"})'),
            "answers": prometheus.value("sum(larder_answers_total)"),
            "ok": prometheus.value('sum(larder_upstream_requests_total{outcome="ok"})'),
            "failed": prometheus.value('sum(larder_upstream_requests_total{outcome!="ok"})')}


def compare(verdict: Verdict, grown: dict, loads: list[dict], flapping: Flapping) -> None:
    """Whether Prometheus agrees with those who know: the load generator, and the upstream."""
    answered = sum(one["answered"] for one in loads)
    for name in ("requests", "answers"):
        verdict.expect(grown[name] == answered,
                       f"Prometheus has {grown[name]:.0f} {name}, the load generator {answered}")
    verdict.expect(grown["others"] == 0, f"Prometheus has {grown['others']:.0f} requests with another status than 200")
    good = grown["upstream"] - flapping.unanswered
    # The upstream is asked each second, also while one counter is read and then the other.
    verdict.expect(abs(grown["ok"] - good) <= 3,
                   f"Prometheus has {grown['ok']:.0f} good requests to the upstream, the upstream {good}")
    # libcurl asks once more, by itself, when a connection that was kept is closed without a word.
    verdict.expect(grown["failed"] <= flapping.unanswered <= 2 * grown["failed"],
                   f"Prometheus has {grown['failed']:.0f} failed ones, the upstream {flapping.unanswered}, which may "
                   "have each twice")


def draw(prometheus: Prometheus, since: float, svg: Path | None) -> None:
    if svg:
        step = max(1, int((time.time() - since) / 450))
        svg.write_text(plot([(title, prometheus.series(query, since, step)) for title, query in CHARTS]))
        print(f"plotted in {svg}")


if __name__ == "__main__":
    sys.exit(main())

"""Larder beside a plain evhttp server, nginx and Varnish: `make bench-serve`.

Each server has one core, wrk another. All are started, all answers are compared, then each row is measured with every
server in turn, round after round, so that what else the machine does meets them alike.
"""

import argparse
import signal
import sys
from pathlib import Path

from chart import chart
from machine import description
from measure import measure
from processes import Failure, Processes, parser, run, two_cores
from report import remarks, table
from results import Result
from rows import check_all, heads, rows
from servers import NAMES, Servers

PROGRAMS = {"plain": "plain_evhttp.c", "floor": "floor.c", "handshakes": "handshakes.c"}


def main() -> int:
    arguments = parser(__doc__)
    for program in PROGRAMS:
        arguments.add_argument(f"--{program}", type=Path, required=True, help=f"{PROGRAMS[program]}, compiled")
    arguments.add_argument("--rounds", type=int, default=5)
    arguments.add_argument("--seconds", type=int, default=2, help="how long a server is loaded for each row and round")
    arguments.add_argument("--svg", type=Path, help="where to draw the chart")
    options = arguments.parse_args()
    memory = Path("/dev/shm")
    return run("bench", lambda processes: report(measured(processes, options), options),
               parent=memory if memory.is_dir() else None)


def measured(processes: Processes, options: argparse.Namespace) -> list[Result]:
    """Measures everything, within a bounded time."""
    servers = Servers(processes, {name: getattr(options, name) for name in ("larder", *PROGRAMS)}, *two_cores())
    signal.alarm(120)
    servers.start()
    results = [Result(row) for row in rows(servers)]
    all_rows = [result.row for result in results]
    check_all(all_rows, servers)
    print("\n".join([*description(options.larder), f"Heads of an answer: {heads(all_rows, servers)}"]), flush=True)
    signal.alarm(60 + options.rounds * len(results) * len(NAMES) * (options.seconds + 2))
    for number in range(options.rounds):
        print(f"round {number + 1} of {options.rounds}", file=sys.stderr, flush=True)
        for result in results:
            if not result.failure:
                turn(result, number, servers, options.seconds)
    signal.alarm(0)
    return results


def turn(result: Result, number: int, servers: Servers, seconds: int) -> None:
    """One row with every server; another one begins in each round."""
    order = NAMES[number % len(NAMES):] + NAMES[:number % len(NAMES)]
    for name in order:
        if result.row.applies(name, servers):
            try:
                result.rounds.setdefault(name, []).append(measure(result.row, name, servers, seconds))
            except Failure as failure:
                result.failure = str(failure)
                return


def report(results: list[Result], options: argparse.Namespace) -> bool:
    print(f"Median (least–most) of {options.rounds} rounds of {options.seconds} s; one core each for server and wrk, "
          "loopback")
    print("\n".join(["", table(results), "", *remarks(results)]))
    if options.svg:
        options.svg.parent.mkdir(parents=True, exist_ok=True)
        options.svg.write_text(chart(results))
        print(f"\nchart: {options.svg}")
    return not any(result.failure for result in results)


if __name__ == "__main__":
    sys.exit(main())

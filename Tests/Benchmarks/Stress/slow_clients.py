"""slowhttptest in all its modes against one Larder, watched by a probe and an honest client: `make stress`.

While a thousand slow clients hold their connections, `/livez` must answer within 100 ms, `/products` must be served and
memory must stay bounded. The catalogue is of a megabyte, so that those who read slowly leave much unsent.
"""

import argparse
import subprocess
import sys
import time

from observers import Observer
from shared import Failure, Processes, parser, run, two_cores
from victim import MIB, Victim, Watch

PRODUCTS = 7000
MODES = {
    "slow headers": ["-H", "-i", "5", "-x", "24"],
    "slow body": ["-B", "-i", "5", "-s", "8192", "-x", "24"],
    "range": ["-R", "-a", "10", "-b", "3000", "-t", "GET"],
    "slow read": ["-X", "-w", "1", "-y", "512", "-n", "1", "-z", "32", "-k", "3"],
}
LIMITS = {
    "default": "connections: 10000",
    "short": "header_deadline: 1s, idle_timeout: 5s, write_timeout: 3s",
}
"""The limits in the config; the first are the defaults."""
HOLDING = {("default", "slow headers"), ("default", "slow read")}
"""Attacks that must have held half of their connections at once, or there was none. Ranges and bodies are
answered at once, and short limits cut before all have come."""
LATENCY_LIMIT = 100
"""Milliseconds that any probe may take."""
GROWTH_LIMIT = 64
"""MiB that the slow clients may cost Larder: 64 KiB for each of a thousand."""
SOCKETS_LIMIT = 512
"""MiB that they may cost the kernel."""


def main() -> int:
    arguments = parser(__doc__)
    arguments.add_argument("--connections", type=int, default=1000)
    arguments.add_argument("--seconds", type=int, default=25, help="how long each mode is tried at most")
    options = arguments.parse_args()
    return run("slow-clients", lambda processes: test(processes, options),
               most_seconds=len(LIMITS) * (len(MODES) * (options.seconds + 40) + 60))


def test(processes: Processes, options: argparse.Namespace) -> bool:
    print(f"{options.connections} slow clients; /livez every 100 ms and /products every 200 ms beside them\n")
    print("| limits | mode | held | probes | p50 ms | p99 ms | max ms | honest | p50 ms | p99 ms | max ms "
          "| failed | MiB first, peak, after | sockets MiB |")
    print("|---|---|---|---|---|---|---|---|---|---|---|---|---|---|")
    is_good = True
    for name, limits in LIMITS.items():
        victim = Victim(processes, options.larder, two_cores(), PRODUCTS, limits)
        for mode in MODES:
            is_good = try_mode(victim, name, mode, options) and is_good
    return is_good


def try_mode(victim: Victim, limits: str, mode: str, options: argparse.Namespace) -> bool:
    """One mode. Whether others were served as if there were no slow clients."""
    with (Watch(victim) as watch, Observer(victim.port, "/livez", 0.1) as probe,
          Observer(victim.port, "/products", 0.2) as honest):
        attack(victim, mode, options)
    time.sleep(1)
    failures = probe.failures + honest.failures
    print(f"| {limits} | {mode} | {watch.connections} | {probe.summary} | {honest.summary} | {len(failures)} "
          f"| {watch.memory} | {watch.sockets_grown / MIB:.0f} |", flush=True)
    complaints = failures[:3] + complaints_of(probe, watch)
    if (limits, mode) in HOLDING and watch.most_held < options.connections / 2:
        complaints.append(f"no more than {watch.most_held} of {options.connections} connections were held")
    for complaint in complaints:
        print(f"slow-clients: {limits}, {mode}: {complaint}", file=sys.stderr)
    return not complaints and victim.is_running()


def attack(victim: Victim, mode: str, options: argparse.Namespace) -> None:
    """Ends when all slow clients are cut off, or when the time is over. What slowhttptest says itself is left out: it
    notices neither resets nor answers that came early. It exits with 0 whatever came of it, even when no connection was
    accepted, and with another code when it could not begin."""
    command = ["taskset", "-c", str(victim.cores[1]), "slowhttptest", *MODES[mode], "-c", str(options.connections),
               "-r", str(options.connections // 4), "-l", str(options.seconds), "-p", "3",
               "-u", f"http://127.0.0.1:{victim.port}/products"]
    try:
        subprocess.run(command, capture_output=True, timeout=options.seconds + 30, check=True)
    except (OSError, subprocess.SubprocessError) as error:
        raise Failure(f"slowhttptest: {error}") from error


def complaints_of(probe: Observer, watch: Watch) -> list[str]:
    complaints = []
    if (slowest := probe.percentile(1)) >= LATENCY_LIMIT:
        complaints.append(f"/livez took {slowest:.0f} ms")
    if (grown := watch.grown / MIB) > GROWTH_LIMIT:
        complaints.append(f"memory grew by {grown:.0f} MiB")
    if (unsent := watch.sockets_grown / MIB) > SOCKETS_LIMIT:
        complaints.append(f"unsent answers took {unsent:.0f} MiB of the kernel's memory")
    return complaints


if __name__ == "__main__":
    sys.exit(main())

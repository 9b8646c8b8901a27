"""Ten thousand open connections, half of them idle and half asking: `make stress`.

First each asking connection asks once a second, then all ask as fast as they are answered. No connection may be cut and
no request refused, also not on those that were idle all the time.
"""

import argparse
import json
import subprocess
import sys

from running import run
from shared import Failure, Processes, two_cores
from victim import KIB, Victim, Watch

LIMITS = "connections: 12000, idle_timeout: 120s"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--larder", required=True, help="the program, built for release")
    parser.add_argument("--client", required=True, help="connections.c, compiled")
    parser.add_argument("--connections", type=int, default=10_000)
    parser.add_argument("--seconds", type=int, default=60, help="how long each run is")
    options = parser.parse_args()
    return run("connections", test, options, most_seconds=2 * options.seconds + 180)


def test(processes: Processes, options: argparse.Namespace) -> bool:
    print("| connections | asking | s | answers/s | p50 | p99 | max | late | errors | MiB first, peak, after "
          "| KiB each |")
    print("|---|---|---|---|---|---|---|---|---|---|---|")
    return all([hold(processes, options, pause) for pause in (1000, 0)])


def hold(processes: Processes, options: argparse.Namespace, pause: int) -> bool:
    """One run against a Larder of its own. Whether all went well."""
    cores = two_cores()
    victim = Victim(processes, options.larder, cores, products=100, limits=LIMITS)
    with Watch(victim) as watch:
        found = ask(options, victim.port, pause, cores[1])
    errors = sum(found["errors"].values())
    asking = "as fast as it can" if pause == 0 else f"each {1000 // pause}/s"
    print(f"| {found['open']} | half, {asking} | {found['seconds']} | {found['answers'] / found['seconds']:.0f} "
          f"| {found['p50'] / 1000:.2f} ms | {found['p99'] / 1000:.2f} ms | {found['max'] / 1000:.0f} ms "
          f"| {found['late']} | {errors} | {watch.memory} | {watch.grown / found['open'] / KIB:.2f} |", flush=True)
    if errors:
        print(f"connections: {json.dumps(found['errors'])}", file=sys.stderr)
    return errors == 0 and victim.is_running()


def ask(options: argparse.Namespace, port: int, pause: int, core: int) -> dict:
    command = ["taskset", "-c", str(core), options.client, str(port), "/products", str(options.connections),
               str(options.seconds), str(pause)]
    try:
        client = subprocess.run(command, capture_output=True, text=True, check=True, timeout=options.seconds + 90)
    except (OSError, subprocess.SubprocessError) as error:
        raise Failure(f"the client: {error}; {getattr(error, 'stderr', '')}") from error
    return json.loads(client.stdout)


if __name__ == "__main__":
    sys.exit(main())

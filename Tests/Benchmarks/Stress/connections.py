"""Ten thousand open connections, half of them idle and half asking: `make stress`.

First each asking connection asks once a second, then all ask as fast as they are answered. No connection may be cut and
no request refused, also not on those that were idle all the time.
"""

import argparse
import socket
import subprocess
import sys
import time
from pathlib import Path

from shared import Failure, Processes, parser, run, two_cores
from victim import KIB, Victim, Watch

LIMITS = "connections: 12000, idle_timeout: 120s"
REQUEST = b"GET /products HTTP/1.1\r\nHost: localhost\r\n\r\n"


def main() -> int:
    arguments = parser(__doc__)
    arguments.add_argument("--connections", type=int, default=10_000)
    arguments.add_argument("--seconds", type=int, default=60, help="of the run in which each asks once a second")
    arguments.add_argument("--requests", type=int, default=100, help="of each connection in the other run")
    options = arguments.parse_args()
    return run("connections", lambda processes: test(processes, options), most_seconds=600)


def test(processes: Processes, options: argparse.Namespace) -> bool:
    print("| connections | asking | s | answers/s | p50 ms | p99 ms | max ms | failed | idle ones cut "
          "| MiB first, peak, after | KiB each |")
    print("|---|---|---|---|---|---|---|---|---|---|---|")
    return all([hold(processes, options, is_paced) for is_paced in (True, False)])


def hold(processes: Processes, options: argparse.Namespace, is_paced: bool) -> bool:
    """One run against a Larder of its own. Whether all went well."""
    victim = Victim(processes, options.larder, two_cores(), products=100, limits=LIMITS)
    asking = options.connections // 2
    with Watch(victim) as watch:
        idle = [socket.create_connection(("127.0.0.1", victim.port), 20) for _ in range(options.connections - asking)]
        cut = sum(not is_served(one) for one in idle[::2])
        start = time.monotonic()
        requests = asking * (options.seconds if is_paced else options.requests)
        times = sorted(ask(victim, asking, requests, is_paced))
        seconds = time.monotonic() - start
        cut += sum(not is_served(one) for one in idle)
        for one in idle:
            one.close()
    p50, p99, most = (times[int(share * (len(times) - 1))] / 1000 for share in (0.5, 0.99, 1))
    print(f"| {options.connections} | half, {'once a second' if is_paced else 'as fast as it can'} | {seconds:.0f} "
          f"| {len(times) / seconds:.0f} | {p50:.2f} | {p99:.2f} | {most:.0f} | {requests - len(times)} | {cut} "
          f"| {watch.memory} | {watch.grown / options.connections / KIB:.2f} |", flush=True)
    return len(times) == requests and cut == 0 and victim.is_running()


def ask(victim: Victim, connections: int, requests: int, is_paced: bool) -> list[int]:
    """The microseconds of each answer with status 200; h2load gives up a connection that is cut."""
    answers = Path(victim.folder / "answers.tsv")
    command = ["taskset", "-c", str(victim.cores[1]), "h2load", "--h1", f"--clients={connections}",
               f"--requests={requests}", f"--log-file={answers}", "--connection-inactivity-timeout=20",
               # Connections made over a second ask over a second.
               *(["--rps=1", f"--rate={connections // 10}", "--rate-period=100ms"] if is_paced else []),
               f"http://127.0.0.1:{victim.port}/products"]
    try:
        client = subprocess.run(command, capture_output=True, text=True, timeout=300, check=True)
    except (OSError, subprocess.SubprocessError) as error:
        raise Failure(f"h2load: {error}") from error
    rows = [line.split() for line in answers.read_text().splitlines()]
    if len(rows) < requests or any(row[1] != "200" for row in rows):
        print("\n".join(client.stdout.splitlines()[-12:]), file=sys.stderr)
    return [int(row[2]) for row in rows if row[1] == "200"]


def is_served(connection: socket.socket) -> bool:
    """Whether an idle connection still gets a whole answer."""
    try:
        connection.sendall(REQUEST)
        received = b""
        while b"\r\n\r\n" not in received:
            received += connection.recv(1 << 16) or cut_off()
        head, _, body = received.partition(b"\r\n\r\n")
        left = int(head.lower().partition(b"content-length:")[2].split()[0]) - len(body)
        while left > 0:
            left -= len(connection.recv(1 << 16) or cut_off())
        return left == 0 and head.startswith(b"HTTP/1.1 200 ")
    except OSError:
        return False


def cut_off() -> bytes:
    raise ConnectionResetError


if __name__ == "__main__":
    sys.exit(main())

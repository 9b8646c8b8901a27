"""Runs a fleet to try things on, until Ctrl-C: `make demo-fleet`."""

import argparse
import os
import shutil
import socket
import sys
import time
from pathlib import Path

from fleet import EXAMPLE, Fleet
from processes import Stopped
from programs import Failure, parser, workshop

PORTS = {8080: "HAProxy", 8081: "the practice upstream", 6380: "Redis", 8091: "replica 1", 9091: "its operators",
         8092: "replica 2", 9092: "its operators", 8093: "replica 3", 9093: "its operators"}
PROGRAMS = {"redis-server": "redis-server", "redis-cli": "redis-tools", "haproxy": "haproxy", "setpriv": "util-linux"}
QUICK = {"LARDER_TTL": "5s", "LARDER_POLL": "2s", "LARDER_LEASE": "5s"}


def main() -> int:
    arguments = parser(__doc__)
    options = arguments.parse_args()
    try:
        with workshop("fleet") as programs:
            check(options)
            fleet = Fleet(programs, options.larder, list(PORTS), QUICK)
            fleet.start()
            print(hints(fleet, options.larder), flush=True)
            watch(fleet)
    except Failure as failure:
        print(f"demo-fleet: {failure}", file=sys.stderr)
        return 1
    except Stopped:
        print("\nstopped", flush=True)
    return 0


def check(options: argparse.Namespace) -> None:
    """Complains before anything is started."""
    if not options.larder.is_file():
        raise Failure(f"{options.larder} is missing: make build")
    for program, package in PROGRAMS.items():
        if not shutil.which(program, path="/usr/local/bin:/usr/bin:/bin:/usr/sbin"):
            raise Failure(f"{program} is missing: apt-get install {package}")
    for port, name in PORTS.items():
        try:
            socket.create_server(("127.0.0.1", port)).close()
        except OSError as error:
            raise Failure(f"port {port}, which {name} needs, is taken: {error.strerror}") from None


def hints(fleet: Fleet, larder: Path) -> str:
    (_, first), _, (_, third) = fleet.pairs
    command, replica = os.path.relpath(larder), fleet.replicas[0]
    names = ("LARDER_UPSTREAM_URL", "LARDER_REDIS_URL", "LARDER_REDIS_PASSWORD_FILE")
    settings = " ".join(f"{name}={replica.environment[name]}" for name in names)
    lines = (
        (f"curl -si localhost:{fleet.port}/products | head", "HAProxy asks one replica after the other"),
        (f"curl -X PUT 'localhost:{fleet.upstream_port}/_fault?mode=down'", "the shop goes; mode=none brings it back"),
        (f"kill -9 {fleet.replicas[1].process.pid}", "replica 2 goes, and comes back in 10 s"),
        (f"kill -9 {fleet.redis.process.pid}; rm -r {fleet.redis.folder}/appendonlydir", "Redis goes, and comes back empty"),
        (f"{command} refresh --admin 127.0.0.1:{first}", "all have it; so with pin --generation 1, and unpin --confirm"),
        (f"curl -s localhost:{third}/graph | jq .shared_stores", "what each replica holds; drawn in a browser: /graph.html"))
    width = max(len(line) for line, _ in lines)
    return "\n".join([f"A fleet runs in {fleet.programs.folder} until Ctrl-C, after which replicas drain for some 20 s. Try:",
                      *(f"  {line:{width}}  # {what}" for line, what in lines),
                      f"  {settings} \\\n    {command} check --connect --config {os.path.relpath(EXAMPLE)}"])


def watch(fleet: Fleet) -> None:
    """Starts again what somebody has ended."""
    while True:
        time.sleep(1)
        for unit in fleet.units:
            if not unit.is_running:
                print(f"{unit.name} has ended; it starts again in 10 s", flush=True)
                time.sleep(10)
                unit.start(is_waited_for=False)
                print(f"{unit.name} has started as process {unit.process.pid}", flush=True)


if __name__ == "__main__":
    sys.exit(main())

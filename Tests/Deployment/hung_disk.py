"""A disk that hangs, in one call after the other, under load, for each way to refresh and each place of `caching`.

While it hangs no request may fail or take long, also while the upstream is away; the log says so once;
it recovers by itself; SIGTERM ends the service in time, and it starts. `hung_disk.py --larder L [--seconds 60] [CALL...]`
"""

import argparse
import fcntl
import json
import signal
import struct
import subprocess
import sys
import time
from pathlib import Path

from load import Load
from programs import HERE, Failure, Programs, ask, free_ports, parser, run, set_fault, status, until

# In the order of the bits in hung_disk.c.
CALLS = ["open", "read", "write", "fsync", "rename", "lock", "stat", "unlink", "readdir", "mkdir", "truncate",
         "resolve"]
# The lock of the store is held by another process, such as one that was stopped.
HELD = "held-lock"
GRAPHS = [(place, refresh) for place in ("below", "above") for refresh in ("on_demand", "background")]
# The warnings, and the notices of their ends.
TROUBLES = {"saving the catalogue is slow": "saving the catalogue is fast again",
            "products are served but cannot be saved": "store recovered"}
DEADLINE = 6

CONFIG = """
http: {{ listen: "127.0.0.1:{port}", drain: {{ delay: 500ms, deadline: {deadline}s }} }}
admin: {{ listen: "127.0.0.1:{admin}" }}
stores: {{ disk: {{ type: json_file, directory: "{data}/catalogue" }} }}
analytics: {{ events: {{ type: file, path: "{data}/events.jsonl", rotate_at: 1KiB }} }}
monitors: {{ reach: {{ type: tcp, address: "{host}:{upstream}", interval: 1s, timeout: 500ms, rise: 1 }} }}
providers:
  spare:
    type: fallback
    primary: {{ type: stored, store: disk }}
    secondary: {{ type: file, path: "{data}/bundled.json" }}
  shop:
    type: validated
    baseline: disk
    upstream:
      type: analytics
      sink: events
      event: products_network_hit
      upstream: {{ type: http, timeout: 500ms, request: {{ base_url: "http://{host}:{upstream}", path: /products }}{auth} }}
  saved: {{ type: caching, store: disk, upstream: {saves} }}
  kept:
    type: memory
    ttl: 1s
    stale_while_revalidate: 1s
    hold_off: 500ms
    refresh: {refresh}
    upstream:
      type: fallback
      primary: {{ type: reachability, monitor: reach, remote: {asked}, local: spare }}
      secondary: spare
serve: {served}
"""


class Disk:
    """The calls that hang, and what makes them hang in a program."""

    def __init__(self, folder: Path):
        self.control, self.library, self.data = folder / "hung", folder / "hung_disk.so", folder / "data"
        self.data.mkdir()
        subprocess.run(
            ["cc", "-std=gnu11", "-O2", "-shared", "-fPIC", HERE / "hung_disk.c", "-o", self.library], check=True)
        self.control.write_bytes(bytes(8))
        self.holder = None

    def environment(self) -> dict[str, str]:
        return {"LD_PRELOAD": str(self.library), "HUNG_DISK": str(self.control), "HUNG_DISK_PATH": str(self.data)}

    def hang(self, *calls: str) -> None:
        """These calls hang from now on, and no others."""
        if self.holder:
            self.holder.close()
            self.holder = None
        if HELD in calls:
            self.holder = (self.data / "catalogue" / ".lock").open("w")
            fcntl.flock(self.holder, fcntl.LOCK_EX)
        with self.control.open("r+b") as file:
            file.write(struct.pack("Q", sum(1 << CALLS.index(call) for call in calls if call != HELD)))


class Service:
    """A service on a disk that may hang."""

    def __init__(self, programs: Programs, larder: Path, disk: Disk, graph: tuple, call: str, upstream: int,
                 has_secret: bool = True):
        place, refresh = graph
        self.disk, (self.port, self.admin) = disk, free_ports(2)
        (disk.data / "token").write_text("drill\n")
        (disk.data / "bundled.json").write_text(json.dumps([
            {"type": "physical", "id": "b", "name": "Spare", "price": {"amount": 1, "currency": "EUR"}, "sales": 1}]))
        config = programs.folder / "larder.yaml"
        config.write_text(CONFIG.format(
            port=self.port, admin=self.admin, upstream=upstream, data=disk.data, refresh=refresh, deadline=DEADLINE,
            host="upstream.drill" if call == "resolve" else "127.0.0.1",
            auth=f', auth: {{ type: bearer, token_file: "{disk.data}/token" }}' if has_secret else "",
            **({"saves": "shop", "asked": "saved", "served": "kept"} if place == "below" else
               {"saves": "kept", "asked": "shop", "served": "saved"})))
        self.process = programs.start(
            f"larder-{place}-{refresh}-{call}-{self.port}", [larder, "serve", "--config", config], disk.environment())
        self.started = until(lambda: status(self.port, "/readyz") == 200, "the service is ready", self.process)

    def says(self, level: str, *messages: str) -> int:
        """Counts the log lines with one of the messages at this level."""
        return sum(f'"level":"{level}"' in line and any(message in line for message in messages)
                   for line in self.process.log.read_text().splitlines())

    def saving(self) -> float:
        """For how long the save that runs has been running."""
        text = ask(self.admin, "/metrics")[2].decode()
        return sum(float(line.split()[-1]) for line in text.splitlines() if line.startswith("larder_store_saving"))

    def stored(self) -> str:
        """When the newest generation was confirmed."""
        newest = max((self.disk.data / "catalogue").glob("generation-*.json"), default=None)
        return newest.read_bytes()[:300].partition(b'"fetchedAt":')[2][:30].decode() if newest else ""

    def end(self) -> float:
        """Stops it; gives the seconds that it took."""
        start = time.monotonic()
        self.process.send_signal(signal.SIGTERM)
        try:
            code = self.process.wait(DEADLINE + 2)
        except subprocess.TimeoutExpired:
            raise Failure("SIGTERM did not end it in time") from None
        if code != 0:
            raise Failure(f"exit code {code}\n{self.process.log.read_text()[-1500:]}")
        return time.monotonic() - start


def drill(programs: Programs, options: argparse.Namespace, disk: Disk, graph: tuple, call: str) -> str:
    """One call that hangs in one graph."""
    print(f"caching {graph[0]} memory, {graph[1]}, {call}: ", end="", flush=True)
    larder, upstream = options.larder, programs.start_upstream(options.larder)
    service = Service(programs, larder, disk, graph, call, upstream, has_secret=call != "resolve")
    load, probe = Load(programs, service.port, 100), Load(programs, service.port, 10, target="/readyz")
    until(service.stored, "the catalogue is stored", service.process)
    disk.hang(call)
    time.sleep(options.seconds / 2)
    set_fault(upstream, "down")
    time.sleep(options.seconds / 4)
    saving = service.saving()
    set_fault(upstream, "none")
    time.sleep(options.seconds / 4)
    disk.hang()
    before = service.stored()
    until(lambda: service.stored() > before and service.saving() < 0.5, "it saves again", service.process)
    results = {"products": load.stop(), "readyz": probe.stop()}
    check(results, options.limit, load)
    warned = 0
    for trouble, end in TROUBLES.items():
        count = service.says("warning", trouble)
        if count > 1:
            raise Failure(f"{count} warnings:\n{service.process.log.read_text()[-3000:]}")
        until(lambda: service.says("notice", end) == count, "the log says that it is over", service.process)
        warned += count
    disk.hang(call)
    results["hung again"] = Load(programs, service.port, 20, seconds=3).result()
    check(results, options.limit, load)
    ended = service.end()
    again = Service(programs, larder, disk, graph, call, upstream, has_secret=False) if call != "resolve" else None
    disk.hang()
    if again:
        again.end()
    figures = ", ".join(f"{name} {result['answered']} answered, p99 {result['p99']} ms, max {result['max']} ms"
                        for name, result in results.items())
    return (f"{figures}; {warned} warnings, saving {saving:.0f} s; ended in {ended:.1f} s"
            + (f", started in {again.started:.1f} s" if again else ""))


def check(results: dict, limit: float, load: Load) -> None:
    """No request failed, and none was slow."""
    for name, result in results.items():
        if result["failed"] or result["max"] > limit:
            raise Failure(f"{name}: {result}\n{load.failures()}")


def main() -> int:
    arguments = parser(__doc__)
    arguments.add_argument("--seconds", type=float, default=60, help="how long each call hangs")
    arguments.add_argument("--limit", type=float, default=100, help="the slowest answer, in milliseconds")
    arguments.add_argument("--graph", help="such as below/on_demand; default: all")
    arguments.add_argument("calls", nargs="*", choices=[[], *CALLS, HELD], help="default: all")
    options = arguments.parse_args()
    graphs = [graph for graph in GRAPHS if options.graph in (None, "/".join(graph))]
    return max(run("hung-disk", lambda programs: print(drill(programs, options, Disk(programs.folder), graph, call)))
               for graph in graphs for call in options.calls or [*CALLS, HELD])


if __name__ == "__main__":
    sys.exit(main())

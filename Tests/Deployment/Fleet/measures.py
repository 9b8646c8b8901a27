"""What a shared store does and costs without faults: propagation, orders, cold starts, traffic at rest, its absence."""

import os
import re
import signal
import statistics
import subprocess
import sys
import time
from pathlib import Path

from checks import read, report, share
from programs import Failure, Programs, two_cores, until
from replicas import Fleet, Replica

MANY = 10_000
TRAFFIC = Path(__file__).resolve().parent / "traffic.py"


def propagation(programs: Programs, options) -> bool:
    """From the first replica that serves a version to the last one, by asking; from its commit, by the replicas."""
    fleet = Fleet(programs, options, MANY, ttl=1).start()
    rows = programs.folder / "sights.txt"
    observers = programs.start("observers", [
        sys.executable, "-B", TRAFFIC, "--products", MANY, "--every", 0.004, "--out", rows,
        "--replicas", ",".join(str(replica.http) for replica in fleet.replicas)])
    time.sleep(3)
    before, changes = [replica.metrics() for replica in fleet.replicas], []
    for number in range(options.changes):
        changes.append((time.monotonic(), fleet.catalogue.change()))
        # Each change falls into another part of the interval.
        time.sleep(2 + number % 10 / 10)
    after = [replica.metrics() for replica in fleet.replicas]
    observers.send_signal(signal.SIGTERM)
    observers.wait(30)
    _, sights = read(rows)
    first_seen = [{}, {}, {}]
    for one in sights:
        if one.version > 0:
            first_seen[one.replica].setdefault(one.version, one.at)
    spread, whole, missed = [], [], []
    for changed, version in changes:
        # A version that is replaced at once may be passed over; the next newer one counts then.
        times = [min((at for seen, at in each.items() if seen >= version), default=None) for each in first_seen]
        if None in times:
            missed.append(f"version {version} never came to all replicas: {times}")
            continue
        spread.append((max(times) - min(times)) * 1000)
        whole.append(max(times) - changed)
    pause = statistics.median(one.micros for one in sights) / 1000 + 4
    print(f"{len(spread)} changes of {MANY} products; first to last replica: p50 {share(spread, .5):.0f} ms, p99 "
          f"{share(spread, .99):.0f} ms, max {max(spread, default=0):.0f} ms, as asked each {pause:.0f} ms; from the "
          f"upstream's change with a ttl of 1 s: p50 {share(whole, .5):.2f} s, p99 {share(whole, .99):.2f} s")
    counts = histogram(before, after)
    for part in (0.5, 0.99):
        print(f"larder_shared_propagation_seconds: p{part * 100:.0f} {quantile(counts, part)} of "
              f"{counts.get('+Inf', 0):.0f}")
    return report({"each version comes to all": missed, "p99 from the first to the last replica is at most 250 ms":
                   [f"{share(spread, .99):.0f} ms"] if not share(spread, .99) <= 250 else []})


def histogram(before: list[dict], after: list[dict]) -> dict[str, float]:
    """The growth of each bucket, over all replicas."""
    counts: dict[str, float] = {}
    for old, new in zip(before, after, strict=True):
        for name, value in new.items():
            edge = re.search(r'le="([^"]+)"', name)
            if edge and name.startswith("larder_shared_propagation_seconds_bucket"):
                counts[edge[1]] = counts.get(edge[1], 0) + value - old.get(name, 0)
    return counts


def quantile(counts: dict[str, float], part: float) -> str:
    """The edge of the bucket that this share does not exceed."""
    edges = sorted(counts, key=lambda edge: float(edge.replace("+Inf", "inf")))
    return next((f"<= {edge} s" for edge in edges if counts[edge] and counts[edge] >= part * counts["+Inf"]), "unknown")


def orders(programs: Programs, options) -> bool:
    """Refresh, pin, unpin and accept at one replica act on all."""
    fleet = Fleet(programs, options, MANY, ttl=60).start()
    first, second, third = fleet.replicas
    problems: list[str] = []

    def expect(what: str, version: int, patience: float = 2) -> None:
        took, served = fleet.agree(version, patience)
        print(f"  {what}: " + (f"all after {took * 1000:.0f} ms" if took is not None else f"NOT by all: {served}"))
        if took is None:
            problems.append(f"{what}: version {version} expected within {patience} s, served {served}")

    fleet.agree(fleet.catalogue.version, 10)
    old = fleet.catalogue.version
    kept = newest_generation(first)
    for _ in range(3):
        version = fleet.catalogue.change()
        second.order("/refresh")
        expect("refresh at replica-2", version)
    first.order(f"/pin?generation={kept}&reason=drill")
    expect("pin at replica-1", old)
    version = fleet.catalogue.change()
    third.order("/refresh")
    time.sleep(2 * fleet.poll)
    expect("a refresh under the pin changes nothing", old)
    second.kill()
    second.start()
    expect("a replica that restarts obeys the pin", old)
    if fleet.is_shared:
        server = fleet.engine.server
        server.command("FLUSHALL")
        time.sleep(fleet.bound - fleet.ttl)
        expect("the pin outlives FLUSHALL", old)
    third.order("/unpin?confirm=1&reason=drill")
    expect("unpin at replica-3", version)
    fleet.catalogue.resize(MANY // 4)
    refused = fleet.catalogue.version
    try:
        first.order("/refresh")
    except Failure as failure:
        print(f"  a shrunken catalogue is refused: {str(failure)[:160]}")
    expect("a shrunken catalogue is held back", version)
    first.order("/quarantine/accept?reason=drill")
    expect("accept at replica-1", refused, patience=5)
    return report({"orders act on the fleet": problems})


def newest_generation(replica: Replica) -> int:
    until(lambda: replica.history()["generations"], "a generation is kept")
    return max(one["generation"] for one in replica.history()["generations"])


def cold(programs: Programs, options) -> bool:
    """New replicas with an empty disk: upstream dead and engine up, then engine dead and upstream up."""
    fleet = Fleet(programs, options, MANY, ttl=30).start()
    fleet.agree(fleet.catalogue.version, 10)
    newest, problems = fleet.catalogue.version, []
    fleet.catalogue.is_away = True
    warm = [begin(fleet, 10 + number, newest, problems) for number in range(5)]
    print(f"dead upstream, engine up: ready after {statistics.median(warm):.3f} s, at most {max(warm):.3f} s")
    slow = [f"{max(warm):.2f} s"] if max(warm) > 1 else []
    fleet.catalogue.is_away = False
    alone = []
    if fleet.is_shared:
        fleet.engine.server.kill()
        alone = [begin(fleet, 20 + number, newest, problems) for number in range(3)]
        print(f"dead engine, upstream up: ready after {statistics.median(alone):.3f} s, at most {max(alone):.3f} s")
        fleet.catalogue.is_away = True
        fleet.replicas[0].kill()
        alone.append(fleet.replicas[0].start())
        print(f"dead engine, dead upstream, its own disk: ready after {alone[-1]:.3f} s")
        if (served := fleet.replicas[0].version()) != newest:
            problems.append(f"replica-1 serves {served} of its disk instead of {newest}")
    return report({"a new replica serves the newest version": problems, "ready within 1 s with a dead upstream": slow,
                   "ready within 5 s with a dead engine": [f"{took:.2f} s" for took in alone if took > 5]})


def begin(fleet: Fleet, number: int, newest: int, problems: list[str]) -> float:
    """Starts another replica; gives the seconds until it was ready."""
    replica = Replica(fleet, number)
    took = replica.start()
    if replica.version() != newest:
        problems.append(f"{replica.name} serves {replica.version()} instead of {newest}")
    replica.kill()
    return took


def rest(programs: Programs, options) -> bool:
    """What three replicas ask of the engine while nothing changes, with the settings of the documentation."""
    fleet = Fleet(programs, options, MANY, ttl=30, lease=30, poll=10).start()
    if not fleet.is_shared:
        return True
    fleet.agree(fleet.catalogue.version, 10)
    time.sleep(10)
    seconds = 90

    def sample() -> tuple[dict, float, int, int]:
        return (fleet.engine.server.info(), time.monotonic(), sum(replica.way.sent for replica in fleet.replicas),
                sum(replica.way.received for replica in fleet.replicas))

    # The first sample's own commands fall into the time; they are few, and named.
    (before, began, sent, received), _ = sample(), time.sleep(seconds)
    after, ended, sent_after, received_after = sample()
    each = (ended - began) * len(fleet.replicas)
    print(f"a replica at rest: {(sent_after - sent) / each:.0f} bytes/s to the engine and "
          f"{(received_after - received) / each:.0f} bytes/s from it, TLS included")
    calls = {}
    for name, value in after.items():
        if name.startswith("cmdstat_"):
            old = re.match(r"calls=(\d+)", before.get(name, "calls=0"))
            if grown := int(re.match(r"calls=(\d+)", value)[1]) - int(old[1]):
                calls[name.removeprefix("cmdstat_")] = grown
    print(f"commands of three replicas in {ended - began:.0f} s (info and auth are the drill's): {calls}")
    print(f"memory of the engine: {after['used_memory_human']}, {fleet.engine.server.command('DBSIZE')} keys")
    most = 10_000
    return report({f"at most {most} bytes/s a replica": [] if (received_after - received) / each < most else ["more"]})


def away(programs: Programs, options) -> bool:
    """Throughput and latency with the engine and without it, in turn; replica and clients have a core each."""
    fleet = Fleet(programs, options, MANY, ttl=30).start()
    if not fleet.is_shared:
        return True
    core, other = two_cores()
    for task in Path(f"/proc/{fleet.replicas[0].process.pid}/task").iterdir():
        os.sched_setaffinity(int(task.name), {core})
    fleet.agree(fleet.catalogue.version, 10)
    server, pairs = fleet.engine.server, []
    for number in range(10):
        pair = {}
        for is_away in ((False, True), (True, False))[number % 2]:
            if is_away:
                server.kill()
            elif server.process.poll() is not None:
                server.start()
            until(lambda is_away=is_away: is_connected(fleet.replicas[0]) != is_away, "the replica notices")
            time.sleep(1)
            pair[is_away] = press(fleet.replicas[0], 6, other)
        if server.process.poll() is not None:
            server.start()
        print(f"  with {pair[False][0]:,.0f}/s, p99 {pair[False][1]:.2f} ms; without {pair[True][0]:,.0f}/s, p99 "
              f"{pair[True][1]:.2f} ms", flush=True)
        pairs.append(pair)
    rate = statistics.median(pair[True][0] / pair[False][0] for pair in pairs)
    late = statistics.median(pair[True][1] / pair[False][1] for pair in pairs)
    print(f"without the engine, median of {len(pairs)} pairs: {rate:.3f} of the throughput, {late:.3f} of the p99")
    return report({"throughput without the engine is at least 0.95": [f"{rate:.3f}"] if rate < 0.95 else [],
                   "p99 without the engine is at most 1.2": [f"{late:.3f}"] if late > 1.2 else []})


def is_connected(replica: Replica) -> bool:
    return any(name.startswith("larder_shared_connected") and value for name, value in replica.metrics().items())


def press(replica: Replica, seconds: int, core: int) -> tuple[float, float]:
    """Requests a second, and milliseconds that 99 of 100 take at most."""
    done = subprocess.run(["taskset", "-c", str(core), "wrk", "-t1", "-c16", f"-d{seconds}s", "--latency",
                           f"http://127.0.0.1:{replica.http}/products/p-5"], capture_output=True, text=True)
    if done.returncode or "Non-2xx" in done.stdout or "Socket errors" in done.stdout:
        raise Failure(f"requests failed:\n{done.stdout}{done.stderr}")
    value, unit = re.search(r"99%\s+([\d.]+)(us|ms|s)", done.stdout).groups()
    return (float(re.search(r"Requests/sec:\s+([\d.]+)", done.stdout)[1]),
            float(value) * {"us": 0.001, "ms": 1, "s": 1000}[unit])


PARTS = {"propagation": propagation, "orders": orders, "cold": cold, "rest": rest, "away": away}

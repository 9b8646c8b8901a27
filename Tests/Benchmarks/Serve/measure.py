"""One server under load, and what came of it."""

import json
import resource
import subprocess
import time
from dataclasses import dataclass
from pathlib import Path

from catalogues import Answer
from processes import Failure, processor_seconds
from rows import Row
from servers import Servers

REPORT = Path(__file__).parent / "report.lua"


@dataclass(frozen=True)
class Measurement:
    """A run of wrk."""

    per_second: float
    p50: int
    p99: int
    """Latencies, in microseconds."""
    cost: float
    """Microseconds of the server's processor time for each request, kernel included."""
    busy: float
    """The part of the time in which the server had its core."""
    load: float
    """The part of the time in which wrk had its core."""


def measure(row: Row, name: str, servers: Servers, seconds: int) -> Measurement:
    """Loads one server. Any answer that is not the one that was checked is a failure of the row."""
    expected = row.check(name, servers)
    pid, port = row.pid(name, servers), row.port(name, servers)
    command = ["taskset", "-c", str(servers.load_core), *load(row, port, servers, seconds)]
    before, loaded, start = processor_seconds(pid), load_seconds(), time.monotonic()
    try:
        run = subprocess.run(command, timeout=seconds + 20, capture_output=True, text=True, check=True)
    except (OSError, subprocess.SubprocessError) as error:
        raise Failure(f"{row.title}: load on {name}: {error}") from error
    used, loaded, wall = processor_seconds(pid) - before, load_seconds() - loaded, time.monotonic() - start
    found = json.loads(run.stdout.splitlines()[-1])
    complain(row, name, found, expected)
    row.check(name, servers)
    return Measurement(found["requests"] / (found["microseconds"] / 1e6), found["p50"], found["p99"],
                       used / found["requests"] * 1e6, used / wall, loaded / wall)


def load(row: Row, port: int, servers: Servers, seconds: int) -> list[str]:
    """The command that asks."""
    if row.handshakes:
        return [servers.binaries["handshakes"], str(port), str(seconds), row.handshakes, row.target]
    command = ["wrk", "-t1", f"-c{row.connections}", f"-d{seconds}s", "-s", str(REPORT)]
    for header, value in row.headers(servers).items():
        command += ["-H", f"{header}: {value}"]
    return command + [f"{'https' if row.is_encrypted else 'http'}://127.0.0.1:{port}{row.target}"]


def load_seconds() -> float:
    """The processor time of all runs of wrk so far."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def complain(row: Row, name: str, found: dict[str, int], expected: Answer) -> None:
    """Refuses a run with errors, or with answers of another length than the one that was checked."""
    errors = {kind: found[kind] for kind in ("status", "connect", "read", "write", "timeout") if found[kind]}
    if errors or not found["requests"]:
        raise Failure(f"{row.title}: {name}: {found['requests']} requests, errors: {errors}")
    least, most = found["requests"] * expected.size, (found["requests"] + row.connections) * expected.size
    if not 0.98 * least <= found["bytes"] <= 1.02 * most:
        raise Failure(f"{row.title}: {name}: {found['requests']} answers of {expected.size} bytes came as "
                      f"{found['bytes']} bytes")

"""The processes of a benchmark: started on a core of their own choice, ended by their ids whatever happens."""

import os
import signal
import socket
import subprocess
import time
from pathlib import Path

CLOCK_TICKS = os.sysconf("SC_CLK_TCK")


class Failure(Exception):
    """Why there is no result, in a sentence."""


class Stopped(Exception):
    """Somebody, or the time that this may take, put an end to it."""


class Processes:
    """Ends what it started, the last first, when its `with` block is left."""

    def __init__(self, folder: Path):
        self.folder = folder
        self.started: list[subprocess.Popen] = []

    def __enter__(self) -> "Processes":
        return self

    def __exit__(self, *_) -> None:
        for process in reversed(self.started):
            end(process)

    def start(self, name: str, command: list[str], core: int) -> subprocess.Popen:
        """Starts a server whose output goes to a file. The kernel ends it if this process is killed."""
        log = self.folder / f"{name}.log"
        environment = os.environ | {"PATH": os.environ.get("PATH", "") + ":/usr/sbin"}
        with log.open("wb") as output:
            process = subprocess.Popen(
                ["setpriv", "--pdeathsig", "TERM", "taskset", "-c", str(core), *command], env=environment,
                stdin=subprocess.DEVNULL, stdout=output, stderr=subprocess.STDOUT)
        process.log = log
        self.started.append(process)
        return process


def end(process: subprocess.Popen, patience: float = 30) -> int:
    """Asks a process to stop, and makes it; gives its exit code."""
    if process.poll() is None:
        process.send_signal(signal.SIGTERM)
        try:
            process.wait(patience)
        except subprocess.TimeoutExpired:
            process.kill()
    return process.wait()


def free_ports(count: int) -> list[int]:
    """Ports of the loopback interface that nobody listens on."""
    sockets = [socket.create_server(("127.0.0.1", 0)) for _ in range(count)]
    ports = [one.getsockname()[1] for one in sockets]
    for one in sockets:
        one.close()
    return ports


def wait_for(port: int, process: subprocess.Popen, patience: float = 60) -> None:
    """Returns when the process accepts connections."""
    deadline = time.monotonic() + patience
    while time.monotonic() < deadline and process.poll() is None:
        try:
            socket.create_connection(("127.0.0.1", port), 1).close()
            return
        except OSError:
            time.sleep(0.05)
    raise Failure(f"{process.log.stem} does not listen:\n{process.log.read_text(errors='replace')[-2000:]}")


def processor_seconds(root: int) -> float:
    """The processor time that a process and those it started have used, in the kernel and outside of it."""
    parents, used = {}, {}
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                fields = (entry / "stat").read_text().rpartition(")")[2].split()
            except OSError:
                continue
            parents[int(entry.name)] = int(fields[1])
            used[int(entry.name)] = (int(fields[11]) + int(fields[12])) / CLOCK_TICKS
    family = {root}
    while grown := {child for child, parent in parents.items() if parent in family} - family:
        family |= grown
    return sum(used.get(member, 0) for member in family)


def two_cores() -> tuple[int, int]:
    """A core for the server and one for the load; not two threads of the same one if that can be helped."""
    usable = sorted(os.sched_getaffinity(0))
    if len(usable) < 2:
        raise Failure("this takes two cores: one for the server, one for the load")
    siblings = Path(f"/sys/devices/system/cpu/cpu{usable[0]}/topology/thread_siblings_list")
    same = expand(siblings.read_text()) if siblings.exists() else set()
    return usable[0], next((core for core in usable[1:] if core not in same), usable[1])


def expand(ranges: str) -> set[int]:
    """`0,4-6` as numbers."""
    bounds = [part.split("-") for part in ranges.strip().split(",")]
    return {number for pair in bounds for number in range(int(pair[0]), int(pair[-1]) + 1)}

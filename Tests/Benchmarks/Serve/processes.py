"""The processes of a benchmark or a drill, ended by their ids whatever happens."""

import argparse
import os
import re
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path

SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGALRM)
CLOCK_TICKS = os.sysconf("SC_CLK_TCK")
STARTER = ThreadPoolExecutor(max_workers=1)
"""The kernel ends a program with the thread that has started it: this one, which lives as long as the process."""


class Failure(Exception):
    """A sentence that says why there is no result."""


class Stopped(Exception):
    """A signal, or the end of the time that is allowed."""


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

    def start(self, name: str, command: list, environment: dict | None = None, core: int | None = None,
              **options) -> subprocess.Popen:
        """Starts a program, on one core if wanted, whose output is added to the file of that name.

        The kernel ends it if this process dies.
        """
        log = self.folder / f"{name}.log"
        pinned = [] if core is None else ["taskset", "-c", core]
        search = os.environ.get("PATH", "") + ":/usr/sbin"
        with log.open("ab") as output:
            process = STARTER.submit(
                subprocess.Popen, ["setpriv", "--pdeathsig", "KILL", *map(str, [*pinned, *command])],
                env=os.environ | {"PATH": search} | (environment or {}),
                **({"stdin": subprocess.DEVNULL, "stdout": output, "stderr": output} | options)).result()
        process.log = log
        self.started.append(process)
        return process


def parser(description: str) -> argparse.ArgumentParser:
    """The arguments that all have; the first line of the description is the help."""
    made = argparse.ArgumentParser(description=description.splitlines()[0])
    made.add_argument("--larder", type=lambda path: Path(path).resolve(), required=True,
                      help="the program, built for release")
    return made


@contextmanager
def workshop(prefix: str, kind: type[Processes] = Processes, parent: Path | None = None) -> Iterator[Processes]:
    """Makes a folder for some time, and ends the programs that work in it."""
    for number in SIGNALS:
        signal.signal(number, stop)
    folder = Path(tempfile.mkdtemp(prefix=f"larder-{prefix}-", dir=parent))
    try:
        folder.chmod(0o755)
        with kind(folder) as processes:
            yield processes
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def run(name: str, work: Callable[[Processes], bool | None], most_seconds: int = 0,
        kind: type[Processes] = Processes, parent: Path | None = None) -> int:
    """Does a work in a workshop, for so long at most; gives 1 when it fails or comes to False."""
    try:
        with workshop(re.sub(r"\W+", "-", name), kind, parent) as processes:
            signal.alarm(most_seconds)
            return 1 if work(processes) is False else 0
    except (Failure, subprocess.SubprocessError) as failure:
        print(f"{name}: {failure}", file=sys.stderr)
        return 1
    except Stopped as stopped:
        sys.exit(f"{name}: {stopped}")


def stop(number: int, _) -> None:
    """Leaves all `with` blocks, which ends the programs."""
    for other in SIGNALS:
        signal.signal(other, signal.SIG_IGN)
    raise Stopped(f"stopped by {signal.Signals(number).name}")


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


def until(is_so: Callable[[], object], what: str, program: subprocess.Popen | None = None,
          patience: float = 20, pause: float = 0.01) -> float:
    """Returns when it is so, with the seconds that it took."""
    start = time.monotonic()
    while not is_so():
        is_gone = program is not None and program.poll() is not None
        if is_gone or time.monotonic() - start > patience:
            output = program.log.read_text(errors="replace")[-3000:] if program else ""
            raise Failure(f"waited in vain until {what}\n{output}")
        time.sleep(pause)
    return time.monotonic() - start


def wait_for(port: int, process: subprocess.Popen, patience: float = 60) -> None:
    """Returns when the process accepts connections."""

    def accepts() -> bool:
        try:
            socket.create_connection(("127.0.0.1", port), 1).close()
            return True
        except OSError:
            return False

    until(accepts, f"{process.log.stem} listens", process, patience)


def resident(pid: int, name: str = "VmRSS") -> int:
    """The resident bytes of a process, or with `VmHWM` the most that there were."""
    return int(re.search(rf"^{name}:\s+(\d+) kB$", Path(f"/proc/{pid}/status").read_text(), re.MULTILINE)[1]) << 10


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

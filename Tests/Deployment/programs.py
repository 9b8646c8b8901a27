"""Programs that a drill starts, and ends by their ids whatever happens."""

import http.client
import json
import os
import shutil
import signal
import socket
import subprocess
import tempfile
import time
from contextlib import contextmanager
from pathlib import Path

HERE = Path(__file__).resolve().parent
REPOSITORY = HERE.parent.parent


class Failure(Exception):
    """What a drill has shown to be wrong, in a sentence."""


class Programs:
    """Ends what it started, the last first, when its `with` block is left."""

    def __init__(self, folder: Path):
        self.folder = folder
        self.started: list[subprocess.Popen] = []

    def __enter__(self) -> "Programs":
        return self

    def __exit__(self, *_) -> None:
        for program in reversed(self.started):
            end(program)

    def start(self, name: str, command: list, environment: dict | None = None, **options) -> subprocess.Popen:
        """Starts a program whose output is added to the file of that name. The kernel ends it if this process dies."""
        log = self.folder / f"{name}.log"
        search = os.environ.get("PATH", "") + ":/usr/sbin"
        with log.open("ab") as output:
            program = subprocess.Popen(
                ["setpriv", "--pdeathsig", "KILL", *map(str, command)],
                env=os.environ | {"PATH": search} | (environment or {}),
                stdin=subprocess.DEVNULL, **({"stdout": output, "stderr": output} | options))
        program.log = log
        self.started.append(program)
        return program

    def start_upstream(self, larder: Path) -> int:
        """The practice upstream; gives its port."""
        [port] = free_ports(1)
        program = self.start("upstream", [larder, "upstream", "--listen", f"127.0.0.1:{port}"])
        until(lambda: status(port, "/_fault") == 200, "the practice upstream serves", program)
        return port


@contextmanager
def workshop(prefix: str):
    """A folder for the time of a drill, and the programs that work in it."""
    folder = Path(tempfile.mkdtemp(prefix=f"larder-{prefix}-"))
    for number in (signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, signal.default_int_handler)
    try:
        with Programs(folder) as programs:
            yield programs
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def end(program: subprocess.Popen, patience: float = 30) -> int:
    """Asks a program to stop, and makes it; gives its exit code."""
    if program.poll() is None:
        program.send_signal(signal.SIGTERM)
        try:
            program.wait(patience)
        except subprocess.TimeoutExpired:
            program.kill()
    return program.wait()


def free_ports(count: int) -> list[int]:
    """Ports of the loopback interface that nobody listens on."""
    sockets = [socket.create_server(("127.0.0.1", 0)) for _ in range(count)]
    ports = [one.getsockname()[1] for one in sockets]
    for one in sockets:
        one.close()
    return ports


def ask(port: int, target: str, method: str = "GET", patience: float = 5) -> tuple[int, dict, bytes]:
    """Status, header fields in lower case, and body."""
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=patience)
    try:
        connection.request(method, target)
        response = connection.getresponse()
        return response.status, {name.lower(): value for name, value in response.getheaders()}, response.read()
    finally:
        connection.close()


def status(port: int, target: str, method: str = "GET") -> int:
    """The status; 0 without an answer."""
    try:
        return ask(port, target, method)[0]
    except (OSError, http.client.HTTPException):
        return 0


def set_fault(upstream: int, mode: str) -> dict:
    """Switches a fault of the practice upstream; gives what it says about itself."""
    return json.loads(ask(upstream, f"/_fault?mode={mode}", "PUT")[2])


def until(is_so, what: str, program: subprocess.Popen | None = None, patience: float = 20) -> float:
    """Returns when it is so, with the seconds that it took."""
    start = time.monotonic()
    while not is_so():
        is_gone = program is not None and program.poll() is not None
        if is_gone or time.monotonic() - start > patience:
            output = program.log.read_text(errors="replace")[-3000:] if program else ""
            raise Failure(f"waited in vain until {what}\n{output}")
        time.sleep(0.01)
    return time.monotonic() - start


def log_lines(program_log: Path) -> list[dict]:
    """The lines of a log, which must all be JSON."""
    return [json.loads(line) for line in program_log.read_text().splitlines()]

"""Programs that a drill starts, and ends by their ids whatever happens."""

import http.client
import json
import os
import shutil
import signal
import ssl
import subprocess
import sys
import tempfile
import time
from contextlib import contextmanager
from pathlib import Path

HERE = Path(__file__).resolve().parent
CERTIFICATES = HERE.parent / "TestSupport" / "Certificates"
REPOSITORY = HERE.parent.parent
sys.path.append(str(HERE.parent / "Benchmarks" / "Serve"))

from processes import Failure, Processes, end, free_ports

__all__ = ["CERTIFICATES", "HERE", "REPOSITORY", "Failure", "Programs", "ask", "end", "free_ports", "log_lines", "set_fault", "status",
           "until", "workshop"]


class Programs(Processes):
    """The processes of a drill, which share the cores as they do where they are deployed."""

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


def ask(port: int, target: str, method: str = "GET", patience: float = 5,
        is_encrypted: bool = False) -> tuple[int, dict, bytes]:
    """Status, header fields in lower case, and body."""
    # Certificates of tests, which nobody vouches for.
    context = ssl._create_unverified_context() if is_encrypted else None
    connection = (http.client.HTTPSConnection("127.0.0.1", port, timeout=patience, context=context) if context
                  else http.client.HTTPConnection("127.0.0.1", port, timeout=patience))
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

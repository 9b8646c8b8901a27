"""Programs, requests, faults and logs of the drills."""

import http.client
import json
import ssl
import sys
from functools import partial
from pathlib import Path

HERE = Path(__file__).resolve().parent
CERTIFICATES = HERE.parent / "TestSupport" / "Certificates"
REPOSITORY = HERE.parent.parent
sys.path.append(str(HERE.parent / "Benchmarks" / "Serve"))

import processes
from processes import (Failure, Processes, end, free_ports, parser, processor_seconds, resident, two_cores,
                       until)

__all__ = ["CERTIFICATES", "HERE", "REPOSITORY", "Failure", "Programs", "ask", "end", "free_ports", "log_lines",
           "parser", "processor_seconds", "resident", "run", "set_fault", "status", "two_cores", "until", "workshop"]


class Programs(Processes):
    """The processes of a drill, which share the cores as they do where they are deployed."""

    def start_upstream(self, larder: Path, *words) -> int:
        """Starts the practice upstream; gives its port."""
        [port] = free_ports(1)
        program = self.start("upstream", [larder, "upstream", "--listen", f"127.0.0.1:{port}", *words])
        until(lambda: status(port, "/_fault") == 200, "the practice upstream serves", program)
        return port


workshop = partial(processes.workshop, kind=Programs)
run = partial(processes.run, kind=Programs)


def ask(port: int, target: str, method: str = "GET", patience: float = 5,
        is_encrypted: bool = False, headers: dict | None = None) -> tuple[int, dict, bytes]:
    """Status, header fields in lower case, and body."""
    # Certificates of tests, which nobody vouches for.
    context = ssl._create_unverified_context() if is_encrypted else None
    connection = (http.client.HTTPSConnection("127.0.0.1", port, timeout=patience, context=context) if context
                  else http.client.HTTPConnection("127.0.0.1", port, timeout=patience))
    try:
        connection.request(method, target, headers=headers or {})
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


def log_lines(program_log: Path) -> list[dict]:
    """The lines of a log, which must all be JSON."""
    return [json.loads(line) for line in program_log.read_text().splitlines()]

"""Requests at a constant rate, by load.c."""

import json
import signal
import subprocess
from pathlib import Path

from programs import HERE, Failure, Programs


class Load:
    """Runs until it is stopped, or its seconds are over."""

    def __init__(self, programs: Programs, port: int, rate: int, seconds: int = 86_400, target: str = "/products"):
        self.program = programs.start(
            "load", [build(programs.folder), port, rate, seconds, target], stdout=subprocess.PIPE, text=True)

    def stop(self) -> dict:
        """Ends it early; gives what was counted."""
        self.program.send_signal(signal.SIGTERM)
        return self.result()

    def result(self) -> dict:
        """What was counted, when all is answered."""
        output, _ = self.program.communicate(timeout=86_500)
        if self.program.returncode != 0:
            raise Failure(f"the load generator failed: {self.failures()}")
        return json.loads(output)

    def failures(self) -> str:
        """The first failed requests, and when they were."""
        return self.program.log.read_text().strip()


def build(folder: Path) -> Path:
    """Compiles load.c."""
    binary = folder / "load"
    if not binary.exists():
        subprocess.run(["cc", "-std=gnu11", "-O2", HERE / "load.c", "-o", binary], check=True)
    return binary

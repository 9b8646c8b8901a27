"""A program whose wall clock steps while it runs, by stepped_clock.c."""

import struct
import subprocess
from pathlib import Path

from programs import HERE


class SteppedClock:
    """The offset of the clock, and the environment of a program that goes by it."""

    def __init__(self, folder: Path):
        self.path, self.library, self.seconds = folder / "clock", folder / "stepped_clock.so", 0
        subprocess.run(
            ["cc", "-std=gnu11", "-O2", "-shared", "-fPIC", HERE / "stepped_clock.c", "-o", self.library], check=True)
        self.step(0)

    def environment(self) -> dict[str, str]:
        return {"LD_PRELOAD": str(self.library), "STEPPED_CLOCK": str(self.path)}

    def step(self, seconds: int) -> None:
        self.seconds += seconds
        with self.path.open("r+b" if self.path.exists() else "wb") as file:
            file.write(struct.pack("q", self.seconds))

"""Limits that the kernel enforces on a program of a drill. Root."""

import os
from contextlib import contextmanager
from pathlib import Path

from programs import until


class ControlGroup:
    """A memory control group, of either version."""

    def __init__(self, limit: int):
        root = Path("/sys/fs/cgroup")
        self.is_unified = (root / "cgroup.controllers").exists()
        self.folder = (root if self.is_unified else root / "memory") / f"larder-drill-{os.getpid()}"
        self.folder.mkdir()
        (self.folder / ("memory.max" if self.is_unified else "memory.limit_in_bytes")).write_text(str(limit))

    def wrapper(self) -> list:
        return ["sh", "-c", f'echo $$ > {self.folder}/cgroup.procs && exec "$0" "$@"']

    def peak(self) -> int:
        return int((self.folder / ("memory.peak" if self.is_unified else "memory.max_usage_in_bytes")).read_text())


@contextmanager
def control_group(limit: int):
    group = ControlGroup(limit)
    try:
        yield group
    finally:
        until(lambda: not (group.folder / "cgroup.procs").read_text(), "the control group is empty")
        group.folder.rmdir()

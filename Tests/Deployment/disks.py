"""Disks that belong to one program of a drill. Root."""

import os
import subprocess
from pathlib import Path

from programs import Failure


def own_disk(path: Path) -> list:
    """Runs a program with a disk of 256 KB of its own."""
    path.mkdir()
    return ["unshare", "--mount", "sh", "-c", f'mount -t tmpfs -o size=256k,mode=777 tmpfs {path} && exec "$0" "$@"']


def as_seen(process: subprocess.Popen, path: Path) -> Path:
    """A path on the disks of a program."""
    return Path(f"/proc/{process.pid}/root{path}")


def fill(process: subprocess.Popen, disk: Path) -> Path:
    """Writes until nothing goes on the disk any more; gives the file to remove."""
    filler = as_seen(process, disk) / "filler"
    with filler.open("wb", buffering=0) as file:
        try:
            while True:
                file.write(bytes(512))
        except OSError:
            return filler


def remount(process: subprocess.Popen, disk: Path, mode: str) -> None:
    """Makes a disk `ro` or `rw`."""
    code = os.system(f"nsenter --target {process.pid} --mount mount -o remount,{mode} {disk}")
    if code != 0:
        raise Failure(f"cannot remount: {code}")

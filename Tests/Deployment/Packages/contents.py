"""The files of a release beside the program: the same in a package and in an archive."""

import gzip
import hashlib
import os
import shutil
import struct
import subprocess
import tempfile
from dataclasses import dataclass
from datetime import datetime, timezone
from pathlib import Path

from manual import manual

REPOSITORY = Path(__file__).resolve().parents[3]
CONFIG = REPOSITORY / "config"
UNIT = CONFIG / "systemd" / "larder.service"
PAGES = REPOSITORY / "Sources" / "larder" / "Larder.docc"
MACHINES = {62: "amd64", 183: "arm64"}
"""Debian's names of the machines of ELF."""


def git(*words: str) -> str:
    return subprocess.run(["git", *words], cwd=REPOSITORY, stdout=subprocess.PIPE, text=True, check=True).stdout.strip()


@dataclass(frozen=True)
class Release:
    """A built program, and the time that its files get: that of SOURCE_DATE_EPOCH, or else of the commit."""

    program: Path
    checkouts: Path
    epoch: int

    @classmethod
    def read(cls, program: Path) -> "Release":
        program = program.resolve()
        epoch = int(os.environ.get("SOURCE_DATE_EPOCH") or git("log", "-1", "--format=%ct"))
        # SwiftPM's folder for the build, in which "release" is a link to that of the platform.
        scratch = next(folder for folder in program.parents if (folder / "checkouts").is_dir())
        return cls(program, scratch / "checkouts", epoch)

    @property
    def version(self) -> str:
        return subprocess.run([self.program, "--version"], stdout=subprocess.PIPE, text=True, check=True).stdout.strip()

    @property
    def architecture(self) -> str:
        with self.program.open("rb") as file:
            [machine] = struct.unpack_from("<H", file.read(20), 18)
        return MACHINES[machine]

    def stripped(self, path: Path) -> None:
        """Without the hashes that the compiler writes of its modules, which depend on the times of files and are not read
        at run time. The build id, of which they are a part, becomes the hash of what is left."""
        path.parent.mkdir(parents=True, exist_ok=True)
        subprocess.run(["strip", "--remove-section", ".swift_modhash", "-o", path, self.program], check=True)
        for build_id in (lambda: bytes(20)), (lambda: hashlib.sha1(path.read_bytes()).digest()):
            with tempfile.NamedTemporaryFile() as note:
                note.write(struct.pack("<III4s", 4, 20, 3, b"GNU") + build_id())
                note.flush()
                subprocess.run(["objcopy", "--update-section", f".note.gnu.build-id={note.name}", path], check=True)
        path.chmod(0o755)

    def notices(self, folder: Path) -> None:
        subprocess.run(["sh", CONFIG / "notices.sh", self.checkouts, folder], check=True)

    def manual(self, path: Path) -> None:
        date = datetime.fromtimestamp(self.epoch, timezone.utc)
        written(path, packed(manual(self.program, self.version, f"{date:%Y-%m-%d}")))

    def completions(self, paths: dict[str, Path]) -> None:
        for shell, path in paths.items():
            written(path, subprocess.run([self.program, "--generate-completion-script", shell],
                                         stdout=subprocess.PIPE, check=True).stdout)

    def dated(self, folder: Path) -> None:
        """Gives all below a folder the release's time, and rights that depend on no umask."""
        for path in sorted(folder.rglob("*"), reverse=True):
            if not path.is_symlink():
                path.chmod(0o755 if path.is_dir() or path.stat().st_mode & 0o100 else 0o644)
            os.utime(path, (self.epoch, self.epoch), follow_symlinks=False)


def written(path: Path, contents: bytes | str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(contents.encode() if isinstance(contents, str) else contents)


def packed(text: str) -> bytes:
    """Without a name and a time, as `gzip -n` does."""
    return gzip.compress(text.encode(), 9, mtime=0)


def copied(source: Path, target: Path) -> None:
    """Copies what is meant for others; of a link the file that it leads to."""
    shutil.copytree(source, target, ignore=shutil.ignore_patterns("__pycache__", "admin-token", "redis-password"))

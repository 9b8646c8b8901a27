"""Checks that the files of a release come out the same again: `make check-dist`.

They are made a second time under other circumstances, and with `--rebuild`, as root, from a program that is built anew
from a clone. The clone is mounted at this folder's path, which Yams' assertions name.
"""

import argparse
import hashlib
import json
import os
import re
import subprocess
import sys
import tarfile
import tempfile
from pathlib import Path

from contents import REPOSITORY

OTHERWISE = {"TZ": "Pacific/Chatham", "LC_ALL": "C", "LANG": "C"}


def digests(folder: Path) -> dict[str, str]:
    return {path.name: hashlib.sha256(path.read_bytes()).hexdigest() for path in sorted(folder.iterdir())}


def again(repository: Path, larder: Path, commands: list[str], output: Path) -> None:
    """With another umask, zone and locale."""
    options = [word for command in commands for word in ("--command", command)]
    subprocess.run([sys.executable, "-B", repository / "Tests/Deployment/Packages/dist.py", "--larder", larder, "--output",
                    output, *options], env=os.environ | OTHERWISE | {"HOME": str(output.parent)}, umask=0o077, check=True,
                   stdout=subprocess.DEVNULL)


def rebuilt(folder: Path) -> Path:
    """A clone of the commit, with its program built."""
    clone = folder / "larder"
    subprocess.run(["git", "clone", "--quiet", REPOSITORY, clone], check=True)
    subprocess.run(["unshare", "--mount", "sh", "-ec", 'mount --bind "$0" "$1"; cd "$1"; exec make release', clone, REPOSITORY],
                   check=True, stdout=subprocess.DEVNULL)
    return clone


def sound(dist: Path) -> None:
    """Checksums, subjects of the statement, and paths of the archives."""
    listed = dict(reversed(line.split("  ")) for line in (dist / "SHA256SUMS").read_text().splitlines())
    found = digests(dist)
    assert listed == {name: value for name, value in found.items() if name != "SHA256SUMS"}, "SHA256SUMS lists all files"
    [statement] = dist.glob("*.intoto.json")
    subjects = {one["name"]: one["digest"]["sha256"] for one in json.loads(statement.read_text())["subject"]}
    assert subjects == {name: value for name, value in listed.items() if name != statement.name}, "the statement has them"
    for path in [*dist.glob("*.tar.gz"), *dist.glob("*.tgz")]:
        with tarfile.open(path) as tar:
            entries = tar.getmembers()
        assert [one.name for one in entries] == sorted((one.name for one in entries), key=Path), f"{path.name} is sorted"
        assert {(one.uid, one.gid, one.uname, one.gname) for one in entries} == {(0, 0, "root", "root")}
        assert len({one.mtime for one in entries}) == 1 and not any(one.issym() for one in entries)
        assert not [one.name for one in entries if re.search(r"admin-token|redis-password|__pycache__", one.name)]


def main() -> int:
    arguments = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    arguments.add_argument("--dist", type=Path, required=True)
    arguments.add_argument("--larder", type=Path, required=True)
    arguments.add_argument("--rebuild", action="store_true")
    options = arguments.parse_args()
    sound(options.dist)
    [statement] = options.dist.glob("*.intoto.json")
    commands = json.loads(statement.read_text())["predicate"]["buildDefinition"]["internalParameters"]["commands"]
    with tempfile.TemporaryDirectory() as folder:
        repository, larder = REPOSITORY, options.larder.resolve()
        if options.rebuild:
            repository = rebuilt(Path(folder))
            larder = repository / ".build-release" / "release" / "larder"
        again(repository, larder, commands, Path(folder) / "dist")
        first, second = digests(options.dist), digests(Path(folder) / "dist")
    for name in sorted({*first, *second}):
        print(f"{'same' if first.get(name) == second.get(name) else 'OTHER':5} {name}", flush=True)
    return first != second


if __name__ == "__main__":
    sys.exit(main())

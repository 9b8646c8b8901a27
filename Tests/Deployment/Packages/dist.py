"""Makes the files of a release from a built program: `make dist`.

An archive, the Debian package, the chart, the bill of materials, a statement of how they were built, and their
checksums. The same program and commit give the same bytes: entries are sorted, and have one owner and the time of the
commit, or of SOURCE_DATE_EPOCH.
"""

import argparse
import gzip
import hashlib
import io
import json
import re
import shutil
import subprocess
import sys
import tarfile
import tempfile
from pathlib import Path

import package
from contents import CONFIG, PAGES, REPOSITORY, Release, copied, git, written

SBOM = REPOSITORY / "Tests" / "Deployment" / "sbom.py"


def packed(folder: Path, release: Release) -> bytes:
    """A folder under its own name."""
    entries = io.BytesIO()
    with tarfile.open(fileobj=entries, mode="w", format=tarfile.GNU_FORMAT) as tar:
        for path in sorted(folder.rglob("*")):
            entry = tar.gettarinfo(path, path.relative_to(folder.parent).as_posix())
            entry.uid = entry.gid = 0
            entry.uname = entry.gname = "root"
            entry.mtime = release.epoch
            entry.mode = 0o755 if entry.isdir() or entry.mode & 0o100 else 0o644
            tar.addfile(entry, io.BytesIO(path.read_bytes()) if entry.isfile() else None)
    return gzip.compress(entries.getvalue(), 9, mtime=0)


def program_archive(release: Release, place: Path) -> bytes:
    folder = place / f"larder-{release.version}"
    release.stripped(folder / "bin" / "larder")
    release.notices(folder / "notices")
    release.manual(folder / "share" / "man" / "man1" / "larder.1.gz")
    release.completions({shell: folder / "share" / "completions" / f"larder.{shell}" for shell in ("bash", "zsh", "fish")})
    copied(CONFIG, folder / "config")
    # The chart is an archive of its own, as the package is.
    for name in ("helm", "debian"):
        shutil.rmtree(folder / "config" / name)
    copied(PAGES, folder / "docs")
    readme = (REPOSITORY / "README.md").read_text()
    written(folder / "README.md", readme.replace("Sources/larder/Larder.docc/", "docs/"))
    return packed(folder, release)


def chart_archive(release: Release, place: Path) -> bytes:
    """The chart with the files that its links lead to."""
    copied(CONFIG / "helm" / "larder", place / "larder")
    return packed(place / "larder", release)


def dependencies() -> list[dict]:
    """What went into the program beside the sources, at which revision."""
    pins = json.loads((REPOSITORY / "Package.resolved").read_text())["pins"]
    swift = re.search(r"Swift version (\S+)", run("swift", "--version"))[1]
    named = (REPOSITORY / "Dockerfile").read_text().split("\nFROM ")[1]
    debian = re.search(r"--no-install-recommends([^&]*)&&", named)[1].replace("\\", "").split()
    form = "-f=pkg:deb/debian/${Package}@${Version}?arch=${Architecture}\n"
    return [{"uri": f"pkg:generic/swift@{swift}"},
            *({"uri": f"git+{pin['location']}@{pin['state']['version']}",
               "digest": {"gitCommit": pin["state"]["revision"]}} for pin in pins),
            *({"uri": uri} for uri in run("dpkg-query", "-W", form, *debian).splitlines())]


def provenance(release: Release, files: dict[str, bytes], commands: list[str]) -> str:
    """A statement of in-toto with the predicate of SLSA, without the time and place of the build."""
    return json.dumps({
        "_type": "https://in-toto.io/Statement/v1",
        "subject": [{"name": name, "digest": {"sha256": digest(contents)}} for name, contents in sorted(files.items())],
        "predicateType": "https://slsa.dev/provenance/v1",
        "predicate": {
            "buildDefinition": {
                "buildType": "urn:larder:make-dist:v1",
                "externalParameters": {
                    "source": {"uri": "urn:larder:source", "digest": {"gitCommit": git("rev-parse", "HEAD")}},
                    "architecture": release.architecture},
                "internalParameters": {"SOURCE_DATE_EPOCH": release.epoch, "commands": commands},
                "resolvedDependencies": dependencies()},
            "runDetails": {"builder": {"id": "urn:larder:make"}}}}, indent=2) + "\n"


def digest(contents: bytes) -> str:
    return hashlib.sha256(contents).hexdigest()


def run(*words) -> str:
    return subprocess.run(words, cwd=REPOSITORY, stdout=subprocess.PIPE, text=True, check=True).stdout


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    arguments.add_argument("--larder", type=Path, required=True, help="the program, built for release")
    arguments.add_argument("--output", type=Path, required=True, help="the folder, which is made anew")
    arguments.add_argument("--command", action="append", default=[], help="a command that has built it, for the statement")
    options = arguments.parse_args()
    if changed := git("status", "--porcelain"):
        sys.exit(f"dist: no commit has these changes, so no statement can name what was built:\n{changed}")
    release = Release.read(options.larder)
    shutil.rmtree(options.output, ignore_errors=True)
    options.output.mkdir(parents=True)
    with tempfile.TemporaryDirectory() as place:
        debian = package.build(release, Path(place))
        materials = Path(place) / "larder.cdx.json"
        subprocess.run([sys.executable, "-B", SBOM, materials, "--release"], check=True)
        files = {
            f"larder-{release.version}-linux-{release.architecture}.tar.gz": program_archive(release, Path(place)),
            f"larder-chart-{release.version}.tgz": chart_archive(release, Path(place)),
            f"larder-{release.version}-linux-{release.architecture}.cdx.json": materials.read_bytes(),
            debian.name: debian.read_bytes()}
    files[f"larder-{release.version}-linux-{release.architecture}.intoto.json"] = provenance(
        release, files, options.command).encode()
    files["SHA256SUMS"] = "".join(f"{digest(files[name])}  {name}\n" for name in sorted(files)).encode()
    for name, contents in files.items():
        written(options.output / name, contents)
        print(options.output / name)


if __name__ == "__main__":
    main()

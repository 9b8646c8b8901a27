"""Builds the Debian package of a program: `make deb`. It needs the Debian release, or an older one, on which it is to run."""

import argparse
import os
import re
import subprocess
import tempfile
from datetime import datetime, timezone
from email.utils import format_datetime
from pathlib import Path

from contents import CONFIG, REPOSITORY, UNIT, Release, copied, packed, written

DEBIAN = CONFIG / "debian"
SCRIPTS = ("postinst", "prerm", "postrm")
CONFFILES = {"/etc/larder/larder.yaml": CONFIG / "larder.yaml", "/etc/larder/environment": DEBIAN / "environment"}


def depends(program: Path) -> str:
    """The packages of the shared libraries; libevent not before the release that the Dockerfile names."""
    [minimum] = re.findall(r"^ARG LIBEVENT_MINIMUM=(.+)$", (REPOSITORY / "Dockerfile").read_text(), re.MULTILINE)
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / "debian").mkdir()
        (Path(folder) / "debian" / "control").write_text("Source: larder\n\nPackage: larder\nArchitecture: any\n")
        # Its warnings are about the folders of a source package, which this is not.
        found = subprocess.run(["dpkg-shlibdeps", "-O", "-e", program.resolve()], cwd=folder, capture_output=True,
                               text=True, check=False)
    assert found.returncode == 0, found.stderr
    [names] = re.findall(r"^shlibs:Depends=(.+)$", found.stdout, re.MULTILINE)
    names, count = re.subn(r"(?<=libevent-2\.1-7 )\(>= [^)]*\)", f"(>= {minimum})", names)
    assert count == 1, f"libevent is not among {names}"
    return names


def unit() -> str:
    """The unit, with the place of a package's program."""
    return UNIT.read_text().replace("/usr/local/bin/larder", "/usr/bin/larder")


def copyright_of(notices: Path) -> str:
    """One file: images of containers often leave out all of /usr/share/doc but this."""
    parts = ["Larder links the works below statically; their notices follow. What it links dynamically are packages of\n"
             "Debian, which have their own.\n"]
    for path in sorted(notices.rglob("*")):
        if path.is_file():
            parts.append(f"\n=== {path.relative_to(notices)} ===\n\n{path.read_text()}")
    return "".join(parts)


def lay_out(release: Release, root: Path, version: str, conffiles: dict[str, Path]) -> None:
    share = root / "usr" / "share"
    doc = share / "doc" / "larder"
    release.stripped(root / "usr" / "bin" / "larder")
    units = root / "usr" / "lib" / "systemd" / "system"
    written(units / "larder.service", unit())
    written(units / "larder.socket", UNIT.with_suffix(".socket").read_bytes())
    for name, source in conffiles.items():
        written(root / name.lstrip("/"), source.read_bytes())
    release.manual(share / "man" / "man1" / "larder.1.gz")
    release.completions({
        "bash": share / "bash-completion" / "completions" / "larder", "zsh": share / "zsh" / "vendor-completions" / "_larder",
        "fish": share / "fish" / "vendor_completions.d" / "larder.fish"})
    for name in ("examples", "prometheus"):
        copied(CONFIG / name, doc / name)
    with tempfile.TemporaryDirectory() as notices:
        release.notices(Path(notices))
        written(doc / "copyright", copyright_of(Path(notices)))
    date = format_datetime(datetime.fromtimestamp(release.epoch, timezone.utc))
    [maintainer] = re.findall(r"^Maintainer: (.+)$", (DEBIAN / "control").read_text(), re.MULTILINE)
    written(doc / "changelog.gz", packed(
        f"larder ({version}) stable; urgency=medium\n\n  * See the page Changelog.\n\n -- {maintainer}  {date}\n"))


def build(release: Release, folder: Path, version: str | None = None, conffiles: dict[str, Path] | None = None,
          level: int = 6) -> Path:
    """Builds the package in a folder; another version, other contents of config files and less packing are for drills."""
    version, conffiles = version or release.version, CONFFILES | (conffiles or {})
    with tempfile.TemporaryDirectory() as place:
        root = Path(place) / "larder"
        lay_out(release, root, version, conffiles)
        release.dated(root)
        kilobytes = sum(-(-path.stat().st_size // 1024) for path in root.rglob("*") if path.is_file())
        control = (DEBIAN / "control").read_text()
        for name, value in {"VERSION": version, "ARCHITECTURE": release.architecture, "SIZE": str(kilobytes),
                            "DEPENDS": depends(root / "usr" / "bin" / "larder")}.items():
            control = control.replace(f"@{name}@", value)
        written(root / "DEBIAN" / "control", control)
        written(root / "DEBIAN" / "conffiles", "".join(f"{name}\n" for name in conffiles))
        for name in SCRIPTS:
            written(root / "DEBIAN" / name, (DEBIAN / name).read_bytes())
            (root / "DEBIAN" / name).chmod(0o755)
        release.dated(root)
        root.chmod(0o755)
        package = folder / f"larder_{version}_{release.architecture}.deb"
        subprocess.run(["dpkg-deb", "--root-owner-group", "-Zxz", f"-z{level}", "--threads-max=1", "--build", root, package],
                       env=os.environ | {"SOURCE_DATE_EPOCH": str(release.epoch)}, stdout=subprocess.DEVNULL, check=True)
    return package


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    arguments.add_argument("--larder", type=Path, required=True, help="the program, built for release")
    arguments.add_argument("--output", type=Path, required=True, help="the folder for the package")
    options = arguments.parse_args()
    options.output.mkdir(parents=True, exist_ok=True)
    print(build(Release.read(options.larder), options.output))


if __name__ == "__main__":
    main()

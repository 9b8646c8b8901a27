"""Writes what the image ships, or with `--release` what `make release` builds, as a CycloneDX document: `make sbom`.

Swift packages have the versions that the checkout resolves to. Debian packages, those of the Dockerfile's last stage and
their dependencies, have the versions of this machine: run it on the Debian release of the image.
"""

import json
import platform
import re
import subprocess
import sys
from pathlib import Path
from urllib.parse import quote

REPOSITORY = Path(__file__).resolve().parents[2]
BASE_PACKAGES = ["libc6", "libgcc-s1", "libstdc++6"]
"""Linked by the program itself and part of the base image."""
LICENSES = {"Apache License": "Apache-2.0", "The MIT License": "MIT"}


def output(*command) -> str:
    return subprocess.run(command, cwd=REPOSITORY, stdout=subprocess.PIPE, text=True, check=True).stdout


def component(name: str, version: str, purl: str, license_id: str | None = None) -> dict:
    licenses = {"licenses": [{"expression": license_id}]} if license_id else {}
    return {"type": "library", "bom-ref": purl, "name": name, "version": version, "purl": purl, **licenses}


def license_of(checkout: Path) -> str | None:
    start = "".join(path.read_text()[:400] for path in checkout.glob("LICENSE*"))
    return next((license_id for words, license_id in LICENSES.items() if words in start), None)


def swift_packages(package: dict, found: dict, links: dict) -> list[str]:
    """Adds a package's dependencies to `found` and `links`, and returns their references."""
    references = []
    for dependency in package["dependencies"]:
        location = re.sub(r"^https://|\.git$", "", dependency["url"])
        purl = f"pkg:swift/{location}@{dependency['version']}"
        references.append(purl)
        found[purl] = component(dependency["name"], dependency["version"], purl, license_of(Path(dependency["path"])))
        links[purl] = swift_packages(dependency, found, links)
    return references


def debian_packages(names: list[str], found: dict, links: dict) -> list[str]:
    """Adds packages and their dependencies to `found` and `links`, and returns the references of `names`."""
    installed, distro = {}, platform.freedesktop_os_release()["VERSION_ID"]
    form = "-f=${Package}\t${Version}\t${Architecture}\t${Pre-Depends}, ${Depends}\n"
    for line in output("dpkg-query", "-W", form).splitlines():
        name, version, architecture, depends = line.split("\t")
        purl = f"pkg:deb/debian/{quote(name)}@{quote(version)}?arch={architecture}&distro=debian-{distro}"
        installed[name] = (purl, version, re.findall(r"(?:^|[,|])\s*([a-z0-9][a-z0-9.+-]*)", depends))
    waiting = list(names)
    while waiting:
        purl, version, depends = installed[name := waiting.pop()]
        if purl not in found:
            found[purl] = component(name, version, purl)
            present = sorted({other for other in depends if other in installed})
            links[purl] = [installed[other][0] for other in present]
            waiting += present
    return [installed[name][0] for name in names]


def within(names: list[str], found: dict, links: dict) -> list[str]:
    """Takes the library whose archive a release has within from the packages, and returns its reference."""
    names.remove("libhiredis0.14")
    version = output("dpkg-query", "-W", "-f=${Version}", "libhiredis-dev")
    purl = f"pkg:deb/debian/libhiredis-dev@{quote(version)}"
    found[purl], links[purl] = component("libhiredis-dev", version, purl, "BSD-3-Clause"), []
    return [purl]


def main(path: str, *options: str) -> None:
    found, links = {}, {}
    toolchain = re.search(r"Swift version (\S+)", output("swift", "--version"))[1]
    runtime = f"pkg:generic/swift@{toolchain}"
    found[runtime] = component("swift", toolchain, runtime, "Apache-2.0 WITH Swift-exception")
    links[runtime] = []
    package = json.loads(output("swift", "package", "show-dependencies", "--format", "json"))
    last_stage = (REPOSITORY / "Dockerfile").read_text().split("\nFROM ")[-1]
    names = re.search(r"--no-install-recommends([^&]*)&&", last_stage)[1].replace("\\", "").split()
    archives = within(names, found, links) if "--release" in options else []
    sources = "".join(path.read_text() for path in (REPOSITORY / "Sources").rglob("*.swift"))
    version = re.search(r'enum LarderVersion \{[^}]*"(.+?)"', sources)[1]
    own = f"pkg:generic/larder@{version}"
    links[own] = [runtime, *archives, *swift_packages(package, found, links),
                  *debian_packages(names + BASE_PACKAGES, found, links)]
    document = {
        "bomFormat": "CycloneDX", "specVersion": "1.6", "version": 1,
        "metadata": {"component": component("larder", version, own) | {"type": "application"}},
        "components": [found[purl] for purl in sorted(found)],
        "dependencies": [{"ref": ref, "dependsOn": sorted(set(links[ref]))} for ref in sorted(links)],
    }
    Path(path).write_text(json.dumps(document, indent=2) + "\n")


if __name__ == "__main__":
    main(*sys.argv[1:])

"""Installs, starts, upgrades, removes and purges the Debian package in fresh roots: `make drill-deb`.

A root has no systemd running: systemd itself looks at the unit, and the drill starts what the unit says, as its user,
with its environment, credential and notifications. As root, with Debian's archive in reach.
"""

import argparse
import json
import os
import re
import signal
import socket
import stat
import subprocess
import sys
from pathlib import Path

from programs import HERE, Failure, Programs, ask, end, free_ports, parser, run, set_fault, status, until

sys.path.append(str(HERE / "Packages"))
from contents import CONFIG, Release  # noqa: E402
from package import build  # noqa: E402

SUITES = {"bookworm": "12", "trixie": "13"}
USER = "61184"
"""The first of the numbers that systemd gives to a DynamicUser."""
MOUNTED = 'mount -t proc proc "$0/proc" && mount --rbind /dev "$0/dev" && exec chroot "$0" "$@"'
TAGS = ("bogus-mail-host", "bogus-mail-host-in-debian-changelog", "copyright-file-contains-full-apache-2-license",
        "copyright-not-using-common-license-for-apache2", "embedded-library", "bash-completion-with-hashbang",
        "maintainer-script-calls-systemctl")
"""What lintian says and is meant: there is no address, notices stay whole, Yams has libyaml within, completions are as
they are made, and no helper of debhelper is used."""


class Root:
    """A Debian of its own."""

    def __init__(self, programs: Programs, suite: str):
        self.programs, self.suite, self.path = programs, suite, programs.folder / suite
        output("mmdebstrap", "--variant=minbase", "--include=systemd", suite, self.path)
        self.call("apt-get", "update", "-qq")

    def command(self, *words) -> list:
        return ["unshare", "--mount", "sh", "-c", MOUNTED, self.path, *words]

    def call(self, *words) -> str:
        return output(*self.command("env", "DEBIAN_FRONTEND=noninteractive", *words))

    def install(self, package: Path) -> None:
        """By apt, which keeps config files that were changed."""
        (self.path / "tmp" / package.name).write_bytes(package.read_bytes())
        self.call("apt-get", "install", "-qq", "--no-install-recommends", "-o", "Dpkg::Options::=--force-confold",
                  f"/tmp/{package.name}")
        (self.path / "tmp" / package.name).unlink()

    def own(self) -> list[str]:
        """The paths that bear the program's name, but for logs, and apt's and dpkg's own."""
        found = (path.relative_to(self.path).as_posix() for path in self.path.rglob("*larder*"))
        return sorted(path for path in found if not path.startswith(("var/log/", "var/lib/dpkg/", "var/cache/", "proc/")))


def output(*words) -> str:
    done = subprocess.run([*map(str, words)], capture_output=True, text=True, check=False, stdin=subprocess.DEVNULL)
    if done.returncode:
        raise Failure(f"{' '.join(map(str, words))}: {done.stdout[-1500:]}{done.stderr[-1500:]}")
    return done.stdout


def expect(is_so: object, what: str) -> None:
    if not is_so:
        raise Failure(f"not so: {what}")
    print(f"  {what}", flush=True)


class Unit:
    """The installed unit, started as systemd would."""

    def __init__(self, root: Root, port: int, admin: int):
        self.root, self.port, self.admin = root, port, admin
        self.text = (root.path / "usr/lib/systemd/system/larder.service").read_text()

    def lines(self, name: str) -> list[str]:
        found = re.findall(rf"^{name}=(.*)$", self.text, re.MULTILINE)
        return [line.replace("%S", "/var/lib").replace("%d", "/run/credentials/larder.service") for line in found]

    def prepare(self) -> None:
        """Lays out the state directory and the credential."""
        root = self.root.path
        state, credentials = root / "var/lib/private/larder", root / "run/credentials/larder.service"
        for folder in (state, credentials):
            folder.mkdir(parents=True, exist_ok=True)
            os.chown(folder, int(USER), int(USER))
        # Closed to all but root, and systemd mounts the service's own part for it.
        state.parent.chmod(0o755)
        if not (root / "var/lib/larder").is_symlink():
            (root / "var/lib/larder").symlink_to("private/larder")
        for line in self.lines("LoadCredential"):
            name, _, source = line.partition(":")
            (credentials / name).write_bytes((root / source.lstrip("/")).read_bytes())
            os.chown(credentials / name, int(USER), int(USER))

    def environment(self) -> list[str]:
        words = [word for line in self.lines("Environment") for word in line.split()]
        [file] = self.lines("EnvironmentFile")
        own = (self.root.path / file.lstrip("-/")).read_text().splitlines()
        return [*words, *(line for line in own if line and not line.startswith("#"))]

    def start(self) -> subprocess.Popen:
        """Returns once the service has said that it is ready."""
        self.prepare()
        place = self.root.path / "run" / "notify"
        place.unlink(missing_ok=True)
        with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as notified:
            notified.bind(str(place))
            place.chmod(0o777)
            notified.settimeout(20)
            [start] = self.lines("ExecStart")
            process = self.root.programs.start("service", self.root.command(
                "setpriv", f"--reuid={USER}", f"--regid={USER}", "--clear-groups", "--bounding-set=-all", "--no-new-privs",
                "--pdeathsig=KILL", "env", "-i", "NOTIFY_SOCKET=/run/notify", f"LARDER_ADMIN=127.0.0.1:{self.admin}",
                *self.environment(), *start.split()))
            try:
                while b"READY=1" not in notified.recv(4096):
                    pass
            except TimeoutError as late:
                raise Failure(process.log.read_text()[-3000:]) from late
        return process


def environment_mode(root: Root) -> int:
    return stat.S_IMODE((root.path / "etc/larder/environment").stat().st_mode)


def checked(root: Root, package: Path) -> None:
    """The files as their readers see them."""
    mode = stat.S_IMODE((root.path / "etc/larder/admin-token").stat().st_mode)
    token = (root.path / "etc/larder/admin-token").read_text()
    expect(mode == 0o600 and re.fullmatch("[0-9a-f]{64}", token), "a token for orders is there, for root alone")
    expect(environment_mode(root) == 0o640, "the variables, which may be secrets, are for root and its group")
    expect(root.call("dpkg", "--verify", "larder") == "", "all files are as they were packed")
    verified = output("systemd-analyze", "verify", "--man=no", f"--root={root.path}", "larder.service")
    expect(verified == "", "systemd understands the unit, and finds its program")
    page = subprocess.run(["man", "--warnings", "-Tutf8", "-l", root.path / "usr/share/man/man1/larder.1.gz"],
                          capture_output=True, text=True, check=True, env=os.environ | {"MANWIDTH": "100"})
    expect("Probes the service" in page.stdout and not page.stderr, "the manual page is printed without a warning")
    words = ('. "$0"; COMP_LINE="larder healthc"; COMP_POINT=14; COMP_WORDS=(larder healthc); COMP_CWORD=1; '
             '_larder larder healthc; echo "${COMPREPLY[@]}"')
    reply = output("bash", "-c", words, root.path / "usr/share/bash-completion/completions/larder")
    expect(reply.strip() == "healthcheck", "bash completes commands")
    said = output("lintian", "--allow-root", "--fail-on", "none", "--suppress-tags", ",".join(TAGS), package)
    expect(said == "", "lintian finds nothing else")


def configured(root: Root, upstream: int, port: int) -> str:
    """Edits the config files as an operator does; returns the config."""
    config, environment = root.path / "etc/larder/larder.yaml", root.path / "etc/larder/environment"
    config.write_text(config.read_text().replace("[::]:8080", f"127.0.0.1:{port}"))
    environment.write_text(environment.read_text() + f"LARDER_UPSTREAM=127.0.0.1:{upstream}\n")
    return config.read_text()


def served(root: Root, unit: Unit) -> None:
    process = unit.start()
    expect(status(unit.port, "/livez") == 200, "it listens once it has said so")
    until(lambda: status(unit.port, "/readyz") == 200, "it is ready", process)
    [check, hang_up] = unit.lines("ExecReload")
    root.call("env", *unit.environment(), *check.lstrip("+").split())
    expect(hang_up == "/bin/kill -HUP $MAINPID", "it is told to reload by SIGHUP")
    process.send_signal(signal.SIGHUP)
    until(lambda: '"reloaded"' in process.log.read_text(), "it reloads", process)
    expect(status(unit.admin, "/refresh", "POST") == 401, "an order without the token is refused")
    orders = ("larder", "refresh", "--admin", f"127.0.0.1:{unit.admin}", "--token-file", "/etc/larder/admin-token")
    expect(root.call(*orders), "an order with it is carried out")
    expect(end(process) == 0, "it stops in order")


def drill(programs: Programs, options: argparse.Namespace) -> None:
    release = Release.read(options.larder)
    package = build(release, programs.folder)
    changed = programs.folder / "larder.yaml"
    changed.write_text((CONFIG / "larder.yaml").read_text() + "# Another default.\n")
    newer = build(release, programs.folder, release.version + "+drill1", {"/etc/larder/larder.yaml": changed}, level=1)
    for suite in options.suites:
        print(f"Debian {SUITES[suite]}", flush=True)
        lived(programs, Root(programs, suite), options.larder, package, newer)


def lived(programs: Programs, root: Root, larder: Path, package: Path, newer: Path) -> None:
    """A root with the package, from its installation to its purge."""
    root.install(package)
    checked(root, package)
    upstream, (port, admin) = programs.start_upstream(larder), free_ports(2)
    config = configured(root, upstream, port)
    token = (root.path / "etc/larder/admin-token").read_text()
    served(root, Unit(root, port, admin))
    root.call("systemctl", "enable", "larder.service")
    set_fault(upstream, "down")
    (root.path / "etc/larder/environment").chmod(0o644)
    root.install(newer)
    expect(root.call("dpkg-query", "-W", "-f=${Version}", "larder").endswith("+drill1"), "it is upgraded")
    expect((root.path / "etc/larder/larder.yaml").read_text() == config, "the upgrade keeps the operator's config")
    expect((root.path / "etc/larder/larder.yaml.dpkg-dist").exists(), "and lays the new default beside it")
    expect((root.path / "etc/larder/admin-token").read_text() == token, "and the token")
    expect(environment_mode(root) == 0o640, "and closes variables that an older package left open")
    process = Unit(root, port, admin).start()
    until(lambda: status(port, "/readyz") == 200, "it is ready", process)
    expect("from store" in ask(port, "/readyz?verbose")[2].decode(), "upgraded it starts from its disk, without its upstream")
    expect(end(process) == 0, "it stops in order")
    (root.path / "run/notify").unlink()
    root.call("apt-get", "remove", "-qq", "larder")
    expect({path.split("/")[0] for path in root.own()} <= {"etc", "var", "run"}, "removed, it leaves config and state alone")
    expect(not any("systemd" in path for path in root.own()), "and no unit that is enabled")
    root.call("apt-get", "purge", "-qq", "larder")
    left = [path for path in root.own() if not path.startswith("run/")]
    expect(left == [], f"purged, it leaves nothing: {json.dumps(left)}")


def main() -> int:
    arguments = parser(__doc__)
    arguments.add_argument("--suites", nargs="+", choices=SUITES, default=list(SUITES))
    options = arguments.parse_args()
    return run("deb", lambda programs: drill(programs, options))


if __name__ == "__main__":
    sys.exit(main())

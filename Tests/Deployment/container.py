"""Builds, inspects, runs, probes, kills and drains the image: `make container-test`.

On Linux with Docker or Podman: the containers use the network of this machine. ENGINE, BUILD and RUN_FLAGS of the
Makefile say how to call them where that takes more than their names.
"""

import argparse
import json
import re
import shlex
import subprocess
import sys
import time
from datetime import datetime, timezone
from pathlib import Path

from programs import REPOSITORY, Failure, ask, free_ports, run, set_fault, status, until

BASE = "docker.io/library/debian:bookworm-slim"
LIBEVENT = "2.1.12-stable-8+deb12u1"
MOST_BYTES, MOST_SECONDS = 120e6, 0.3
LABELS = ("title", "description", "version", "revision", "created", "base.name")


class Engine:
    """Docker or Podman."""

    def __init__(self, options: argparse.Namespace):
        self.command, self.build_command = shlex.split(options.engine), shlex.split(options.build or "")
        self.run_flags, self.image = shlex.split(options.run_flags), options.image
        self.containers: list[str] = []

    def __enter__(self) -> "Engine":
        return self

    def __exit__(self, *_) -> None:
        for name in reversed(self.containers):
            self.call("rm", "--force", "--volumes", name, may_fail=True)

    def call(self, *words, may_fail: bool = False) -> str:
        done = subprocess.run([*self.command, *map(str, words)], capture_output=True, text=True, check=False)
        if done.returncode and not may_fail:
            raise Failure(f"{shlex.join([*self.command, *map(str, words)])}: {done.stderr.strip()}")
        return done.stdout.strip()

    def code(self, *words) -> int:
        return subprocess.run([*self.command, *map(str, words)], capture_output=True, check=False).returncode

    def build(self) -> None:
        revision = subprocess.run(
            ["git", "rev-parse", "HEAD"], cwd=REPOSITORY, capture_output=True, text=True, check=False).stdout.strip()
        command = self.build_command or [*self.command, "build"]
        subprocess.run(
            [*command, "--build-arg", f"REVISION={revision or 'unknown'}",
             "--build-arg", f"CREATED={datetime.now(timezone.utc):%Y-%m-%dT%H:%M:%SZ}", "-t", self.image, "."],
            cwd=REPOSITORY, check=True)

    def inspect(self, kind: str, name: str) -> dict:
        return json.loads(self.call(kind, "inspect", name))[0]

    def run(self, name: str, *words, flags: tuple = ()) -> None:
        self.containers.append(name)
        self.call("run", "--detach", "--name", name, "--network", "host", "--read-only", "--cap-drop", "all",
                  "--security-opt", "no-new-privileges", *self.run_flags, *flags, self.image, *words)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--engine", default="docker", help="for instance \"podman --runtime runc\"")
    parser.add_argument("--build", help="in place of ENGINE build")
    parser.add_argument("--run-flags", default="")
    parser.add_argument("--image", default="larder:test")
    parser.add_argument("--built", action="store_true", help="the image is there already")
    options = parser.parse_args()
    return run("container", lambda programs: test(options, programs.folder))


def test(options: argparse.Namespace, folder: Path) -> None:
    with Engine(options) as engine:
        if not options.built:
            engine.build()
        inspected(engine)
        lived(engine, folder)


def expect(is_so: bool, what: str) -> None:
    if not is_so:
        raise Failure(f"not so: {what}")
    print(f"  {what}", flush=True)


def inspected(engine: Engine) -> None:
    """Checks the image's labels, size, user and contents."""
    image, base = engine.inspect("image", engine.image), engine.inspect("image", BASE)
    config = image["Config"]
    own = image["Size"] - base["Size"]
    expect(own < MOST_BYTES, f"{own / 1e6:.0f} MB beyond the base")
    expect(config["User"] == "10001:10001", "it runs as a user of its own")
    expect((config["Entrypoint"], config["Cmd"]) == (["/usr/local/bin/larder"], ["serve"]), "it starts without a shell")
    check = config.get("Healthcheck") or image.get("HealthCheck") or image.get("Healthcheck") or {}
    expect(check.get("Test") == ["CMD", "/usr/local/bin/larder", "healthcheck"],
           "its health check needs neither shell nor curl")
    expect(config.get("StopSignal") in ("SIGTERM", "15"), "it is stopped by SIGTERM")
    expect("/var/lib/larder" in config["Volumes"], "its data are on a volume")
    labels = config["Labels"]
    expect(all(labels.get(f"org.opencontainers.image.{name}") for name in LABELS), "it has the labels of the OCI spec")
    version = engine.call("run", "--rm", "--network", "none", *engine.run_flags, "--entrypoint", "dpkg-query",
                          engine.image, "--show", "--showformat=${Version}", "libevent-2.1-7")
    newer = subprocess.run(["dpkg", "--compare-versions", version, "ge", LIBEVENT], check=False).returncode == 0
    expect(newer, f"libevent {version}")
    notices = engine.call("run", "--rm", "--network", "none", *engine.run_flags, "--entrypoint", "ls", engine.image,
                          "/usr/share/doc/larder").split()
    expect({"Yams", "libyaml", "swift", "swift-log"} <= set(notices), "it has the notices of what is linked statically")
    expect(engine.call("run", "--rm", "--network", "none", *engine.run_flags, engine.image, "--version")
           == labels["org.opencontainers.image.version"], "the version on the label is the program's")


def lived(engine: Engine, folder: Path) -> None:
    """A container from its start to its end."""
    upstream, port, admin = free_ports(3)
    name, other, volume = (f"larder-test-{port}", f"larder-test-{upstream}", f"larder-test-{port}")
    config = folder / "larder.yaml"
    text = (REPOSITORY / "config" / "larder.yaml").read_text()
    config.write_text(text.replace("[::]:8080", f"127.0.0.1:{port}").replace(":9090", f":{admin}"))
    folder.chmod(0o755)
    engine.run(other, "upstream", "--listen", f"127.0.0.1:{upstream}")
    until(lambda: status(upstream, "/_fault") == 200, "the practice upstream serves")
    flags = ("--env", f"LARDER_UPSTREAM=127.0.0.1:{upstream}", "--volume", f"{config}:/etc/larder/larder.yaml:ro",
             "--volume", f"{volume}:/var/lib/larder")
    try:
        engine.run(name, flags=flags)
        started(engine, name, port)
        until(lambda: status(port, "/readyz") == 200, "it is ready")
        confined(engine, name)
        probed(engine, name, port, admin)
        set_fault(upstream, "down")
        killed(engine, name, port)
        drained(engine, name, port)
        hurried(engine, name, port)
    except Failure as failure:
        raise Failure(f"{failure}\n{engine.call('logs', name, may_fail=True)[-2000:]}") from failure
    finally:
        engine.call("rm", "--force", name, may_fail=True)
        engine.call("volume", "rm", "--force", volume, may_fail=True)


def started(engine: Engine, name: str, port: int) -> None:
    until(lambda: status(port, "/livez") == 200, "it lives")
    seconds = began(engine, name)
    expect(seconds < MOST_SECONDS, f"it serves {seconds * 1000:.0f} ms after its start")


def began(engine: Engine, name: str) -> float:
    """The seconds from the start of the container to the log line that says it serves."""
    start = engine.inspect("container", name)["State"]["StartedAt"]
    lines = [json.loads(line) for line in engine.call("logs", name).splitlines()]
    served = [line["timestamp"] for line in lines if line["message"] == "serving"][-1]
    return moment(served) - moment(start)


def moment(text: str) -> float:
    """Reads a time of RFC 3339, with any number of decimals."""
    head, decimals, zone = re.fullmatch(r"(.{19})(?:\.(\d+))?(.*)", text).groups()
    return datetime.fromisoformat(head + zone.replace("Z", "+00:00")).timestamp() + float(f"0.{decimals or 0}")


def confined(engine: Engine, name: str) -> None:
    """Checks user, capabilities and file system of the process."""
    pid = engine.inspect("container", name)["State"]["Pid"]
    fields = dict(line.split(":", 1) for line in Path(f"/proc/{pid}/status").read_text().splitlines())
    expect(fields["NSpid"].split()[-1] == "1", "it is PID 1")
    expect(fields["Uid"].split()[0] == "10001", "it is not root")
    expect(int(fields["CapEff"], 16) == 0 and fields["NoNewPrivs"].strip() == "1", "it has no capability")
    mounts = Path(f"/proc/{pid}/mountinfo").read_text().splitlines()
    [root] = [line.split()[5] for line in mounts if line.split()[4] == "/"]
    expect("ro" in root.split(","), "its root file system is read-only")


def probed(engine: Engine, name: str, port: int, admin: int) -> None:
    for probe in ("/livez", "/readyz", "/healthz"):
        expect(status(port, probe) == status(admin, probe) == 200, f"{probe} on both ports")
    expect(ask(port, "/products")[0] == 200, "products")
    expect(engine.code("exec", name, "/usr/local/bin/larder", "healthcheck") == 0, "its health check says so too")


def killed(engine: Engine, name: str, port: int) -> None:
    """SIGKILL while the upstream is away, and a new start."""
    engine.call("kill", "--signal", "KILL", name)
    engine.call("wait", name, may_fail=True)
    engine.call("start", name)
    until(lambda: status(port, "/readyz") == 200, "it is ready from its disk")
    expect("from store" in ask(port, "/readyz?verbose")[2].decode(), "killed and started again it has its catalogue")


def drained(engine: Engine, name: str, port: int) -> None:
    """SIGTERM: not ready at once, serving still, gone with 0."""
    start = time.monotonic()
    engine.call("kill", "--signal", "TERM", name)
    until(lambda: status(port, "/readyz") == 503, "it is not ready any more", patience=2)
    expect(engine.code("exec", name, "/usr/local/bin/larder", "healthcheck") == 1, "told to stop, it is not healthy")
    code, headers, _ = ask(port, "/products")
    expect(code == 200 and headers.get("connection") == "close", "it still serves, and ends connections")
    until(lambda: not engine.inspect("container", name)["State"]["Running"], "it has stopped", patience=25)
    took = time.monotonic() - start
    exit_code = engine.inspect("container", name)["State"]["ExitCode"]
    expect(exit_code == 0 and 4.5 < took < 20, f"it drained, and exited with 0 after {took:.1f} s")


def hurried(engine: Engine, name: str, port: int) -> None:
    """A second SIGTERM: gone at once, said why."""
    engine.call("start", name)
    until(lambda: status(port, "/readyz") == 200, "it is ready again")
    start = time.monotonic()
    for _ in range(2):
        engine.call("kill", "--signal", "TERM", name)
        until(lambda: status(port, "/readyz") != 200, "it is not ready any more", patience=2)
    until(lambda: not engine.inspect("container", name)["State"]["Running"], "it has stopped", patience=25)
    took = time.monotonic() - start
    exit_code = engine.inspect("container", name)["State"]["ExitCode"]
    expect(exit_code == 143 and took < 4, f"told twice, it exited with 143 after {took:.1f} s")
    last = json.loads(engine.call("logs", name).splitlines()[-1])
    expect(last["message"] == "stopped at once", f"it said why: {last.get('reason')}")


if __name__ == "__main__":
    sys.exit(main())

"""A fleet on the loopback interface, as the example and HAProxy's config have it: Redis, the practice upstream, replicas
and HAProxy."""

import os
import secrets
import signal
import subprocess
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

from programs import REPOSITORY, Programs, status, until

EXAMPLE = REPOSITORY / "config" / "examples" / "fleet.yaml"
HAPROXY = REPOSITORY / "config" / "haproxy.cfg"
START = REPOSITORY / "config" / "kubernetes" / "shared-store" / "start.sh"


@dataclass
class Unit:
    """A program that can be taken away and brought back."""

    programs: Programs
    name: str
    command: list
    is_up: Callable[[], bool]
    environment: dict = field(default_factory=dict)
    process: subprocess.Popen | None = None

    def start(self, is_waited_for: bool = True) -> None:
        self.process = self.programs.start(self.name, self.command, self.environment)
        if is_waited_for:
            self.wait()

    def wait(self) -> None:
        """Returns when it serves."""
        until(self.is_up, f"{self.name} serves", self.process)

    @property
    def is_running(self) -> bool:
        return self.process is not None and self.process.poll() is None

    def pause(self) -> None:
        """Stops it as a whole: connections stay open, and nothing is answered."""
        self.process.send_signal(signal.SIGSTOP)

    def resume(self) -> None:
        self.process.send_signal(signal.SIGCONT)


class Redis(Unit):
    """The server of config/kubernetes/shared-store, in a folder and on a port of its own."""

    def __init__(self, programs: Programs, port: int, password: str):
        folder = programs.folder / "redis"
        folder.mkdir()
        self.port, self.password = port, password
        (folder / "password").write_text(f"{password}\n")
        for name in ("start.sh", "redis.conf"):
            text = (START.parent / name).read_text()
            for shipped, own in (("valkey-server", "redis-server"), ("/etc/redis", folder), ("/run/secrets/redis", folder),
                                 ("/run/redis", folder), ("dir /data", f"dir {folder}"),
                                 ("port 6379", f"port {port}\nbind 127.0.0.1")):
                text = text.replace(shipped, str(own))
            (folder / name).write_text(text)
        self.folder = folder
        super().__init__(programs, "redis", ["sh", folder / "start.sh"], lambda: self.ask("ping") == "PONG")

    def ask(self, *words) -> str:
        """The reply to one command of the replicas' user, as redis-cli prints it; an error begins with its code."""
        done = subprocess.run(
            [*map(str, ["redis-cli", "-p", self.port, "--user", "larder", *words])], check=False, timeout=5,
            env=os.environ | {"REDISCLI_AUTH": self.password}, capture_output=True, text=True)
        return done.stdout.strip()


class Fleet:
    """Starts all of it, on these ports: HAProxy's, the upstream's, that of Redis, then two for each replica."""

    def __init__(self, programs: Programs, larder: Path, ports: list[int], environment: dict):
        self.programs = programs
        self.port, self.upstream_port, redis_port, *others = ports
        self.pairs = list(zip(others[::2], others[1::2], strict=True))
        self.redis = Redis(programs, redis_port, secrets.token_hex(16))
        self.upstream = Unit(
            programs, "upstream", [larder, "upstream", "--listen", f"127.0.0.1:{self.upstream_port}"],
            lambda: status(self.upstream_port, "/_fault") == 200)
        self.replicas = [
            Unit(programs, f"replica-{number}", [larder, "serve", "--config", EXAMPLE],
                 lambda port=port: status(port, "/readyz") == 200,
                 environment | {
                     "LARDER_LISTEN": f"127.0.0.1:{port}", "LARDER_ADMIN": f"127.0.0.1:{admin}",
                     "LARDER_DATA": str(programs.folder / f"replica-{number}"),
                     "LARDER_UPSTREAM_URL": f"http://127.0.0.1:{self.upstream_port}",
                     "LARDER_REDIS_URL": f"redis://larder@127.0.0.1:{redis_port}/0",
                     "LARDER_REDIS_PASSWORD_FILE": str(self.redis.folder / "password")})
            for number, (port, admin) in enumerate(self.pairs, 1)]
        self.haproxy = Unit(
            programs, "haproxy", ["haproxy", "-db", "-f", HAPROXY], lambda: status(self.port, "/products") == 200,
            {"LARDER_LISTEN": f"127.0.0.1:{self.port}"}
            | {f"LARDER_{number}": f"127.0.0.1:{port}" for number, (port, _) in enumerate(self.pairs, 1)})

    @property
    def units(self) -> list[Unit]:
        return [self.redis, self.upstream, *self.replicas, self.haproxy]

    def start(self) -> None:
        for unit in self.units:
            unit.start(is_waited_for=unit not in self.replicas)

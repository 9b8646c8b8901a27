"""A fleet on the loopback interface: Redis, the practice upstream, replicas and HAProxy, each of which can be ended,
killed and paused."""

import json
import os
import secrets
import signal
import socket
import subprocess
import sys
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

from programs import HERE, REPOSITORY, Failure, Programs, ask, end, free_ports, status, until

EXAMPLE = REPOSITORY / "config" / "examples" / "fleet.yaml"
HAPROXY = REPOSITORY / "config" / "haproxy.cfg"
RIGHTS = "resetchannels ~larder:* &larder:* -@all +@read +@write +@scripting +@pubsub +@connection +time -@dangerous +info"
"""Everything that a replica may do in Redis."""
REDIS = """
bind 127.0.0.1
dir {folder}
aclfile {folder}/users.acl
maxmemory-policy noeviction
appendonly yes
enable-debug-command local
repl-diskless-sync-delay 0
masteruser admin
masterauth {password}
"""
TLS = """
port 0
tls-port {port}
tls-cert-file {certificates}/redis.pem
tls-key-file {certificates}/redis-key.pem
tls-ca-cert-file {certificates}/ca.pem
tls-auth-clients no
tls-replication yes
"""


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

    def wait(self, patience: float = 30) -> float:
        """Returns when it serves, with the seconds that took."""
        return until(self.is_up, f"{self.name} serves", self.process, patience)

    @property
    def is_running(self) -> bool:
        return self.process is not None and self.process.poll() is None

    def stop(self) -> int:
        self.resume()
        return end(self.process)

    def kill(self) -> None:
        self.process.kill()
        self.process.wait()

    def pause(self) -> None:
        """Stops it as a whole: connections stay open, and nothing is answered."""
        self.process.send_signal(signal.SIGSTOP)

    def resume(self) -> None:
        self.process.send_signal(signal.SIGCONT)


class Redis(Unit):
    """A server with the user `larder`, who may touch `larder:*` alone, and `admin` for the drill."""

    def __init__(self, programs: Programs, name: str, port: int, password: str, certificates: Path | None):
        folder = programs.folder / name
        folder.mkdir()
        self.port, self.password, self.certificates = port, password, certificates
        (folder / "users.acl").write_text(
            f"user default off\nuser larder on >{password} {RIGHTS}\nuser admin on >{password} ~* &* +@all\n")
        (folder / "redis.conf").write_text(
            REDIS.format(folder=folder, password=password)
            + (TLS.format(port=port, certificates=certificates) if certificates else f"port {port}\n"))
        super().__init__(programs, name, ["redis-server", folder / "redis.conf"],
                         lambda: self.ask("ping") == "PONG")

    def ask(self, *words, user: str = "admin", patience: float = 5) -> str:
        """The reply to one command, as redis-cli prints it; an error begins with its code."""
        tls = ["--tls", "--cacert", self.certificates / "ca.pem"] if self.certificates else []
        try:
            done = subprocess.run(
                [*map(str, ["redis-cli", "-p", self.port, *tls, "--user", user, *words])], check=False,
                env=os.environ | {"REDISCLI_AUTH": self.password}, capture_output=True, text=True, timeout=patience)
        except subprocess.TimeoutExpired:
            return ""
        return done.stdout.strip()


class Replica(Unit):
    """A `larder serve` with a disk of its own, and where the fleet has relays, ways of its own."""

    def __init__(self, fleet: "Fleet", number: int, port: int, admin: int):
        name = f"replica-{number}"
        self.port, self.admin, self.folder = port, admin, fleet.programs.folder / name
        self.relays = {}
        if fleet.has_relays:
            self.relays = {"redis": fleet.relay(f"{name}-redis", fleet.redis.port),
                           "upstream": fleet.relay(f"{name}-upstream", fleet.upstream_port)}
        scheme, host = ("rediss", "localhost") if fleet.certificates else ("redis", "127.0.0.1")
        redis, upstream = (self.relays[kind].port if self.relays else port
                           for kind, port in (("redis", fleet.redis.port), ("upstream", fleet.upstream_port)))
        super().__init__(
            fleet.programs, name, [fleet.larder, "serve", "--config", fleet.config],
            lambda: status(self.port, "/readyz") == 200,
            {"LARDER_LISTEN": f"127.0.0.1:{port}", "LARDER_ADMIN": f"127.0.0.1:{admin}",
             "LARDER_DATA": str(self.folder), "LARDER_UPSTREAM_URL": f"http://127.0.0.1:{upstream}",
             "LARDER_REDIS_URL": f"{scheme}://larder@{host}:{redis}/0",
             "LARDER_REDIS_PASSWORD_FILE": str(fleet.password_file)} | fleet.environment)

    def graph(self) -> dict:
        """The graph at work, as the port for operators tells it."""
        return json.loads(ask(self.admin, "/graph")[2])

    def metrics(self) -> str:
        return ask(self.admin, "/metrics")[2].decode()


class Fleet:
    """Redis, upstream, replicas and HAProxy. `start()` starts them all, or start each by itself.

    `ports` are those of HAProxy, the upstream, Redis, then two for each replica.
    """

    def __init__(self, programs: Programs, larder: Path, replicas: int = 3, is_encrypted: bool = True,
                 has_relays: bool = False, environment: dict | None = None, ports: list[int] | None = None,
                 upstream_words: tuple = ()):
        self.programs, self.larder, self.has_relays = programs, larder, has_relays
        self.environment = environment or {}
        self.port, self.upstream_port, redis_port, *others = ports or free_ports(3 + 2 * replicas)
        self.password_file = programs.folder / "redis-password"
        password = secrets.token_hex(16)
        self.password_file.write_text(f"{password}\n")
        self.certificates = make_certificates(programs.folder) if is_encrypted else None
        self.config = self.make_config()
        self.redis = Redis(programs, "redis", redis_port, password, self.certificates)
        self.upstream = Unit(
            programs, "upstream", [larder, "upstream", "--listen", f"127.0.0.1:{self.upstream_port}", *upstream_words],
            lambda: status(self.upstream_port, "/_fault") == 200)
        self.replicas = [Replica(self, number + 1, *others[2 * number:2 * number + 2]) for number in range(replicas)]
        self.haproxy = Unit(
            programs, "haproxy", ["haproxy", "-db", "-f", self.make_proxy()],
            lambda: status(self.port, "/products") == 200,
            {"LARDER_LISTEN": f"127.0.0.1:{self.port}"}
            | {f"LARDER_{number + 1}": f"127.0.0.1:{one.port}" for number, one in enumerate(self.replicas)})

    def start(self) -> None:
        self.redis.start()
        self.upstream.start()
        for replica in self.replicas:
            replica.start(is_waited_for=False)
        for replica in self.replicas:
            replica.wait()
        self.haproxy.start()

    def fetches(self) -> int:
        """The number of requests for products that the upstream had."""
        return json.loads(ask(self.upstream_port, "/_fault")[2])["requests"]

    def relay(self, name: str, target: int) -> Unit:
        [port] = free_ports(1)
        relay = Unit(self.programs, name, [sys.executable, "-B", HERE / "relay.py", port, target],
                     lambda: accepts(port))
        relay.port = port
        relay.start()
        return relay

    def another_redis(self) -> Redis:
        """A second server with the same users, for a failover."""
        [port] = free_ports(1)
        return Redis(self.programs, f"redis-{port}", port, self.redis.password, self.certificates)

    def make_config(self) -> Path:
        """The example, which trusts the authority of this fleet."""
        path, line = self.programs.folder / "fleet.yaml", "    password_file:"
        text = EXAMPLE.read_text()
        assert text.count(line) == 1, f"{EXAMPLE} has another form"
        if self.certificates:
            text = text.replace(line, f"    ca_file: {self.certificates}/ca.pem\n{line}")
        path.write_text(text)
        return path

    def make_proxy(self) -> Path:
        """HAProxy's config, with as many servers as there are replicas."""
        path, lines = self.programs.folder / "haproxy.cfg", HAPROXY.read_text().splitlines()
        kept = [line for line in lines if not line.startswith("    server ")]
        path.write_text("\n".join([*kept, *(
            f'    server larder-{number + 1} "${{LARDER_{number + 1}}}"' for number in range(len(self.replicas)))]) + "\n")
        return path


def accepts(port: int) -> bool:
    with suppress(OSError), socket.create_connection(("127.0.0.1", port), 1):
        return True
    return False


def make_certificates(folder: Path) -> Path:
    """An authority, and what it signed for Redis."""
    made = folder / "certificates"
    made.mkdir()
    (made / "names").write_text("subjectAltName=DNS:localhost,IP:127.0.0.1\n")
    key = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes"]
    for words in (
            ["req", "-x509", *key, "-keyout", "ca-key.pem", "-out", "ca.pem", "-days", "2", "-subj", "/CN=fleet"],
            ["req", *key, "-keyout", "redis-key.pem", "-out", "redis.csr", "-subj", "/CN=localhost"],
            ["x509", "-req", "-in", "redis.csr", "-CA", "ca.pem", "-CAkey", "ca-key.pem", "-CAcreateserial",
             "-out", "redis.pem", "-days", "2", "-extfile", "names"]):
        done = subprocess.run(["openssl", *words], cwd=made, capture_output=True, text=True, check=False)
        if done.returncode:
            raise Failure(f"openssl {words[0]}: {done.stderr}")
    return made

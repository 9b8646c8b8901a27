"""Two Redis servers with TLS and users, of which one is in use and the other follows it."""

import os
import re
import shutil
import signal
import socket
import ssl
import subprocess
import time
from pathlib import Path

from programs import REPOSITORY, Failure, Programs, free_ports, until
from stepped_clock import SteppedClock

PASSWORD = "rhubarb-and-custard"
ADMIN = "pectin"
START = REPOSITORY / "config" / "kubernetes" / "shared-store" / "start.sh"
RIGHTS = re.search(r"^user larder on #\$hash (.+)$", START.read_text().replace("\\\n", " "), re.MULTILINE)[1]
"""What replicas are deployed with."""
TLS = """
port 0
tls-port {port}
tls-cert-file {tls}/redis.crt
tls-key-file {tls}/redis.key
tls-ca-cert-file {tls}/ca.crt
tls-auth-clients optional
tls-replication yes
"""
DEBUG = "enable-debug-command yes"
CONFIG = """
bind 127.0.0.1
aclfile {folder}/users.acl
masteruser drill
masterauth {admin}
dir {folder}
appendonly yes
appendfsync everysec
save ""
repl-diskless-sync-delay 0
"""


def certificates(folder: Path) -> Path:
    """An authority, and certificates of the server and of a client, a day old: clocks of replicas are behind."""
    folder.mkdir()
    clock = SteppedClock(folder)
    clock.step(-86_400)

    def openssl(*words) -> None:
        done = subprocess.run(["openssl", *words], cwd=folder, capture_output=True, text=True,
                              env=os.environ | clock.environment())
        if done.returncode:
            raise Failure(f"openssl {words[0]}: {done.stderr}")

    key = ("-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes")
    openssl("req", "-x509", *key, "-keyout", "ca.key", "-out", "ca.crt", "-days", "3", "-subj", "/CN=drill authority")
    for name, extension in (("redis", "subjectAltName=DNS:localhost,IP:127.0.0.1"),
                            ("client", "keyUsage=digitalSignature")):
        (folder / f"{name}.ext").write_text(extension)
        openssl("req", *key, "-keyout", f"{name}.key", "-out", f"{name}.csr", "-subj", f"/CN={name}")
        openssl("x509", "-req", "-in", f"{name}.csr", "-CA", "ca.crt", "-CAkey", "ca.key", "-CAcreateserial",
                "-days", "3", "-extfile", f"{name}.ext", "-out", f"{name}.crt")
    (folder / "password").write_text(PASSWORD)
    return folder


class Server:
    """One Redis server."""

    def __init__(self, programs: Programs, name: str, tls: Path, program: str | Path, is_plain: bool):
        [self.port] = free_ports(1)
        self.programs, self.name, self.tls, self.program = programs, name, tls, program
        self.is_plain = is_plain
        self.folder = programs.folder / name
        self.folder.mkdir()
        (self.folder / "users.acl").write_text(
            f"user default off\nuser drill on >{ADMIN} allkeys allchannels allcommands\n"
            f"user larder on >{PASSWORD} {RIGHTS}\n")
        self.config = self.folder / "redis.conf"
        version = subprocess.run([program, "--version"], capture_output=True, text=True, check=True).stdout
        lines = [f"port {self.port}" if is_plain else TLS, CONFIG, "" if "v=6." in version else DEBUG]
        self.config.write_text("\n".join(lines).format(port=self.port, tls=tls, folder=self.folder, admin=ADMIN))
        self.start()

    def start(self, is_empty: bool = False) -> None:
        if is_empty:
            shutil.rmtree(self.folder / "appendonlydir", ignore_errors=True)
            (self.folder / "dump.rdb").unlink(missing_ok=True)
        self.process = self.programs.start(self.name, [self.program, self.config])
        until(self.answers, f"{self.name} answers", self.process)

    def answers(self) -> bool:
        try:
            return self.command("PING") == "PONG"
        except (OSError, Failure):
            # Nobody listens yet, or it still reads its data.
            return False

    def kill(self) -> None:
        self.process.send_signal(signal.SIGCONT)
        self.process.kill()
        self.process.wait()

    def command(self, *words, patience: float = 10):
        """The reply to one command of the user who may do all."""
        context = ssl.create_default_context(cafile=str(self.tls / "ca.crt"))
        with (socket.create_connection(("127.0.0.1", self.port), patience) as plain,
              plain if self.is_plain else context.wrap_socket(plain, server_hostname="localhost") as connection):
            stream = connection.makefile("rwb")
            for each in (("AUTH", "drill", ADMIN), words):
                parts = [str(word).encode() for word in each]
                stream.write(b"*%d\r\n" % len(parts) + b"".join(b"$%d\r\n%s\r\n" % (len(part), part) for part in parts))
                stream.flush()
                answer = reply(stream)
            return answer

    def info(self) -> dict[str, str]:
        lines = self.command("INFO", "everything").splitlines()
        return dict(line.split(":", 1) for line in lines if ":" in line)

    def follow(self, other: "Server | None") -> None:
        self.command("REPLICAOF", *(("127.0.0.1", other.port) if other else ("NO", "ONE")))

    def has_followed(self) -> bool:
        return self.info().get("master_link_status") == "up"


def reply(stream):
    line = stream.readline().decode().rstrip("\r\n")
    kind, rest = line[:1], line[1:]
    if kind == "-":
        raise Failure(f"redis: {rest}")
    if kind == "$":
        return None if rest == "-1" else stream.read(int(rest) + 2)[:-2].decode(errors="replace")
    if kind == "*":
        return [reply(stream) for _ in range(int(rest))]
    if not kind:
        raise ConnectionResetError("redis closed the connection")
    return int(rest) if kind == ":" else rest


class Engine:
    """The server in use, the one that stands by, and the ways of the replicas to the former."""

    def __init__(self, programs: Programs, has_standby: bool = True, program: str | Path = "redis-server",
                 is_plain: bool = False):
        self.tls = certificates(programs.folder / "tls")
        self.server = Server(programs, "redis-a", self.tls, program, is_plain)
        self.standby = Server(programs, "redis-b", self.tls, program, is_plain) if has_standby else None
        self.ways = []
        if self.standby:
            self.standby.follow(self.server)
            until(self.standby.has_followed, "the standby follows", self.standby.process)

    def fail_over(self) -> None:
        """Leads all to the standby, which has missed what was written since it stopped to follow."""
        self.server, self.standby = self.standby, self.server
        for way in self.ways:
            way.redirect(self.server.port)

    @staticmethod
    def commits(server: Server) -> int:
        """The number of the newest generation, of all catalogues together."""
        keys = server.command("KEYS", "larder:1:*:current")
        return sum(int(server.command("HGET", key, "generation") or 0) for key in keys)

    def rejoin(self) -> None:
        """Has the former server follow, which makes it forget what only it knew."""
        self.standby.follow(self.server)
        until(self.standby.has_followed, "the former server follows", self.standby.process)

    def debug_sleep(self, seconds: float) -> None:
        started = time.monotonic()
        self.server.command("DEBUG", "SLEEP", seconds, patience=seconds + 10)
        if time.monotonic() - started < seconds * 0.9:
            raise Failure("DEBUG SLEEP did not sleep")

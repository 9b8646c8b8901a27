"""Replicas of one service, and HAProxy in front of them."""

import json
import re
import shutil
import signal
import time
from contextlib import suppress
from http.client import HTTPException

from catalogue import Catalogue
from engine import Engine
from programs import Failure, Programs, ask, end, free_ports, status, until
from stepped_clock import SteppedClock
from ways import Ways

CONFIG = """
http: {{ listen: "127.0.0.1:{http}", threads: 1, drain: {{ delay: 10ms, deadline: 2s }} }}
admin: {{ listen: "127.0.0.1:{admin}" }}
stores:
  disk: {{ type: json_file, directory: "{data}", keep: 5 }}
{shared}
providers:
  local: {{ type: stored, store: disk }}
  remote:
    type: caching
    store: disk
    upstream:
{upstream}
  storefront:
    type: memory
    ttl: {ttl}
    hold_off: 1s
    refresh: background
    upstream: {{ type: fallback, primary: remote, secondary: local }}
serve: storefront
"""
SHARED = """
  shared:
    type: redis
    url: "{scheme}://larder@localhost:{engine}/0"
    password_file: "{tls}/password"
{files}
    name: drill
    keep: 20
    lease: {lease}
    poll: {poll}
    refill_from: disk
"""
FILES = """    ca_file: "{tls}/ca.crt"
    certificate: "{tls}/client.crt"
    key: "{tls}/client.key"
"""
SOURCE = """{{ type: validated, minimum: {minimum}, baseline: disk, upstream: {{ type: http, timeout: 5s,
        request: {{ base_url: "http://127.0.0.1:{port}", path: /products }} }} }}"""
HAPROXY = """
global
    maxconn 8000
defaults
    mode http
    log stdout format raw local0
    option httplog
    option dontlog-normal
    timeout connect 500ms
    timeout client 600s
    timeout server 1s
    timeout check 500ms
    timeout http-keep-alive 600s
    timeout queue 5s
    retries 10
    option redispatch 1
    retry-on conn-failure empty-response junk-response response-timeout 0rtt-rejected
frontend clients
    bind 127.0.0.1:{port}
    http-response set-header X-Replica %s
    default_backend replicas
backend replicas
    balance roundrobin
    option httpchk GET /readyz
    # A server that refuses a connection is down until a check finds it up, and where all are down, requests wait.
    default-server check inter 500ms fall 3 rise 1 observe layer4 error-limit 1 on-error mark-down
{servers}
    server waiting {folder}/waiting.socket backup no-check
frontend waiting
    bind {folder}/waiting.socket
    default_backend patient
backend patient
    no option redispatch
    server any 127.0.0.1:{first}
"""
VERSION = re.compile(rb"in version (\d+) of")


class Replica:
    """One service with a disk of its own and a way of its own to the engine."""

    def __init__(self, fleet: "Fleet", number: int):
        self.fleet, self.name = fleet, f"replica-{number}"
        self.http, self.admin = free_ports(2)
        self.disk = fleet.programs.folder / f"{self.name}-disk"
        self.path = fleet.programs.folder / f"{self.name}.yaml"
        self.way = fleet.ways.open(fleet.engine.server.port)
        fleet.engine.ways.append(self.way)
        self.process, self.starts = None, []
        folder = fleet.programs.folder / f"{self.name}-clock"
        folder.mkdir()
        self.clock = SteppedClock(folder)
        self.clock.step((number - 2) * fleet.skew)

    def start(self, is_awaited: bool = True) -> float:
        """Gives the seconds until it is ready."""
        self.configure()
        began = time.monotonic()
        self.process = self.fleet.programs.start(self.name, [self.fleet.larder, "serve", "--config", self.path],
                                                  self.clock.environment())
        self.fleet.catalogue.pids[self.name] = self.process.pid
        self.starts.append(began)
        return self.ready(began) if is_awaited else 0

    def ready(self, began: float, patience: float = 30) -> float:
        until(lambda: status(self.http, "/readyz") == 200, f"{self.name} is ready", self.process, patience, 0.002)
        return time.monotonic() - began

    def configure(self) -> None:
        self.path.write_text(self.fleet.config(self))

    def reload(self) -> None:
        self.configure()
        self.process.send_signal(signal.SIGHUP)

    def kill(self) -> None:
        self.process.kill()
        self.process.wait()

    def forget(self) -> None:
        """Loses its disk."""
        shutil.rmtree(self.disk, ignore_errors=True)

    def pause(self) -> None:
        self.process.send_signal(signal.SIGSTOP)

    def resume(self) -> None:
        self.process.send_signal(signal.SIGCONT)

    def version(self) -> int | None:
        with suppress(OSError, HTTPException):
            code, _, body = ask(self.http, "/products/p-0", patience=1)
            if code == 200 and (found := VERSION.search(body)):
                return int(found[1])
        return None

    def order(self, target: str) -> dict:
        code, _, body = ask(self.admin, target, "POST", patience=15)
        if code != 200:
            raise Failure(f"{self.name}: POST {target}: {code} {body[:500]}")
        return json.loads(body or b"{}")

    def history(self) -> dict:
        return json.loads(ask(self.admin, "/history")[2])

    def metrics(self) -> dict[str, float]:
        """Samples of what is shared, by name with labels; none where it does not answer."""
        found = {}
        with suppress(OSError, HTTPException):
            for line in ask(self.admin, "/metrics", patience=2)[2].decode().splitlines():
                if line.startswith(("larder_shared_", "larder_refresh_total", "larder_upstream_requests_total",
                                    "larder_config_last_reload_successful ")):
                    name, _, value = line.rpartition(" ")
                    found[name] = float(value)
        return found


class Fleet:
    """Replicas, their engine and their upstream, with one config for all."""

    def __init__(self, programs: Programs, options, products: int, ttl: float | None = None, lease: float | None = None,
                 poll: float | None = None, has_standby: bool = False, count: int = 3):
        self.programs, self.larder, self.catalogue = programs, options.larder, Catalogue(products)
        self.ttl, self.lease, self.poll = ttl or options.ttl, lease or options.lease, poll or options.poll
        self.minimum, self.ways, self.products = 1, Ways(), products
        self.engine, self.is_shared = Engine(programs, has_standby, options.redis, options.plain), not options.stand_in
        self.skew = options.skew
        self.replicas = [Replica(self, number) for number in range(1, count + 1)]
        self.port = None

    @property
    def bound(self) -> float:
        """Seconds after a heal within which all agree: until a refresh is due, and the stated time."""
        return self.ttl + 2 * self.poll + self.lease

    def config(self, replica: Replica) -> str:
        source = SOURCE.format(port=self.catalogue.port, minimum=self.minimum)
        shared = ""
        if self.is_shared:
            is_plain, tls = self.engine.server.is_plain, self.engine.tls
            shared = SHARED.format(scheme="redis" if is_plain else "rediss", engine=replica.way.port, tls=tls,
                                   files="" if is_plain else FILES.format(tls=tls), lease=in_words(self.lease),
                                   poll=in_words(self.poll))
            source = f"{{ type: caching, store: shared, upstream: {source} }}"
        return CONFIG.format(http=replica.http, admin=replica.admin, shared=shared, upstream=f"      {source}",
                             ttl=in_words(self.ttl), data=replica.disk)

    def start(self) -> "Fleet":
        for replica in self.replicas:
            replica.start()
        return self

    def start_proxy(self) -> None:
        [self.port] = free_ports(1)
        servers = "\n".join(f"    server {replica.name} 127.0.0.1:{replica.http}" for replica in self.replicas)
        path = self.programs.folder / "haproxy.cfg"
        path.write_text(HAPROXY.format(port=self.port, servers=servers, folder=self.programs.folder,
                                       first=self.replicas[0].http))
        program = self.programs.start("haproxy", ["haproxy", "-db", "-f", path])
        until(lambda: status(self.port, "/products/p-0") == 200, "HAProxy passes on", program)

    def versions(self) -> list[int | None]:
        return [replica.version() for replica in self.replicas]

    def agree(self, version: int, patience: float) -> tuple[float | None, list[int | None]]:
        """The seconds until all serve this version, or none if they do not within the time; and what they serve."""
        began = time.monotonic()
        while True:
            found = self.versions()
            took = time.monotonic() - began
            if set(found) == {version}:
                return took, found
            if took > patience:
                return None, found
            time.sleep(0.02)

    def end(self) -> None:
        """Ends the programs that it started, so that another fleet has the machine."""
        for process in reversed(self.programs.started):
            if process.poll() is None:
                process.send_signal(signal.SIGCONT)
                end(process, 10)
        self.catalogue.server.shutdown()
        self.catalogue.server.server_close()


def in_words(seconds: float) -> str:
    return f"{round(seconds * 1000)}ms"

"""Caches and clients with a cache in front of a service each, while its upstream works, is away, and comes back.

Each is asked for products at a constant rate. What comes through to the service must be what `max_age` makes necessary,
one request in each, whatever the age of the catalogue: more, and the cache shields nothing; less, and it keeps what the
service no longer says. After an outage, a pin, its end and a forced refresh the drill measures for how long each still
gives the old answer when the service gives the right one: no longer than `max_age` for each tier.
"""

import argparse
import hashlib
import http.client
import json
import math
import re
import sys
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

import cachecontrol
import requests
import requests_cache
from instances import Instance
from programs import Failure, Programs, ask, free_ports, parser, run, until

MAX_AGE, TTL, WHILE_REVALIDATE, LONGEST_HOLD_OFF = 5, 10, 15, 30
"""In seconds; the first and the last are the config's defaults."""
SLACK = 2
"""Caches count whole seconds, and are asked a few times in each."""
SETTINGS = {"ttl": f"{TTL}s", "while_revalidate": f"{WHILE_REVALIDATE}s"}
VARNISH = """
vcl 4.1;
backend larder {{ .host = "127.0.0.1"; .port = "{origin}"; }}
"""
SQUID = """
http_port 127.0.0.1:{port} accel defaultsite=larder
cache_peer 127.0.0.1 parent {origin} 0 no-query originserver
http_access allow all
cache_mem 16 MB
access_log none
cache_log /dev/null
cache_store_log none
pid_filename none
netdb_filename none
pinger_enable off
coredump_dir /
shutdown_lifetime 1 second
"""
NGINX = """
daemon off;
master_process off;
pid {folder}/pid;
error_log stderr warn;
events {{}}
http {{
    access_log off;
    client_body_temp_path {folder}/body;
    proxy_temp_path {folder}/proxy;
    fastcgi_temp_path {folder}/fastcgi;
    uwsgi_temp_path {folder}/uwsgi;
    scgi_temp_path {folder}/scgi;
    proxy_cache_path {folder}/cache keys_zone=larder:1m;
    proxy_cache_path {folder}/second keys_zone=second:1m;
    server {{
        listen 127.0.0.1:{port};
        location / {{
            proxy_pass http://127.0.0.1:{origin};
            proxy_cache larder;
        }}
    }}
    server {{
        listen 127.0.0.1:{second};
        location / {{
            proxy_pass http://127.0.0.1:{port};
            proxy_cache second;
        }}
    }}
}}
"""
HAPROXY = """
defaults
    mode http
    timeout client 30s
    timeout connect 5s
    timeout server 30s
cache larder
    total-max-size 16
    max-object-size 4000000
    max-age 3600
    process-vary on
frontend shop
    bind 127.0.0.1:{port}
    http-request cache-use larder
    http-response cache-store larder
    default_backend larder
backend larder
    server larder 127.0.0.1:{origin}
"""
PROGRAMS = {"varnish": VARNISH, "squid": SQUID, "nginx": NGINX, "two nginx": NGINX, "haproxy": HAPROXY}
CLIENTS: dict[str, Callable[[], requests.Session]] = {
    "CacheControl": lambda: cachecontrol.CacheControl(requests.Session()),
    "requests-cache": lambda: requests_cache.CachedSession(backend="memory", cache_control=True),
}
"""Clients of Python that keep answers; neither subtracts an `Age`."""
TIERS = {"two nginx": 2}


def main() -> int:
    arguments = parser(__doc__)
    arguments.add_argument("--rate", type=int, default=7, help="requests a second to each cache")
    arguments.add_argument("--seconds", type=int, default=36, help="of each phase")
    arguments.add_argument("--only", nargs="*", default=[*PROGRAMS, *CLIENTS], help="caches to try")
    options = arguments.parse_args()
    return run("caches", lambda programs: drill(programs, options))


@dataclass
class Cache:
    """A cache, the service behind it, and what came of a phase."""

    name: str
    get: Callable[[], tuple[int, str]]
    """Asks for products; gives the status and what tells one answer from another: caches change tags where they unpack."""
    service: Instance
    statuses: list[int] = field(default_factory=list)
    through: int = 0

    @property
    def tiers(self) -> int:
        return TIERS.get(self.name, 1)

    @staticmethod
    def start(programs: Programs, larder: Path, name: str) -> "Cache":
        service = Instance(programs, larder, name.replace(" ", "-"), 0, SETTINGS)
        service.open()
        if name in CLIENTS:
            session = CLIENTS[name]()
            return Cache(name, lambda: of_session(session, service.port), service)
        port, second = free_ports(2)
        config = service.folder / "config"
        config.write_text(PROGRAMS[name].format(
            port=port, second=second, origin=service.port, folder=service.folder))
        program = programs.start(f"cache-{service.name}", {
            "varnish": ["varnishd", "-F", "-n", service.folder / "varnish-state", "-f", config, "-j", "none",
                        "-s", "malloc,16m", "-a", f"127.0.0.1:{port}"],
            "squid": ["squid", "-N", "-f", config],
            "haproxy": ["haproxy", "-db", "-f", config],
        }.get(name, ["nginx", "-e", "stderr", "-c", config]))
        outer = second if name == "two nginx" else port
        cache = Cache(name, lambda: of_port(outer), service)
        until(lambda: cache.get()[0] == 200, f"{name} answers", program)
        return cache

    def visited(self, rate: int, seconds: int) -> None:
        """Asks at a constant rate, one request after the other."""
        before, start = self.came_through(), time.monotonic()
        self.statuses = []
        for number in range(rate * seconds):
            time.sleep(max(0, start + number / rate - time.monotonic()))
            self.statuses.append(self.get()[0])
        self.through = self.came_through() - before

    def came_through(self) -> int:
        """Requests for products that the service has answered, whatever it said."""
        text = ask(self.service.admin, "/metrics")[2].decode()
        counts = re.findall(r'^larder_http_requests_total\{.*route="/products".*\} (\d+)$', text, re.MULTILINE)
        return sum(map(int, counts))

    def order(self, target: str) -> dict:
        status, _, body = ask(self.service.admin, target, "POST")
        if status != 200:
            raise Failure(f"{self.name}: POST {target} has status {status}: {body.decode()}")
        return json.loads(body)


def of_port(port: int) -> tuple[int, str]:
    try:
        status, _, body = ask(port, "/products")
        return status, hashlib.sha256(body).hexdigest() if status == 200 else ""
    except (OSError, http.client.HTTPException):
        return 0, ""


def of_session(session: requests.Session, port: int) -> tuple[int, str]:
    try:
        answer = session.get(f"http://127.0.0.1:{port}/products", timeout=5, headers={"Accept-Encoding": "identity"})
        return answer.status_code, hashlib.sha256(answer.content).hexdigest() if answer.status_code == 200 else ""
    except requests.RequestException:
        return 0, ""


def drill(programs: Programs, options: argparse.Namespace) -> None:
    caches = [Cache.start(programs, options.larder, name) for name in options.only]
    problems = phase("upstream works", caches, options)
    for cache in caches:
        cache.service.fault("down")
    problems += phase("upstream away", caches, options)
    problems += phase("upstream away, all windows but stale_if_error over", caches, options)
    problems += replaced("after the outage", caches, lambda cache: cache.service.serve_many(120))
    problems += replaced("pinned", caches, pinned)
    problems += replaced("taken off", caches, lambda cache: cache.order("/unpin?confirm=1"))
    problems += replaced("refreshed", caches, refreshed)
    if problems:
        raise Failure("; ".join(problems))


def refreshed(cache: Cache) -> None:
    cache.service.serve_many(130)
    cache.order("/refresh?force=1")


def pinned(cache: Cache) -> None:
    """Pins the newest catalogue that is not the current one."""
    kept = json.loads(ask(cache.service.admin, "/history")[2])["generations"]
    other = next(one for one in kept if one["revision"] != kept[0]["revision"])
    cache.order(f"/pin?generation={other['generation']}")


def phase(name: str, caches: list[Cache], options: argparse.Namespace) -> list[str]:
    """Asks all caches at once; gives what is wrong with what came through."""
    at_once(caches, lambda cache: cache.visited(options.rate, options.seconds))
    asked, needed = options.rate * options.seconds, options.seconds / MAX_AGE
    print(f"{name}: " + ", ".join(f"{cache.name} {cache.through}" for cache in caches)
          + f" of {asked} requests came through, {needed:.0f} are needed", flush=True)
    problems = []
    for cache in caches:
        # Caches count whole seconds, and each begins them at a moment of its own. Tiers may do so one after the other.
        least = math.floor(options.seconds / (MAX_AGE * cache.tiers + 2))
        most = math.ceil(options.seconds / (MAX_AGE - 1)) + 2
        if not least <= cache.through <= most:
            problems.append(f"{cache.name}, {name}: {cache.through} of {asked} came through, not {least} to {most}")
        failed = sum(one != 200 for one in cache.statuses)
        if failed:
            problems.append(f"{cache.name}, {name}: {failed} of {asked} requests failed")
    return problems


def replaced(name: str, caches: list[Cache], act: Callable[[Cache], None]) -> list[str]:
    """Changes what the services give; says which caches give the old answer for too long when the right one is there."""
    late: dict[str, float] = {}
    problems: list[str] = []

    def measure(cache: Cache) -> None:
        old = of_port(cache.service.port)[1]
        until(lambda: cache.get()[1] == old, f"{cache.name} has the answer of before", patience=3 * MAX_AGE)
        actor = threading.Thread(target=act, args=(cache,))
        actor.start()
        # The cache is asked all the while, so that it has the old answer at the latest moment before the right one is there.
        start, right, allowed = time.monotonic(), None, cache.tiers * MAX_AGE + SLACK
        while right is None or cache.get()[1] == old and time.monotonic() - right < 60:
            if right is None and of_port(cache.service.port)[1] not in ("", old):
                right = time.monotonic()
            if right is None and time.monotonic() - start > LONGEST_HOLD_OFF + 6 * MAX_AGE:
                raise Failure(f"{cache.name}, {name}: the service does not have it")
            cache.get()
            time.sleep(0.1)
        late[cache.name] = time.monotonic() - right
        actor.join()
        if late[cache.name] > allowed:
            problems.append(f"{cache.name}, {name}: the old answer for {late[cache.name]:.0f} s, {allowed} are allowed")

    at_once(caches, measure)
    print(f"{name}: the old answer when the right one is there: "
          + ", ".join(f"{cache.name} {late.get(cache.name, math.nan):.1f} s" for cache in caches), flush=True)
    return problems + [f"{cache.name}, {name}: not measured" for cache in caches if cache.name not in late]


def at_once(caches: list[Cache], work: Callable[[Cache], None]) -> None:
    threads = [threading.Thread(target=work, args=(cache,)) for cache in caches]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()


if __name__ == "__main__":
    sys.exit(main())

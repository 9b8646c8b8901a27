"""Varnish, Squid and nginx as caches in front of a service each, while its upstream works, is away, and has been away.

Each cache is asked for products at a constant rate. What comes through to the service must be what `max_age` makes
necessary, one request in each, whatever the age of the catalogue: more, and the cache shields nothing; less, and it
keeps what the service no longer says. When the upstream is back, every cache must say so within the times that the
config allows.
"""

import argparse
import math
import re
import sys
import threading
import time
from dataclasses import dataclass, field
from pathlib import Path

from instances import Instance
from programs import Failure, Programs, ask, free_ports, parser, run, status, until

MAX_AGE, TTL, WHILE_REVALIDATE, LONGEST_HOLD_OFF = 5, 10, 15, 30
"""In seconds; the first and the last are the config's defaults."""
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
    server {{
        listen 127.0.0.1:{port};
        location / {{
            proxy_pass http://127.0.0.1:{origin};
            proxy_cache larder;
        }}
    }}
}}
"""


def main() -> int:
    arguments = parser(__doc__)
    arguments.add_argument("--rate", type=int, default=7, help="requests a second to each cache")
    arguments.add_argument("--seconds", type=int, default=36, help="of each phase")
    options = arguments.parse_args()
    return run("caches", lambda programs: drill(programs, options))


@dataclass
class Cache:
    """A cache, the service behind it, and what came of a phase."""

    name: str
    port: int
    service: Instance
    statuses: list[int] = field(default_factory=list)
    through: int = 0

    @staticmethod
    def start(programs: Programs, larder: Path, name: str) -> "Cache":
        service = Instance(programs, larder, name, 0, SETTINGS)
        service.open()
        [port] = free_ports(1)
        config, values = service.folder / name, {"port": port, "origin": service.port, "folder": service.folder}
        config.write_text({"varnish": VARNISH, "squid": SQUID, "nginx": NGINX}[name].format(**values))
        program = programs.start(f"cache-{name}", {
            "varnish": ["varnishd", "-F", "-n", service.folder / "varnish-state", "-f", config, "-j", "none",
                        "-s", "malloc,16m", "-a", f"127.0.0.1:{port}"],
            "squid": ["squid", "-N", "-f", config],
            "nginx": ["nginx", "-e", "stderr", "-c", config],
        }[name])
        until(lambda: status(port, "/products") == 200, f"{name} answers", program)
        return Cache(name, port, service)

    def visited(self, rate: int, seconds: int) -> None:
        """Asks at a constant rate, one request after the other."""
        before, start = self.came_through(), time.monotonic()
        self.statuses = []
        for number in range(rate * seconds):
            time.sleep(max(0, start + number / rate - time.monotonic()))
            self.statuses.append(status(self.port, "/products"))
        self.through = self.came_through() - before

    def came_through(self) -> int:
        """Requests for products that the service has answered, whatever it said."""
        text = ask(self.service.admin, "/metrics")[2].decode()
        counts = re.findall(r'^larder_http_requests_total\{.*route="/products".*\} (\d+)$', text, re.MULTILINE)
        return sum(map(int, counts))


def drill(programs: Programs, options: argparse.Namespace) -> None:
    caches = [Cache.start(programs, options.larder, name) for name in ("varnish", "squid", "nginx")]
    problems = phase("upstream works", caches, options)
    for cache in caches:
        cache.service.fault("down")
    problems += phase("upstream away", caches, options)
    problems += phase("upstream away, all windows but stale_if_error over", caches, options)
    problems += recovery(caches)
    if problems:
        raise Failure("; ".join(problems))


def phase(name: str, caches: list[Cache], options: argparse.Namespace) -> list[str]:
    """Asks all caches at once; gives what is wrong with what came through."""
    threads = [threading.Thread(target=cache.visited, args=(options.rate, options.seconds)) for cache in caches]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    asked, needed = options.rate * options.seconds, options.seconds / MAX_AGE
    print(f"{name}: " + ", ".join(f"{cache.name} {cache.through}" for cache in caches)
          + f" of {asked} requests came through, {needed:.0f} are needed", flush=True)
    # Caches count whole seconds, and each begins them at a moment of its own.
    least, most = math.floor(options.seconds / (MAX_AGE + 2)), math.ceil(options.seconds / (MAX_AGE - 1)) + 2
    return [f"{cache.name}, {name}: {cache.through} of {asked} came through, not {least} to {most}"
            for cache in caches if not least <= cache.through <= most
            ] + [f"{cache.name}, {name}: {sum(one != 200 for one in cache.statuses)} of {asked} requests failed"
                 for cache in caches if any(one != 200 for one in cache.statuses)]


def recovery(caches: list[Cache]) -> list[str]:
    """Whether no cache keeps what is older, once the service had time for its next try, and the cache to ask again."""
    for cache in caches:
        cache.service.fault("none")
    start, waiting, allowed = time.monotonic(), list(caches), LONGEST_HOLD_OFF + 3 * MAX_AGE
    while waiting and time.monotonic() - start < allowed:
        time.sleep(0.2)
        waiting = [cache for cache in waiting if int(ask(cache.port, "/products")[1]["age"]) > allowed]
    print(f"upstream back: after {time.monotonic() - start:.0f} s, {len(waiting)} caches still have the old answer")
    return [f"{cache.name} has the old answer {allowed} s after the upstream came back" for cache in waiting]


if __name__ == "__main__":
    sys.exit(main())

"""Services of a drill that each have an upstream, and clients, of their own."""

import json
import signal
import socket
import subprocess
import threading
import time
from collections import deque
from contextlib import suppress
from pathlib import Path

from programs import Programs, end, free_ports, set_fault, status, until

CONFIG = """
http:
  listen: "127.0.0.1:{http}"
  tls: {tls}
  drain: {{ delay: 10ms, deadline: 1s }}
  limits: {{ connections: {connections}, header_deadline: 10m }}
admin: {{ listen: "127.0.0.1:{admin}" }}
stores: {{ disk: {{ type: json_file, directory: "{data}/catalogue" }} }}
analytics: {{ events: {{ type: file, path: "{data}/events.jsonl" }} }}
monitors: {{ door: {{ type: tcp, address: "127.0.0.1:{upstream}", interval: 500ms, timeout: 250ms }} }}
providers:
  shop: {{ type: http, request: {{ base_url: "http://127.0.0.1:{upstream}", path: /products }}, max_body: 256MiB }}
  believed: {{ type: validated, baseline: disk, upstream: {{ type: circuit_breaker, failures: 3, upstream: shop }} }}
  remote: {{ type: caching, store: disk, upstream: believed }}
  local: {{ type: stored, store: disk }}
  either: {{ type: reachability, monitor: door, remote: remote, local: local }}
  kept:
    type: memory
    ttl: {ttl}
    stale_while_revalidate: {while_revalidate}
    stale_if_error: {if_error}
    hold_off: 250ms
    upstream: {{ type: fallback, primary: either, secondary: local }}
  storefront: {{ type: analytics, sink: events, event: products_served, upstream: kept }}
serve: storefront
"""
"""A graph in which everything can fail that there is an alert for."""
SETTINGS = {"tls": "off", "connections": 1000, "ttl": "2s", "while_revalidate": "60s", "if_error": "7d"}


class Instance:
    """A service, its practice upstream, and clients that ask for products now and then."""

    def __init__(self, programs: Programs, larder: Path, name: str, clients: int, settings: dict):
        self.programs, self.larder, self.name = programs, larder, name
        self.folder = programs.folder / name
        self.folder.mkdir()
        self.port, self.admin, self.upstream = free_ports(3)
        self.data = self.folder / "data"
        self.config = self.folder / "larder.yaml"
        self.config.write_text(CONFIG.format(
            http=self.port, admin=self.admin, upstream=self.upstream, data=self.data,
            **SETTINGS | settings).replace("@folder@", str(self.folder)))
        self.clients = [Client(self.port) for _ in range(clients)]
        self.held: list[socket.socket] = []
        self.process = self.upstream_process = None

    def open(self, wrapper: list | None = None, environment: dict | None = None) -> None:
        """Starts all of it."""
        self.start_upstream()
        self.start(wrapper, environment)
        until(lambda: status(self.admin, "/readyz") == 200, f"{self.name} is ready", self.process)
        for client in self.clients:
            client.start()

    def start(self, wrapper: list | None = None, environment: dict | None = None) -> None:
        self.process = self.programs.start(
            self.name, [*(wrapper or []), self.larder, "serve", "--config", self.config], environment)
        until(lambda: status(self.admin, "/livez") == 200, f"{self.name} lives", self.process)

    def reload(self) -> None:
        self.process.send_signal(signal.SIGHUP)

    def restart(self) -> None:
        end(self.process)
        self.start()

    def start_upstream(self, *words) -> None:
        self.upstream_process = self.programs.start(
            f"upstream-of-{self.name}", [self.larder, "upstream", "--listen", f"127.0.0.1:{self.upstream}", *words])
        until(lambda: status(self.upstream, "/_fault") == 200, "the practice upstream serves", self.upstream_process)

    def stop_upstream(self) -> None:
        """Nobody listens at its port any more."""
        kill(self.upstream_process)

    def fault(self, mode: str) -> None:
        set_fault(self.upstream, mode)

    def serve_many(self, count: int) -> None:
        """The upstream comes back with a large catalogue."""
        catalogue = self.folder / "catalogue.json"
        catalogue.write_text(json.dumps([
            {"type": "physical", "id": f"p-{number}", "name": f"Preserve of the {number}th batch", "weight": 250,
             "price": {"amount": number % 9000 / 100, "currency": "EUR"}, "sales": number % 251,
             "description": "What was ripe on that day, with sugar and the juice of a lemon, in a glass with a lid."}
            for number in range(count)]))
        self.stop_upstream()
        self.start_upstream("--catalogue", catalogue)

    def hold(self, count: int) -> None:
        """Opens connections and says nothing on them."""
        self.held += [socket.create_connection(("127.0.0.1", self.port), 5) for _ in range(count)]

    def descriptors(self) -> int:
        return len(list(Path(f"/proc/{self.process.pid}/fd").iterdir()))


def kill(process: subprocess.Popen) -> None:
    process.kill()
    process.wait()


class Client(threading.Thread):
    """Asks for products, whatever becomes of it, until the program ends."""

    def __init__(self, port: int):
        super().__init__(daemon=True)
        self.port, self.pause = port, 0.25

    def run(self) -> None:
        while True:
            time.sleep(self.pause)
            status(self.port, "/products")


class Crowd(threading.Thread):
    """One client more every tenth of a second, who says nothing; the last hundred stay."""

    def __init__(self, port: int):
        super().__init__(daemon=True)
        self.port, self.held = port, deque(maxlen=100)

    def run(self) -> None:
        while True:
            time.sleep(0.1)
            with suppress(OSError):
                self.held.append(socket.create_connection(("127.0.0.1", self.port), 5))

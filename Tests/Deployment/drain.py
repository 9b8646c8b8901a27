"""Stops a service under load, again and again: no request may fail that a client had a connection for.

Fifty times with each kind of client: plain and encrypted, on new connections and on kept ones. Half of the clients
pause for 20 ms between connecting and asking. `drain.py --larder L [--stops N] [KIND...]`
"""

import json
import subprocess
import sys
import time
from collections import Counter
from pathlib import Path

from programs import CERTIFICATES, HERE, Failure, Programs, free_ports, parser, run, status, until

CONFIG = """
http:
  listen: "127.0.0.1:{http}"
  drain: {{ delay: 200ms, deadline: 15s }}
  {tls}
admin: {{ listen: "127.0.0.1:{admin}" }}
providers:
  shop: {{ type: http, request: {{ base_url: "http://127.0.0.1:{upstream}", path: /products }} }}
  storefront: {{ type: memory, ttl: 60s, upstream: shop }}
serve: storefront
"""
TLS = f"tls: {{ certificate: {CERTIFICATES}/first.pem, key: {CERTIFICATES}/first-test-key.pem }}"
KINDS = ["plain-new", "plain-kept", "tls-new", "tls-kept"]
CLIENTS, LOADED = 32, 0.3
"""Threads, and the seconds from the first request to SIGTERM."""
PATIENCE = 30


def build(folder: Path) -> Path:
    """Compiles drain_clients.c."""
    binary = folder / "drain_clients"
    subprocess.run(["cc", "-std=gnu11", "-O2", "-Wall", "-Wextra", "-Werror", HERE / "drain_clients.c", "-o", binary,
                    "-lssl", "-lcrypto", "-lpthread"], check=True)
    return binary


def stop_once(programs: Programs, larder: Path, clients: Path, upstream: int, kind: str) -> Counter:
    """Starts a service and its clients, and stops it; gives what the clients counted."""
    transport, _, manner = kind.partition("-")
    port, admin = free_ports(2)
    config = programs.folder / "larder.yaml"
    config.write_text(CONFIG.format(
        http=port, admin=admin, upstream=upstream, tls=TLS if transport == "tls" else ""))
    service = programs.start("larder", [larder, "serve", "--config", config])
    until(lambda: status(admin, "/readyz") == 200, "the service is ready", service)
    load = programs.start(
        "clients", [clients, port, manner, transport, CLIENTS, "/products?limit=2"], stdout=subprocess.PIPE, text=True)
    time.sleep(LOADED)
    service.terminate()
    output, _ = load.communicate(timeout=PATIENCE)
    if code := service.wait(PATIENCE):
        raise Failure(f"the service exits with {code}:\n{service.log.read_text()[-2000:]}")
    return Counter(json.loads(output))


def drill(programs: Programs, larder: Path, stops: int, kind: str) -> bool:
    """Whether no request failed in so many stops."""
    clients, upstream = build(programs.folder), programs.start_upstream(larder)
    counts, bad = Counter(), 0
    for _ in range(stops):
        outcome = stop_once(programs, larder, clients, upstream, kind)
        bad += outcome["failed"] > 0
        counts.update(outcome)
    print(f"{kind}: {stops} stops, {counts['answered']} requests answered, {counts['failed']} failed in {bad} stops; "
          f"{counts['told']} connections were told to close, {counts['ended_idle']} were closed idle", flush=True)
    if counts["failed"]:
        words = (programs.folder / "clients.log").read_text().splitlines()
        print("\n".join(f"  {count} of the first ones: {line}" for line, count in Counter(words).most_common(5)))
    return counts["failed"] == 0


def main() -> int:
    arguments = parser(__doc__)
    arguments.add_argument("--stops", type=int, default=50, help="of each kind")
    arguments.add_argument("kinds", nargs="*", choices=[[], *KINDS], help="default: all")
    options = arguments.parse_args()
    return max(run(f"drain, {kind}", lambda programs: drill(programs, options.larder, options.stops, kind))
               for kind in options.kinds or KINDS)


if __name__ == "__main__":
    sys.exit(main())

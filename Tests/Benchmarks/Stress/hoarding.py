"""Clients that hoard a server's memory, places and time, each kind against a Larder of its own, while honest ones ask on
both ports: `make stress`.

No honest request may fail, 99 of 100 probes must be answered within 100 ms, and Larder must take no more memory than the
page Operating says, and give it back.
"""

import argparse
import itertools
import socket
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from functools import partial

from observers import Observer
from scarcity import taken, working
from shared import Processes, parser, run, two_cores
from victim import MIB, Victim, Watch

LATENCY_LIMIT = 100
"""Milliseconds that 99 of 100 probes may take."""
REQUEST_BYTES, CONNECTION = 16 * MIB, 10_000
"""What all unfinished requests may take, by default, and what a connection takes."""
MOST_KEPT = 2 * REQUEST_BYTES
"""What may be left of that three seconds after an attack: the allocator keeps what lies between pieces in use."""
HOSTILE = "127.0.0.2"
"""The address of the attackers, where they have one of their own."""
LARGE, SMALL = 14_000, 100
"""Products, of two megabytes and of fourteen kilobytes."""


def main() -> int:
    arguments = parser(__doc__)
    arguments.add_argument("--seconds", type=int, default=15, help="how long each attack goes on")
    arguments.add_argument("drills", nargs="*", choices=[[], *DRILLS], help="default: all")
    options = arguments.parse_args()
    return run("hoarding", lambda processes: test(processes, options),
               most_seconds=len(DRILLS) * (options.seconds + 120))


def test(processes: Processes, options: argparse.Namespace) -> bool:
    print("| hoarded | asked | failed | p50 ms | p99 ms | max ms | MiB first, peak, after | may be |")
    print("|---|---|---|---|---|---|---|---|")
    return all([try_drill(processes, options, name) for name in options.drills or DRILLS])


def try_drill(processes: Processes, options: argparse.Namespace, name: str) -> bool:
    products, connections, limits, attack, extra = DRILLS[name]
    victim = Victim(processes, options.larder, two_cores(), products, f"connections: {connections}{limits}")
    catalogue = victim.catalogue
    may_be = 60_000_000 + 5 * catalogue + CONNECTION * connections + 3 * REQUEST_BYTES
    with Watch(victim) as watch:
        with attack(victim.admin if name.endswith("of operators") else victim.port), ExitStack() as stack:
            # Nobody makes room for a client of the same address within a second.
            time.sleep(2)
            watching = [stack.enter_context(Observer(port, "/livez", 0.05)) for port in (victim.port, victim.admin)]
            watching += [stack.enter_context(observer(victim.port)) for observer in extra]
            time.sleep(options.seconds)
        time.sleep(3)
    complaints = [failure for one in watching for failure in one.failures]
    for one, port in zip(watching, ("clients", "operators", *["clients"] * len(extra))):
        if one.target == "/livez" and (slow := one.percentile(0.99)) > LATENCY_LIMIT:
            complaints.append(f"/livez of the port for {port} took {slow:.0f} ms (p99)")
        print(f"| {name}: {one.target}, {port} | {len(one.latencies) + len(one.failures)} | {len(one.failures)} "
              f"| {one.percentile(0.5):.1f} | {one.percentile(0.99):.1f} | {one.percentile(1):.1f} "
              f"| {watch.memory} | {may_be / MIB:.0f} |", flush=True)
    if watch.peak > may_be:
        complaints.append(f"{watch.peak / MIB:.0f} MiB were taken, and {may_be / MIB:.0f} may be")
    if (kept := victim.memory() - victim.first_memory) > MOST_KEPT:
        complaints.append(f"{kept / MIB:.0f} MiB were not given back, and {MOST_KEPT / MIB:.0f} may be")
    for complaint in complaints[:4]:
        print(f"hoarding: {name}: {complaint}", file=sys.stderr)
    return victim.is_running() and not complaints


def hostile(port: int, said: bytes, source: str = HOSTILE, buffer: int = 0) -> socket.socket:
    """A client that has sent what it can of this, and does not wait."""
    client = socket.socket()
    if buffer:
        client.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, buffer)
    client.settimeout(5)
    client.bind((source, 0))
    client.connect(("127.0.0.1", port))
    client.setblocking(False)
    with suppress(OSError):
        client.send(said)
    return client


@contextmanager
def renewed(port: int, count: int, said: Callable[[], bytes], read: int = 1 << 16, pause: float = 0.02,
            **options) -> Iterator[None]:
    """So many clients, each made anew when its connection has ended; each reads a little in each round."""
    clients: list[socket.socket] = []

    def renew() -> None:
        for index, client in enumerate(clients):
            if taken(client, read) < 0:
                client.close()
                clients[index] = hostile(port, said(), **options)
        if len(clients) < count:
            clients.extend(hostile(port, said(), **options) for _ in range(min(50, count - len(clients))))
        time.sleep(pause)

    with working(renew):
        yield
    for client in clients:
        client.close()


def bodies(port: int):
    """Two thousand bodies of a hook that lack their last byte, and as many of other paths."""
    size, paths = 64 << 10, itertools.cycle(("/hooks/shop", "/products"))

    def said() -> bytes:
        path = next(paths)
        return f"POST {path} HTTP/1.1\r\nHost: a\r\nContent-Length: {size}\r\n\r\n".encode() + b"x" * (size - 1)

    return renewed(port, 4000, said)


def heads(port: int):
    """Four thousand heads that lack their end."""
    return renewed(port, 4000, lambda: b"GET /products HTTP/1.1\r\nHost: a\r\nCookie: " + b"x" * 15_900)


def behind(port: int):
    """Two thousand clients that take no answer, and have sent more requests behind it."""
    request = b"GET /products HTTP/1.1\r\nHost: a\r\nAccept-Encoding: identity\r\n\r\n"
    return renewed(port, 2000, lambda: request * 2 + b"GET /products HTTP/1.1\r\nHost: a\r\nCookie: " + b"x" * 15_000,
                   read=1, buffer=4096)


def readers(port: int, rate: int, source: str):
    """Enough readers of a large answer for every place, at so many bytes a second each."""
    request = b"GET /products HTTP/1.1\r\nHost: a\r\nAccept-Encoding: identity\r\n\r\n"
    return renewed(port, 200, lambda: request, read=max(1, rate // 5), pause=0.2 if rate else 0.05, source=source,
                   buffer=4096)


def streams(port: int):
    """One client that takes every stream, and comes back."""
    request = b"GET /changes HTTP/1.1\r\nHost: a\r\nAccept: text/event-stream\r\n\r\n"
    return renewed(port, 1200, lambda: request)


@contextmanager
def floods(port: int, request: bytes) -> Iterator[None]:
    """Eight clients that send a dear request again and again, without waiting."""
    many = request * 20

    def flood() -> None:
        with socket.create_connection(("127.0.0.1", port), 5) as client:
            client.settimeout(1)
            with suppress(TimeoutError):
                for _ in range(50):
                    client.sendall(many)
                    client.recv(1 << 16)

    with working(*[flood] * 8):
        yield


class Follower(Observer):
    """Opens a stream each time, and waits for its head."""

    def ask(self) -> None:
        start = time.monotonic()
        try:
            with socket.create_connection(("127.0.0.1", self.port), self.patience) as client:
                client.sendall(b"GET /changes HTTP/1.1\r\nHost: a\r\nAccept: text/event-stream\r\n\r\n")
                line = client.recv(4096).partition(b"\r\n")[0]
            if b" 200 " in line:
                self.latencies.append(time.monotonic() - start)
            else:
                self.failures.append(f"a stream: {line.decode(errors='replace')}")
        except OSError as error:
            self.failures.append(f"a stream: {type(error).__name__} {error}")


def asking(port: int) -> Observer:
    return Observer(port, "/products", 0.2)


def head(target: str, field: str) -> bytes:
    return f"GET {target} HTTP/1.1\r\nHost: a\r\n{field}\r\n\r\n".encode()


DRILLS = {
    "bodies": (SMALL, 10_000, "", bodies, (asking,)),
    "heads": (SMALL, 10_000, "", heads, (asking,)),
    "requests behind answers": (LARGE, 10_000, "", behind, (asking,)),
    "places, at 8 KiB/s": (LARGE, 200, "", partial(readers, rate=8192, source=HOSTILE), (asking,)),
    "places, at 8 KiB/s, same address": (LARGE, 200, "", partial(readers, rate=8192, source="127.0.0.1"), ()),
    "places, at nothing": (LARGE, 200, "", partial(readers, rate=0, source="127.0.0.1"), ()),
    "places, at 128 KiB/s": (LARGE, 200, "", partial(readers, rate=128 << 10, source=HOSTILE), ()),
    "streams": (SMALL, 10_000, "", streams, (lambda port: Follower(port, "/changes", 0.2), asking)),
    "time, by Accept": (SMALL, 10_000, "", partial(floods, request=head("/livez", "Accept: " + "a/b;q=0.1," * 1500)),
                        (asking,)),
    "time, by Accept, on the port of operators": (
        SMALL, 10_000, "", partial(floods, request=head("/healthz", "Accept: " + "a/b;q=0.1," * 1500)), (asking,)),
    "time, by a query": (SMALL, 10_000, "", partial(floods, request=head("/products?ids=" + "a," * 3900 + "b", "X: y")),
                         (asking,)),
}
"""Products, limits, who hoards, and who asks beside the probes."""


if __name__ == "__main__":
    sys.exit(main())

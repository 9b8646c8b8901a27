"""Clients that hold what is scarce, each kind against a Larder of its own, while others ask: connections, memory,
descriptors and places to wait: `make stress`.

No request of the others may fail.
"""

import argparse
import itertools
import socket
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress

from observers import Observer
from shared import Processes, parser, run, two_cores
from victim import Victim

PRODUCTS = 14_000
"""Two megabytes, of which some forty answers may be under way."""


def main() -> int:
    arguments = parser(__doc__)
    arguments.add_argument("--seconds", type=int, default=10, help="how long others ask in each drill")
    arguments.add_argument("drills", nargs="*", choices=[[], *DRILLS], help="default: all")
    options = arguments.parse_args()
    return run("scarcity", lambda processes: test(processes, options),
               most_seconds=len(DRILLS) * (options.seconds + 120))


def test(processes: Processes, options: argparse.Namespace) -> bool:
    print("| held by others | asked | failed | p50 ms | p99 ms | max ms |")
    print("|---|---|---|---|---|---|")
    return all([try_drill(processes, options, name) for name in options.drills or DRILLS])


def try_drill(processes: Processes, options: argparse.Namespace, name: str) -> bool:
    products, limits, wrapper, attack, observers = DRILLS[name]
    victim = Victim(processes, options.larder, two_cores(), products, limits, wrapper=wrapper)
    with attack(victim.port), ExitStack() as stack:
        observing = [stack.enter_context(observer(victim.port)) for observer in observers]
        time.sleep(options.seconds)
    for observer in observing:
        print(f"| {name}: {observer.target} | {len(observer.latencies) + len(observer.failures)} "
              f"| {len(observer.failures)} | {observer.percentile(0.5):.1f} | {observer.percentile(0.99):.1f} "
              f"| {observer.percentile(1):.1f} |", flush=True)
        for failure in observer.failures[:2]:
            print(f"scarcity: {name}: {failure}", file=sys.stderr)
    return victim.is_running() and not any(observer.failures for observer in observing)


@contextmanager
def working(*steps: Callable[[], None]) -> Iterator[None]:
    """Does each step again and again, on a thread of its own, while the `with` block runs."""
    is_over = threading.Event()

    def work(step: Callable[[], None]) -> None:
        while not is_over.is_set():
            with suppress(OSError):
                step()

    threads = [threading.Thread(target=work, args=(step,)) for step in steps]
    for thread in threads:
        thread.start()
    try:
        yield
    finally:
        is_over.set()
        for thread in threads:
            thread.join()


def connect(port: int, said: bytes = b"") -> socket.socket:
    """A client that takes little at a time."""
    client = socket.socket()
    client.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    client.settimeout(5)
    client.connect(("127.0.0.1", port))
    client.sendall(said)
    client.setblocking(False)
    return client


def taken(client: socket.socket, most: int) -> int:
    """Reads; gives the number of bytes, -1 when the connection has ended."""
    try:
        return len(client.recv(most)) or -1
    except BlockingIOError:
        return 0
    except OSError:
        return -1


@contextmanager
def one_byte_each(port: int) -> Iterator[None]:
    """A hundred connections with a byte of a head, each opened again when it is closed."""
    clients = [connect(port, b"G") for _ in range(100)]
    time.sleep(1.5)

    def renew() -> None:
        for index, client in enumerate(clients):
            if taken(client, 4096):
                client.close()
                clients[index] = connect(port, b"G")
        time.sleep(0.05)

    with working(renew):
        yield
    for client in clients:
        client.close()


@contextmanager
def slow_readers(port: int) -> Iterator[None]:
    """Sixty clients that read an answer of their own at 400 bytes a second, and ask anew when they are cut off."""
    numbers = itertools.count(1)

    def ask() -> socket.socket:
        target = f"/products?sort=-name&max_price=1{next(numbers):07}"
        return connect(port, f"GET {target} HTTP/1.1\r\nHost: a\r\n\r\n".encode())

    clients: list[socket.socket] = []

    def read() -> None:
        for index, client in enumerate(clients):
            if taken(client, 40) < 0:
                client.close()
                clients[index] = ask()
        time.sleep(0.1)

    with working(read):
        for _ in range(60):
            clients.append(ask())
            time.sleep(0.2)
        yield
    for client in clients:
        client.close()


@contextmanager
def idle(port: int) -> Iterator[None]:
    """Two hundred connections that say nothing."""
    clients = [connect(port) for _ in range(200)]
    yield
    for client in clients:
        client.close()


@contextmanager
def waiting(port: int) -> Iterator[None]:
    """Sixteen clients, each of which has a query made that nobody has asked for, all the time."""
    numbers = itertools.count(1)

    def ask() -> None:
        with socket.create_connection(("127.0.0.1", port), 5) as client:
            target = f"/products?sort=-name&limit=500&max_price=2{next(numbers):07}"
            client.sendall(f"GET {target} HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n".encode())
            while client.recv(1 << 16):
                pass

    with working(*[ask] * 16):
        yield


class Asker(Observer):
    """Asks something new each time; `#` in the target is a number."""

    def ask(self) -> None:
        target, self.target = self.target, self.target.replace("#", f"{time.monotonic_ns() // 1000 % 10**9:09}")
        super().ask()
        self.target = target


def probe(port: int) -> Observer:
    return Observer(port, "/livez", 0.25, patience=3)


DRILLS = {
    "one byte each": (100, "connections: 100", (), one_byte_each, (probe,)),
    "slow readers": (PRODUCTS, "connections: 1000", (), slow_readers, (
        lambda port: Asker(port, "/products?sort=-name&max_price=3#", 0.25),)),
    "few descriptors": (100, "connections: 1000", ("prlimit", "--nofile=96:96"), idle, (probe,)),
    "few descriptors at first": (100, "connections: 1000", ("prlimit", "--nofile=96:4096"), idle, (probe,)),
    "outstanding": (PRODUCTS, "outstanding: 4", (), waiting, (
        lambda port: Observer(port, "/products/p-1", 0.05),
        lambda port: Observer(port, "/products/p-2", 0.05, headers={"Connection": "close"}))),
}
"""Products, limits, how Larder is started, who holds what is scarce, and who asks meanwhile."""


if __name__ == "__main__":
    sys.exit(main())

"""Clients: requests at a constant rate through the proxy, and observers who ask each replica by itself.

A program of its own, so that the drill's faults do not slow it down. It writes one line a request: `F` through the
proxy with kind, due time, status, microseconds since it was due, version, replica; `R` of an observer with the
replica's number, end time, status, microseconds, version. A version of -1 is none, -2 one of many in the same answer.
"""

import argparse
import asyncio
import re
import signal
import time
from contextlib import suppress
from pathlib import Path

VERSION = re.compile(rb"in version (\d+) of")
PATIENCE = 10
"""Seconds until a request through the proxy has failed; the proxy's retries take less."""
MOST = 4000
"""Requests at once."""


class Client:
    """Connections that are kept, as many as there are requests at once."""

    def __init__(self, port: int):
        self.port, self.idle = port, []

    async def get(self, target: str, patience: float) -> tuple[int, bytes, bytes, bool]:
        """Status, body, replica, and whether it was sent twice: a proxy may close a connection that was kept while the
        next request is on its way, and RFC 9112 (9.3.1) has clients send that again."""
        kept = self.idle.pop() if self.idle else None
        answer = await self.once(target, patience, kept)
        if answer[0] == 0 and kept:
            return *await self.once(target, patience, None), True
        return *answer, False

    async def once(self, target: str, patience: float, connection) -> tuple[int, bytes, bytes]:
        """Status, body, and replica; 0 or less is no status: no byte of an answer, cut before the end, too late."""
        part = 0
        try:
            async with asyncio.timeout(patience):
                connection = connection or await asyncio.open_connection("127.0.0.1", self.port)
                reader, writer = connection
                writer.write(b"GET %s HTTP/1.1\r\nHost: drill\r\n\r\n" % target.encode())
                head = await reader.readuntil(b"\r\n\r\n")
                part = -1
                length, name = 0, b""
                for line in head.lower().split(b"\r\n"):
                    if line.startswith(b"content-length:"):
                        length = int(line[15:])
                    elif line.startswith(b"x-replica:"):
                        name = line[10:].strip()
                body = await reader.readexactly(length)
                if b"connection: close" in head.lower():
                    writer.close()
                else:
                    self.idle.append(connection)
                return int(head[9:12]), body, name
        except TimeoutError:
            part = -2
        except (OSError, asyncio.IncompleteReadError, ValueError):
            pass
        if connection:
            connection[1].transport.abort()
        return part, b"", b""


def version(body: bytes, count: int) -> int:
    """The version in a body that has so many products."""
    found = VERSION.findall(body)
    if not found:
        return -1
    return int(found[0]) if len(found) == count and len(set(found)) == 1 else -2


class Traffic:
    def __init__(self, options):
        self.options, self.out = options, options.out.open("w")
        self.running: set[asyncio.Task] = set()
        self.stopped = asyncio.Event()

    async def run(self) -> None:
        asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, self.stopped.set)
        observers = [asyncio.create_task(self.observe(number, port)) for number, port in
                     enumerate(self.options.replicas)]
        if self.options.rate:
            await self.press()
        else:
            await self.stopped.wait()
        for observer in observers:
            observer.cancel()
        if self.running:
            await asyncio.wait(self.running, timeout=PATIENCE + 1)
        self.out.close()

    async def press(self) -> None:
        """Starts a request whenever one is due, however many wait."""
        client, number, began = Client(self.options.front), 0, time.monotonic()
        while not self.stopped.is_set():
            while (due := began + number / self.options.rate) <= time.monotonic():
                if len(self.running) < MOST:
                    task = asyncio.create_task(self.request(client, number, due))
                    self.running.add(task)
                    task.add_done_callback(self.running.discard)
                else:
                    self.out.write(f"F unsent {due:.6f} -3 0 -1 -\n")
                number += 1
            if number % 500 < 5:
                self.out.flush()
            await asyncio.sleep(0.008)

    async def request(self, client: Client, number: int, due: float) -> None:
        if number % self.options.whole == self.options.whole - 1:
            kind, target, count = "whole", "/products", self.options.products
        elif number % 2:
            kind, target, count = "first", "/products?limit=1", 1
        else:
            kind, target, count = "one", f"/products/p-{number * 7919 % self.options.products}", 1
        status, body, name, is_again = await client.get(target, PATIENCE)
        kind += "-again" if is_again else ""
        found = version(body, count) if status == 200 else -1
        micros = (time.monotonic() - due) * 1e6
        self.out.write(f"F {kind} {due:.6f} {status} {micros:.0f} {found} {name.decode() or '-'}\n")

    async def observe(self, number: int, port: int) -> None:
        client = Client(port)
        while True:
            began = time.monotonic()
            status, body, _, _ = await client.get("/products/p-0", 1)
            ended = time.monotonic()
            found = version(body, 1) if status == 200 else -1
            self.out.write(f"R {number} {ended:.6f} {status} {(ended - began) * 1e6:.0f} {found}\n")
            await asyncio.sleep(max(0.001, self.options.every - (ended - began)))


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    arguments.add_argument("--front", type=int, default=0)
    arguments.add_argument("--replicas", type=lambda text: [int(port) for port in text.split(",")], required=True)
    arguments.add_argument("--rate", type=int, default=0)
    arguments.add_argument("--every", type=float, default=0.075)
    arguments.add_argument("--whole", type=int, default=500, help="each so manieth request is for all products")
    arguments.add_argument("--products", type=int, required=True)
    arguments.add_argument("--out", type=Path, required=True)
    with suppress(KeyboardInterrupt):
        asyncio.run(Traffic(arguments.parse_args()).run())


if __name__ == "__main__":
    main()

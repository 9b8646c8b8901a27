"""A proxy before a server, for one client: it cuts answers in the middle, refuses connections, or answers itself."""

import random
import socket
import struct
import threading
import time
from contextlib import suppress

ANSWERS = {
    "502": b"HTTP/1.1 502 Bad Gateway\r\nContent-Length: 5\r\nConnection: close\r\n\r\n<p>\r\n",
    "503": b"HTTP/1.1 503 Service Unavailable\r\nRetry-After: 2\r\nAccess-Control-Allow-Origin: *\r\n"
           b"Access-Control-Expose-Headers: Retry-After\r\nContent-Length: 0\r\nConnection: close\r\n\r\n",
}


class CuttingProxy:
    """Passes bytes on in the mode `pass`; `gone` resets all connections, and 502 and 503 are answers of its own."""

    def __init__(self, target: int):
        self.target, self.mode, self.cuts, self.large = target, "pass", 0, 0
        self.chance = random.Random(5)
        self.requests: list[tuple[float, str]] = []
        """When each request came, with its first line; and each answer that is 410."""
        self.open: set[socket.socket] = set()
        self.lock = threading.Lock()
        self.server = socket.create_server(("127.0.0.1", 0))
        self.port = self.server.getsockname()[1]
        threading.Thread(target=self.accept, daemon=True).start()

    def switch(self, mode: str) -> None:
        """Changes the mode, and ends all connections."""
        self.mode = mode
        with self.lock:
            connections, self.open = self.open, set()
        for connection in connections:
            reset(connection)

    def since(self, moment: float, word: str) -> list[str]:
        """The requests from this moment on that have the word in their line."""
        return [line for when, line in list(self.requests) if when >= moment and word in line]

    def accept(self) -> None:
        while True:
            connection, _ = self.server.accept()
            threading.Thread(target=self.serve, args=(connection,), daemon=True).start()

    def serve(self, client: socket.socket) -> None:
        with suppress(OSError):
            if self.mode == "gone":
                return reset(client)
            if answer := ANSWERS.get(self.mode):
                self.note(client.recv(65536))
                client.sendall(answer)
                return client.close()
            server = socket.create_connection(("127.0.0.1", self.target), 5)
            server.settimeout(None)
            with self.lock:
                self.open |= {client, server}
            threading.Thread(target=self.back, args=(server, client), daemon=True).start()
            while data := client.recv(65536):
                self.note(data)
                server.sendall(data)
            server.shutdown(socket.SHUT_WR)
            return None
        reset(client)

    def note(self, data: bytes) -> None:
        line = data.split(b"\r\n", 1)[0]
        if line.endswith(b"HTTP/1.1"):
            verb, target, _ = line.decode().split()
            verb = "STREAM" if b"text/event-stream" in data else verb
            self.requests.append((time.monotonic(), f"{verb} {target}"))

    def back(self, server: socket.socket, client: socket.socket) -> None:
        """Passes an answer on, or a part of it."""
        with suppress(OSError):
            while data := server.recv(65536):
                if data.startswith(b"HTTP/1.1 410"):
                    self.requests.append((time.monotonic(), "410"))
                if self.takes_cut():
                    client.sendall(data[:self.chance.randrange(len(data))])
                    time.sleep(0.02)
                    break
                client.sendall(data)
                # More than an answer without products.
                self.large += len(data) > 1000
        reset(client) if self.chance.random() < 0.5 else close(client)
        close(server)

    def takes_cut(self) -> bool:
        if not self.cuts or self.chance.random() < 0.5:
            return False
        self.cuts -= 1
        return True


def reset(connection: socket.socket) -> None:
    with suppress(OSError):
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    # A thread that waits in recv holds the socket open until it is shut down.
    with suppress(OSError):
        connection.shutdown(socket.SHUT_RDWR)
    with suppress(OSError):
        connection.close()


def close(connection: socket.socket) -> None:
    with suppress(OSError):
        connection.shutdown(socket.SHUT_RDWR)
    with suppress(OSError):
        connection.close()

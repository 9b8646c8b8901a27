"""The catalogues that are served, in the form of an upstream."""

import copy
import http.client
import json
import socket
import ssl
from dataclasses import dataclass
from pathlib import Path

LOOK_UP = "/products/p-50"


@dataclass(frozen=True)
class Answer:
    """A server's answer."""

    status: int
    headers: dict[str, str]
    body: bytes
    size: int
    """In bytes, the head included."""


UNVERIFIED = ssl._create_unverified_context()


def whole(port: int, target: str) -> bytes:
    """An answer's bytes as they come."""
    with socket.create_connection(("127.0.0.1", port), 10) as connection:
        connection.sendall(f"GET {target} HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n".encode())
        answer, size = b"", get(port, target).size
        while len(answer) < size:
            answer += connection.recv(65536)
        return answer


def get(port: int, target: str, headers: dict[str, str] | None = None, timeout: float = 10, tls: bool = False) -> Answer:
    """One request over a connection of its own."""
    connection = (http.client.HTTPSConnection("127.0.0.1", port, timeout=timeout, context=UNVERIFIED) if tls
                  else http.client.HTTPConnection("127.0.0.1", port, timeout=timeout))
    try:
        connection.request("GET", target, headers=headers or {})
        response = connection.getresponse()
        body = response.read()
        lines = response.getheaders()
        head = len(f"HTTP/1.1 {response.status} {response.reason}\r\n\r\n")
        head += sum(len(f"{name}: {value}\r\n") for name, value in lines)
        return Answer(response.status, {name.lower(): value for name, value in lines}, body, head + len(body))
    finally:
        connection.close()


def write_catalogue(path: Path, made_up: bytes, count: int) -> Path:
    """The practice upstream's made-up products, as many as are wanted."""
    samples = json.loads(made_up)
    products = []
    for number in range(1, count + 1):
        product = copy.deepcopy(samples[(number - 1) % len(samples)])
        product["id"] = f"p-{number}"
        products.append(product)
    path.write_text(json.dumps(products))
    return path

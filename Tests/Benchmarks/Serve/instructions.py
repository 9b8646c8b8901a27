"""The price of a request in instructions and in system calls: `make bench-instructions`.

Each server answers few requests and then many under the same tool; the difference is what the requests cost, without
the start and the end of the program. Instructions are those outside of the kernel.
"""

import argparse
import re
import shutil
import socket
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

from catalogues import LOOK_UP, UNVERIFIED, get
from processes import Failure, Processes, end, parser, run, two_cores
from profiles import write_profile
from servers import ENCRYPTED, Servers, encrypted

FEW, MANY = 500, 2500
NAMES = ("Larder", "plain evhttp")
CORRELATED = {"X-Request-Id": "0b8f6c1e-4d2a-4f7e-9c3b-5a1d2e3f4a5b",
              "traceparent": "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01",
              "tracestate": "rojo=00f067aa0ba902b7,congo=t61rcWkgMzE"}


@dataclass(frozen=True)
class Question:
    """A request whose price is wanted."""

    title: str
    file: str
    target: str = "/products"
    is_conditional: bool = False
    is_correlated: bool = False
    is_encrypted: bool = False

    @property
    def place(self) -> str:
        return encrypted("hundred") if self.is_encrypted else "hundred"

    def headers(self, tag: str) -> dict[str, str]:
        """The headers of the request; `tag` is that of the answer."""
        return ({"If-None-Match": tag} if self.is_conditional else {}) | (CORRELATED if self.is_correlated else {})


QUESTIONS = (Question("100 products", "whole"), Question("100 products, not modified: 304", "304", is_conditional=True),
             Question("100 products, with an id and a trace", "traced", is_correlated=True),
             Question("one of 100 by its id", "id", LOOK_UP), Question("100 products, TLS", "tls", is_encrypted=True))


class Watched(Servers):
    """Servers, one of which runs under a tool."""

    def __init__(self, *values, tool: list[str], watched: tuple[str, str]):
        super().__init__(*values)
        self.tool, self.watched = tool, watched

    def run(self, name: str, catalogue: str, command: list[str], port: int, environment: dict | None = None) -> None:
        super().run(name, catalogue, [*self.tool, *command] if (name, catalogue) == self.watched else command, port, environment)


def main() -> int:
    arguments = parser(__doc__)
    arguments.add_argument("--plain", required=True, help="plain_evhttp.c, compiled")
    arguments.add_argument("--profiles", type=Path, required=True, help="where callgrind's files are kept")
    options = arguments.parse_args()
    return run("bench", lambda processes: price(processes.folder, options), most_seconds=600)


def price(folder: Path, options: argparse.Namespace) -> None:
    options.larder = stripped(options.larder, folder)
    print("| server | request | instructions | system calls |\n| --- | --- | ---: | --- |", flush=True)
    for name in NAMES:
        for question in QUESTIONS:
            if question.is_encrypted and name not in ENCRYPTED:
                continue
            instructions = cost(instructions_used, name, question, folder, options)
            calls = cost(calls_made, name, question, folder, options)
            write_profile(*(profile(name, question, count, options) for count in (FEW, MANY)), MANY - FEW)
            print(f"| {name} | {question.title} | {instructions['all']:,.0f} | {sentence(calls)} |", flush=True)


def stripped(program: str, folder: Path) -> str:
    """The program with its symbols alone: valgrind cannot read what Swift says for debuggers."""
    path = folder / "larder"
    subprocess.run(["strip", "--strip-debug", "-o", str(path), program], check=True, timeout=60)
    return str(path)


def cost(tool, name: str, question: Question, folder: Path, options: argparse.Namespace) -> dict:
    """The share of one request in each of the tool's counts."""
    few, many = (tool(name, question, count, folder, options) for count in (FEW, MANY))
    return {kind: (many[kind] - few.get(kind, 0)) / (MANY - FEW) for kind in many}


def instructions_used(name: str, question: Question, count: int, folder: Path, options) -> dict[str, int]:
    path = profile(name, question, count, options)
    path.parent.mkdir(parents=True, exist_ok=True)
    tool = ["valgrind", "--tool=callgrind", f"--callgrind-out-file={path}"]
    watch(tool, name, question, count, folder, options)
    found = re.search(r"^(?:totals|summary): (\d+)", path.read_text(errors="replace"), re.MULTILINE)
    if not found:
        raise Failure(f"callgrind left no total in {path}")
    return {"all": int(found.group(1))}


def profile(name: str, question: Question, count: int, options) -> Path:
    """The file that callgrind writes."""
    return options.profiles / f"callgrind.{name.split()[0].lower()}-{question.file}-{count}"


def calls_made(name: str, question: Question, count: int, folder: Path, options) -> dict[str, int]:
    table = folder / "calls"
    watch(["strace", "-D", "-f", "-c", "-o", str(table)], name, question, count, folder, options)
    lines = [line.split() for line in table.read_text().splitlines()]
    return {words[-1]: int(words[3]) for words in lines if len(words) >= 5 and words[3].isdigit()
            and words[-1] != "total"}


def watch(tool: list[str], name: str, question: Question, count: int, folder: Path, options) -> None:
    """Starts the server under the tool, asks it `count` times over one connection, and ends it."""
    inner = Path(tempfile.mkdtemp(dir=folder))
    with Processes(inner) as processes:
        servers = Watched(processes, {"larder": options.larder, "plain": options.plain}, *two_cores(),
                          tool=tool, watched=(name, question.place))
        upstream, _ = servers.start_upstream("hundred")
        servers.start_larder("hundred", upstream, ttl="1h")
        servers.record("hundred")
        servers.start_plain("hundred")
        if question.is_encrypted:
            servers.make_certificate()
            servers.start_larder(question.place, upstream, ttl="1h")
        tag = servers.answers["hundred", question.target, "identity"].tag
        ask(servers.ports[name, question.place], question, question.headers(tag), count)
        for process in processes.started:
            if process.pid == servers.pids[name, question.place]:
                end(process, patience=30)
    shutil.rmtree(inner, ignore_errors=True)


def ask(port: int, question: Question, headers: dict[str, str], count: int) -> None:
    """Repeats a request over one connection, each time after the answer."""
    length = len(get(port, question.target, headers, timeout=60, tls=question.is_encrypted).body)
    request = f"GET {question.target} HTTP/1.1\r\nHost: 127.0.0.1\r\n"
    request += "".join(f"{name}: {value}\r\n" for name, value in headers.items()) + "\r\n"
    with socket.create_connection(("127.0.0.1", port), 30) as plain:
        connection = UNVERIFIED.wrap_socket(plain) if question.is_encrypted else plain
        for _ in range(count):
            connection.sendall(request.encode())
            take(connection, length)


def take(connection: socket.socket, length: int) -> None:
    """Reads one answer, whose body has this length."""
    received = b""
    while True:
        head, separator, body = received.partition(b"\r\n\r\n")
        if separator and len(body) >= length:
            return
        if not (chunk := connection.recv(65536)):
            raise Failure("the connection was closed in the middle of an answer")
        received += chunk


def sentence(calls: dict[str, float]) -> str:
    """The total, then each call that at least one request in twenty makes."""
    parts = [f"{name} {number:.1f}" for name, number in sorted(calls.items(), key=lambda pair: -pair[1])
             if number >= 0.05]
    return f"{sum(calls.values()):.1f}: " + ", ".join(parts)


if __name__ == "__main__":
    sys.exit(main())

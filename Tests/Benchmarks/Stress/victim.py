"""The Larder that is stressed, and what its memory does meanwhile."""

import os
import re
import resource
import subprocess
import threading
from pathlib import Path

from shared import Processes, free_ports, get, resident, until, wait_for, write_catalogue

KIB, MIB = 1 << 10, 1 << 20
HERE = Path(__file__).parent


class Victim:
    """A Larder on one loop and one core, with an upstream and limits of its own; a wrapper starts it."""

    def __init__(self, processes: Processes, larder: Path, cores: tuple[int, int], products: int, limits: str, *,
                 tls: str = "off", wrapper: tuple[str, ...] = ()):
        self.processes, self.larder, self.cores, self.wrapper = processes, larder, cores, wrapper
        self.folder = processes.folder / f"larder-{len(processes.started)}"
        self.folder.mkdir()
        resource.setrlimit(resource.RLIMIT_NOFILE, (resource.getrlimit(resource.RLIMIT_NOFILE)[1],) * 2)
        upstream = self.start_upstream(products)
        self.port, admin = free_ports(2)
        self.admin = admin
        config = self.folder / "larder.yaml"
        text = (HERE / "larder.yaml.in").read_text()
        values = dict(port=self.port, admin=admin, upstream=upstream, data=self.folder / "data", limits=limits, tls=tls)
        for name, value in values.items():
            text = text.replace(f"@{name}@", str(value))
        config.write_text(text)
        self.process = self.start(["serve", "--config", str(config)], self.port)
        until(lambda: get(admin, "/readyz").status == 200, "Larder has a catalogue", patience=30)
        self.first_memory = self.memory()

    def start_upstream(self, products: int) -> int:
        [port] = free_ports(1)
        self.start(["upstream", "--listen", f"127.0.0.1:{port}"], port)
        made_up = get(port, "/products").body
        path = write_catalogue(self.folder / "catalogue.json", made_up, products)
        self.catalogue = path.stat().st_size
        [port] = free_ports(1)
        self.start(["upstream", "--listen", f"127.0.0.1:{port}", "--catalogue", str(path)], port)
        return port

    def start(self, arguments: list[str], port: int) -> subprocess.Popen:
        """The upstreams have nothing to do while anything is measured, so they share the core of the load."""
        name = f"{self.folder.name}-{arguments[0]}-{port}"
        core, wrapper = (self.cores[0], self.wrapper) if arguments[0] == "serve" else (self.cores[1], ())
        process = self.processes.start(name, [*wrapper, self.larder, *arguments], core=core)
        wait_for(port, process)
        return process

    def memory(self) -> int:
        return resident(self.process.pid)

    def open_files(self) -> int:
        return sum(1 for _ in Path(f"/proc/{self.process.pid}/fd").iterdir())

    def is_running(self) -> bool:
        return self.process.poll() is None


class Watch:
    """A victim's memory, TCP socket memory and connections while the `with` block runs. Memory
    is compared with what the victim took at first, so that one watch after another sees what is never given back."""

    def __init__(self, victim: Victim, interval: float = 0.2):
        self.victim, self.interval = victim, interval
        self.peak = victim.memory()
        self.sockets_before = self.sockets_peak = socket_memory()
        self.files_before, self.held = victim.open_files(), [0]
        self.stopped = threading.Event()
        self.thread = threading.Thread(target=self.watch)

    def __enter__(self) -> "Watch":
        self.thread.start()
        return self

    def __exit__(self, *_) -> None:
        self.stopped.set()
        self.thread.join()

    def watch(self) -> None:
        while not self.stopped.wait(self.interval) and self.victim.is_running():
            self.peak = max(self.peak, self.victim.memory())
            self.sockets_peak = max(self.sockets_peak, socket_memory())
            self.held.append(self.victim.open_files() - self.files_before)

    @property
    def grown(self) -> int:
        return self.peak - self.victim.first_memory

    @property
    def sockets_grown(self) -> int:
        return self.sockets_peak - self.sockets_before

    @property
    def most_held(self) -> int:
        return max(self.held)

    @property
    def connections(self) -> str:
        return f"at most {self.most_held}, {sum(self.held) / len(self.held):.0f} on average"

    @property
    def memory(self) -> str:
        """In MiB: at first, the most, and now."""
        return ", ".join(f"{size / MIB:.1f}" for size in (self.victim.first_memory, self.peak, self.victim.memory()))


def socket_memory() -> int:
    """The bytes that the kernel holds for all TCP sockets."""
    text = Path("/proc/net/sockstat").read_text()
    return int(re.search(r"^TCP: .* mem (\d+)$", text, re.MULTILINE).group(1)) * os.sysconf("SC_PAGE_SIZE")

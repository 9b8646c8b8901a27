"""Clients that watch how a stressed server treats others: an orchestrator's probe and an honest client."""

import http.client
import ssl
import threading
import time
from dataclasses import dataclass, field


@dataclass
class Observer:
    """Asks for one target again and again, each time over a new connection, while the `with` block runs."""

    port: int
    target: str
    interval: float
    patience: float = 5.0
    headers: dict[str, str] = field(default_factory=dict)
    tls: ssl.SSLContext | None = None
    """None for a plain port."""
    latencies: list[float] = field(default_factory=list)
    """Seconds that the answers took."""
    failures: list[str] = field(default_factory=list)

    def __enter__(self) -> "Observer":
        self.stopped = threading.Event()
        self.thread = threading.Thread(target=self.observe)
        self.thread.start()
        return self

    def __exit__(self, *_) -> None:
        self.stopped.set()
        self.thread.join()

    def observe(self) -> None:
        due = time.monotonic()
        while not self.stopped.wait(max(0.0, due - time.monotonic())):
            due += self.interval
            self.ask()

    def ask(self) -> None:
        start = time.monotonic()
        connection = self.connection()
        try:
            connection.request("GET", self.target, headers=self.headers)
            response = connection.getresponse()
            response.read()
            if response.status == 200:
                self.latencies.append(time.monotonic() - start)
            else:
                self.failures.append(f"{self.target}: {response.status}")
        except (OSError, http.client.HTTPException) as error:
            self.failures.append(f"{self.target}: {type(error).__name__} {error}")
        finally:
            connection.close()

    def connection(self) -> http.client.HTTPConnection:
        if self.tls:
            return http.client.HTTPSConnection("127.0.0.1", self.port, timeout=self.patience, context=self.tls)
        return http.client.HTTPConnection("127.0.0.1", self.port, timeout=self.patience)

    def percentile(self, part: float) -> float:
        """In milliseconds."""
        ordered = sorted(self.latencies) or [float("inf")]
        return ordered[min(len(ordered) - 1, int(part * len(ordered)))] * 1000

    @property
    def summary(self) -> str:
        return (f"{len(self.latencies)} | {self.percentile(0.5):.1f} | {self.percentile(0.99):.1f} "
                f"| {self.percentile(1):.1f}")

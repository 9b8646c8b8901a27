"""The service of config/kubernetes in a hurry."""

from pathlib import Path

import manifests
from disks import as_seen
from programs import Failure, Programs, ask, free_ports, log_lines, status, until


class Service:
    """The graph of config/kubernetes with a ttl of a second, and its practice upstream."""

    def __init__(self, programs: Programs, larder: Path, wrapper: list | None = None, environment: dict | None = None,
                 data: Path | None = None, upstream: int = 0, interval: str = "2s"):
        self.upstream = upstream or programs.start_upstream(larder)
        self.port, self.admin = free_ports(2)
        self.data = data or programs.folder / "data"
        config = programs.folder / "larder.yaml"
        config.write_text(manifests.config({"http": self.port, "admin": self.admin}).replace(
            "ttl: 30s", "ttl: 1s").replace("interval: 2s", f"interval: {interval}"))
        for secret in ("token", "admin-token"):
            (programs.folder / secret).write_text("drill\n")
        self.process = programs.start(
            "larder", [*(wrapper or []), larder, "serve", "--config", config],
            {"LARDER_UPSTREAM": f"127.0.0.1:{self.upstream}", "LARDER_DATA": str(self.data),
             "LARDER_SECRETS": str(programs.folder)} | (environment or {}))
        until(lambda: status(self.port, "/readyz") == 200, "the service is ready", self.process)

    def says(self, message: str) -> int:
        """Counts the log lines with this message."""
        return sum(message in line["message"] for line in log_lines(self.process.log))

    def until_it_says(self, message: str, count: int = 1, patience: float = 40) -> None:
        until(lambda: self.says(message) >= count, f"the log says \"{message}\"", self.process, patience)

    def headers(self) -> dict:
        code, headers, _ = ask(self.port, "/products")
        if code != 200:
            raise Failure(f"status {code}")
        return headers

    def generations(self) -> int:
        """Counts the stored generations on the disk of the process."""
        folder = as_seen(self.process, self.data) / "catalogue"
        return len(list(folder.glob("*.json"))) if folder.is_dir() else 0

"""Requests at a constant rate, by h2load.

h2load does not connect again: a connection that ends fails all requests that its client had left.
"""

import time

from programs import Programs

PATIENCE, GRACE = 5, 0.2
"""Seconds until an answer counts as none, and until a request without an answer counts when the load is stopped."""
JITTER = 10_000
"""Microseconds by which the timer of h2load may be late itself."""


class Load:
    """Asks for one target until it is stopped, or its seconds are over.

    Latencies are milliseconds from the moment at which a request is due, so that all requests that fall into a pause of
    the server feel it.
    """

    def __init__(self, programs: Programs, port: int, rate: int, seconds: int = 86_400, target: str = "/products"):
        self.rate, self.asked = rate, rate * seconds
        self.clients = max(1, min(10, rate // 25))
        name = f"load-{len(programs.started)}"
        self.answers = programs.folder / f"{name}.tsv"
        self.program = programs.start(name, [
            "h2load", "--h1", f"--clients={self.clients}", f"--rps={rate / self.clients}", f"--requests={self.asked}",
            f"--connection-inactivity-timeout={PATIENCE}", f"--log-file={self.answers}",
            f"http://127.0.0.1:{port}{target}"])
        self.began = time.time()

    def stop(self) -> dict:
        """Ends the load early; gives its counts."""
        stopped = time.time()
        self.program.terminate()
        self.program.wait()
        rows = self.rows()
        began = rows[0][0] / 1e6 if rows else self.began
        due = int((stopped - GRACE - began) * self.rate / self.clients) * self.clients
        self.asked = min(self.asked, max(len(rows), due))
        return self.result()

    def result(self) -> dict:
        """The counts when all is answered."""
        self.program.wait()
        rows = self.rows()
        good = [row for row in rows if row[1] == 200 and row[2] < PATIENCE * 1e6]
        period = 1e6 * self.clients / self.rate
        late = [begun - rows[0][0] - number // self.clients * period for number, (begun, _, _) in enumerate(rows)]
        times = sorted((took + max(0, lag - JITTER)) / 1000 for (_, _, took), lag in zip(rows, late, strict=True))
        statuses = [row[1] for row in rows]
        return {"asked": self.asked, "answered": len(good), "failed": self.asked - len(good),
                **{name: round(times[int(share * (len(times) - 1))], 3) if times else 0
                   for name, share in (("p50", 0.5), ("p99", 0.99), ("max", 1))},
                "statuses": {status: statuses.count(status) for status in sorted(set(statuses))}}

    def failures(self) -> str:
        """The first bad answers, with their seconds, and the summary of h2load."""
        rows = self.rows()
        bad = [f"after {(begun - rows[0][0]) / 1e6:.3f} s: status {status} in {took / 1e6:.3f} s"
               for begun, status, took in rows if status != 200 or took >= PATIENCE * 1e6]
        summary = [line for line in self.program.log.read_text().splitlines()
                   if line.startswith(("requests:", "status"))]
        return "\n".join([*bad[:10], *summary])

    def rows(self) -> list[tuple[int, ...]]:
        """Start in microseconds since 1970, status, and duration in microseconds of each answer, by start."""
        lines = self.answers.read_text().split("\n")[:-1] if self.answers.exists() else []
        return sorted(tuple(map(int, line.split())) for line in lines)

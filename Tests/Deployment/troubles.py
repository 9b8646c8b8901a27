"""Ten troubles that an engineer on call meets, staged: what is shown must name the cause and its beginning within a minute.

Each trouble comes to a service of its own that was well until then: nothing may have been reported of it before. Then these
are looked at, again and again: `/readyz?verbose`, health+json and the graph on the operators' port, `/metrics`, and what the
log says since, which must fit on a screen. Each has to name the cause and when it began, the metric by its kind, and the
runbook must have its section. What they say is printed, for a person to judge. `--calm` stages nothing, and fails when
anything is reported all the same. Root, for a disk that is full.
"""

import json
import os
import re
import sys
import time
from dataclasses import dataclass, field
from datetime import datetime

from programs import REPOSITORY, Failure, Programs, ask, log_lines, parser, run
from staged import STAGES, Stage

SCREEN, PATIENCE, CALM = 50, 60, 8
"""Lines of a log; seconds in which a trouble must be named; seconds without a trouble before it."""
TIME = re.compile(r"\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(?:\.\d+)?(?:Z| UTC)")
CLOCK = re.compile(r"since (\d\d):(\d\d):(\d\d) UTC")
"""A time of the current day."""
DAY = 86_400


def main() -> int:
    arguments = parser(__doc__)
    arguments.add_argument("names", nargs="*", help="default: all")
    arguments.add_argument("--patience", type=int, default=PATIENCE, help="seconds in which all must be named")
    arguments.add_argument("--calm", action="store_true", help="stage nothing: nothing may be reported")
    options = arguments.parse_args()
    return run("troubles", lambda programs: drill(programs, options))


def drill(programs: Programs, options) -> None:
    if os.geteuid() != 0:
        raise Failure("a full disk needs root")
    known = {stage.name for stage in STAGES}
    if unknown := set(options.names) - known:
        raise Failure(f"no such trouble: {', '.join(sorted(unknown))}; there are {', '.join(sorted(known))}")
    looks = [Look(stage) for stage in STAGES if stage.name in options.names or not options.names]
    sections = re.findall("^### (.*)$", (REPOSITORY / "config" / "prometheus" / "RUNBOOK.md").read_text(), re.MULTILINE)
    if missing := sorted({look.stage.page for look in looks} - set(sections)):
        raise Failure(f"the runbook has no section {', '.join(missing)}")
    for look in looks:
        look.stage.open(programs, options.larder)
    stay_calm(looks, PATIENCE // 2 if options.calm else CALM)
    if options.calm:
        print(f"nothing is reported of {len(looks)} services that are well")
        return
    for look in looks:
        look.begin()
    while (waiting := [look for look in looks if look.missing()]) and (
            any(look.elapsed() < options.patience for look in waiting)):
        for look in waiting:
            look.again()
        time.sleep(0.5)
    for look in looks:
        look.show()
    if silent := [f"{look.stage.name}: {', '.join(look.missing())}" for look in looks if look.missing()]:
        raise Failure(f"not named within {options.patience} s: {'; '.join(silent)}")
    print(f"all {len(looks)} troubles are named within {max(look.slowest() for look in looks):.0f} s")


def stay_calm(looks: list, seconds: float) -> None:
    """Of what is well nothing is reported, for so long."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        time.sleep(0.5)
    for look in looks:
        if reported := look.reports():
            raise Failure(f"{look.stage.name}: in calm there is reported:\n" + "\n".join(reported))


@dataclass
class Look:
    """What is shown of a trouble, and when each source had named it."""

    stage: Stage
    named: dict[str, tuple[float, str]] = field(default_factory=dict)
    start: float = 0
    begun: float = 0
    lines: int = 0

    def begin(self) -> None:
        """Brings the trouble; what the log said before is no part of the screen."""
        self.lines = len(log_lines(self.stage.log))
        self.start, self.begun = time.monotonic(), time.time()
        self.stage.bring()

    def elapsed(self) -> float:
        return time.monotonic() - self.start

    def again(self) -> None:
        for source, pieces in self.sources().items():
            if source not in self.named and (piece := self.names(source, pieces)):
                self.named[source] = (self.elapsed(), piece)

    def missing(self) -> list[str]:
        return [source for source in SOURCES if source not in self.named]

    def slowest(self) -> float:
        return max(seconds for seconds, _ in self.named.values())

    def sources(self) -> dict[str, list[str]]:
        """The pieces of each source: a cause and its beginning count where they are in one."""
        admin = self.stage.admin
        verbose = ask(admin, "/readyz?verbose")[2].decode()
        health = json.loads(ask(admin, "/healthz?verbose", headers={"Accept": "application/health+json"})[2])
        outputs = [f"{name}: {one['output']}" for name, many in health["checks"].items() for one in many if "output" in one]
        metrics = ask(admin, "/metrics")[2].decode()
        graph = json.loads(ask(admin, "/graph")[2])
        return {
            "readyz": verbose.splitlines(), "health": outputs if health["status"] != "pass" else [],
            "graph": list(objects(graph)), "metrics": metrics.splitlines(), "log": self.screen()}

    def screen(self) -> list[str]:
        """What the log says since the trouble began; none where that does not fit on a screen."""
        lines = [json.dumps(line, ensure_ascii=False) for line in log_lines(self.stage.log)[self.lines:]]
        return lines if len(lines) <= SCREEN else []

    def names(self, source: str, pieces: list[str]) -> str | None:
        if source == "metrics":
            return next((piece for piece in pieces if self.began_at(self.stage.measured(piece))), None)
        return next((piece for piece in pieces if self.stage.names(piece) and self.tells_since(piece)), None)

    def began_at(self, moment: float | None) -> bool:
        return moment is not None and any(one - 5 <= moment <= one + PATIENCE for one in self.stage.since or [self.begun])

    def tells_since(self, piece: str) -> bool:
        """Whether a time in the text is one at which the trouble began."""
        times = [datetime.fromisoformat(found.replace(" UTC", "Z").replace(" ", "T")).timestamp() for found in TIME.findall(piece)]
        clocks = [3600 * int(hour) + 60 * int(minute) + int(second) for hour, minute, second in CLOCK.findall(piece)]
        days = {int(moment // DAY) + shift for moment in self.stage.since or [self.begun] for shift in (-1, 0, 1)}
        return any(map(self.began_at, times + [day * DAY + clock for day in days for clock in clocks]))

    def reports(self) -> list[str]:
        """What is reported of a service that is well."""
        sources = self.sources()
        warnings = [line for line in self.screen() if json.loads(line)["level"] in ("warning", "error", "critical")]
        measured = [line for line in sources["metrics"] if re.match("larder_(trouble|pinned)_since_timestamp", line)]
        return sources["health"] + [line for line in sources["readyz"] if not line.startswith("[+]")][:-1] + warnings + measured

    def show(self) -> None:
        print(f"\n{self.stage.name}: {self.stage.words}; {self.stage.page} in the runbook")
        for source in SOURCES:
            seconds, piece = self.named.get(source, (0, ""))
            print(f"  {source:8} {seconds:4.1f} s  {shortened(piece)}" if piece else f"  {source:8} NOT NAMED", flush=True)
        for source in self.missing():
            pieces = self.sources()[source]
            shown = pieces if source not in ("metrics", "graph") else []
            print(f"    {source}, {len(pieces)} pieces:", *(shortened(piece) for piece in shown[-8:]), sep="\n      ")


SOURCES = ("readyz", "health", "graph", "metrics", "log")


def objects(value, name: str = ""):
    """Each object of a document by its own members, with those of lists of texts, after the name of the member that has it."""
    if isinstance(value, dict):
        plain = {key: one for key, one in value.items() if not isinstance(one, dict)
                 and not (isinstance(one, list) and any(isinstance(item, (dict, list)) for item in one))}
        yield f"{name} {json.dumps(plain, ensure_ascii=False)}"
        for key, one in value.items():
            yield from objects(one, key)
    if isinstance(value, list):
        for one in value:
            yield from objects(one, name)


def shortened(text: str) -> str:
    return text if len(text) <= 300 else f"{text[:300]}…"


if __name__ == "__main__":
    sys.exit(main())

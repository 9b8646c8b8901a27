"""Judges a drill by what its clients, its upstream and its faults have written down."""

from bisect import bisect_left, bisect_right
from collections import Counter, defaultdict
from dataclasses import dataclass
from pathlib import Path

from catalogue import Refresh
from scenes import Window

SHOWN = 8
"""Problems of a kind that are printed in full."""
CUT = 1.0
"""Seconds after a kill in which a body that was on its way may end early: no proxy can send its rest."""


@dataclass(frozen=True)
class Request:
    """One through the proxy. See traffic.py."""

    kind: str
    due: float
    status: int
    micros: float
    version: int
    replica: str

    @property
    def ended(self) -> float:
        return self.due + self.micros / 1e6


@dataclass(frozen=True)
class Sight:
    """One of an observer."""

    replica: int
    at: float
    status: int
    micros: float
    version: int


@dataclass
class Record:
    """What a drill has seen."""

    began: float
    requests: list[Request]
    sights: list[Sight]
    refreshes: list[Refresh]
    windows: list[Window]
    starts: list[list[float]]
    """When each replica was started."""
    ttl: float
    bound: float
    ended: float = 0

    def when(self, at: float) -> str:
        """A time in words, with the fault that it falls into."""
        if not (window := self.window(at)):
            return f"at {at - self.began:.2f} s, without a fault"
        phase = (f"{at - window.began:.2f} s into" if at <= window.healed else
                 f"{at - window.healed:.2f} s after the heal of")
        return f'at {at - self.began:.2f} s, {phase} "{window.name}"'

    def window(self, at: float) -> Window | None:
        """The fault of that time; faults follow each other."""
        number = bisect_right(self.windows, at, key=lambda one: one.began) - 1
        return self.windows[number] if number >= 0 and at <= self.windows[number].until else None


def read(path: Path) -> tuple[list[Request], list[Sight]]:
    requests, sights = [], []
    for line in path.read_text().split("\n")[:-1]:
        tag, *rest = line.split()
        if tag == "F":
            kind, due, status, micros, version, replica = rest
            requests.append(Request(kind, float(due), int(status), float(micros), int(version), replica))
        else:
            sights.append(Sight(int(rest[0]), float(rest[1]), int(rest[2]), float(rest[3]), int(rest[4])))
    return requests, sights


def failed(record: Record) -> list[str]:
    """Requests through the proxy that had no whole 200, but for bodies that a kill cut off."""
    words = {0: "no answer", -1: "an answer that was cut off", -2: "no answer in time", -3: "not sent, too many wait"}
    kills = [kill for window in record.windows for kill in window.kills]
    return [f"{record.when(one.due)}: {one.kind}: {words.get(one.status, one.status)} after {one.micros / 1e6:.2f} s "
            f"{one.replica}" for one in record.requests if one.status != 200 and not is_excused(one, kills)]


def is_excused(request: Request, kills: list[float]) -> bool:
    return request.status == -1 and any(request.due - 0.1 <= kill + CUT and kill <= request.ended for kill in kills)


def torn(record: Record) -> list[str]:
    """Answers of several versions, of too few or too many products, or of none."""
    through = [(one.ended, f"the proxy ({one.replica})", one.version) for one in record.requests if one.status == 200]
    seen = [(one.at, f"replica-{one.replica + 1}", one.version) for one in record.sights if one.status == 200]
    return [f"{record.when(at)}: {name} answered with {'no version' if version == -1 else 'a torn catalogue'}"
            for at, name, version in [*through, *seen] if version < 1]


def backwards(record: Record) -> list[str]:
    """Versions that a replica served after it had served a newer one, itself or before its restart."""
    newest, problems = {}, []
    for one in sorted(record.sights, key=lambda sight: sight.at):
        if one.status != 200 or one.version < 1:
            continue
        at, most = newest.get(one.replica, (0, 0))
        if one.version < most:
            restarted = any(at < start <= one.at for start in record.starts[one.replica])
            problems.append(f"{record.when(one.at)}: replica-{one.replica + 1} served {one.version} "
                            f"{one.at - at:.2f} s after {most}{', across a restart' if restarted else ''}")
            newest[one.replica] = (one.at, one.version if restarted else most)
        elif one.version > most:
            newest[one.replica] = (one.at, one.version)
    return problems


def behind(record: Record, lag: float) -> list[str]:
    """Answers through the proxy without a fault that are older than what was served so many seconds before."""
    served = sorted([(one.at, one.version) for one in record.sights if one.status == 200]
                    + [(one.ended, one.version) for one in record.requests if one.status == 200])
    times, most, newest = [at for at, _ in served], 0, []
    for _, version in served:
        most = max(most, version)
        newest.append(most)
    problems = []
    for one in record.requests:
        if one.status != 200 or record.window(one.due) or record.window(one.due - lag):
            continue
        before = bisect_left(times, one.due - lag)
        if before and one.version < newest[before - 1]:
            problems.append(f"{record.when(one.due)}: {one.replica or 'a replica'} answered {one.version}, though "
                            f"{newest[before - 1]} was served more than {lag} s before")
    return problems


def refreshes(record: Record, part: float = 0.8) -> list[str]:
    """Requests to the upstream that are more in an interval than the faults of that time allow."""
    problems, recent = [], []
    for last in sorted(record.refreshes, key=lambda one: one.began):
        since = last.began - part * record.ttl
        recent = [one for one in recent if one.began > since] + [last]
        allowed = max((one.refreshes for one in record.windows if one.began <= last.began and one.until >= since),
                      default=1)
        if len(recent) > allowed:
            problems.append(f"{record.when(last.began)}: {len(recent)} refreshes in {part * record.ttl:.1f} s, allowed "
                            f"{allowed}: " + ", ".join(f"{one.visitor} {one.began - record.began:.2f} s"
                                                       for one in recent))
    return problems


def agreement(record: Record) -> list[str]:
    """Faults after which the replicas did not come to the newest version within the stated time."""
    return [f"{record.when(one.healed)}: no agreement on {one.newest} within {record.bound:.1f} s: {one.served}"
            for one in record.windows if one.agreed is None]


def judge(record: Record, lag: float) -> dict[str, list[str]]:
    return {"no failed request": failed(record),
            "nothing torn, foreign or empty": torn(record),
            "no step back": backwards(record),
            f"no answer older than {lag} s without a fault": behind(record, lag),
            "one refresh an interval (two to four where stated)": refreshes(record),
            f"agreement within {record.bound:.1f} s of each heal": agreement(record)}


def report(verdict: dict[str, list[str]]) -> bool:
    """Prints each check; whether all passed."""
    for name, problems in verdict.items():
        print(f"{'FAIL' if problems else 'PASS'}  {name}" + (f": {len(problems)}" if problems else ""), flush=True)
        for problem in problems[:SHOWN]:
            print(f"      {problem}")
    return not any(verdict.values())


def share(values: list[float], part: float) -> float:
    """A percentile; not a number without values."""
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(part * len(ordered)))] if ordered else float("nan")


def figures(record: Record) -> list[str]:
    kills = [kill for window in record.windows for kill in window.kills]
    good = [one for one in record.requests if one.status == 200]
    calm = [one.micros / 1000 for one in good if not record.window(one.due)]
    times = [one.micros / 1000 for one in good]
    took = [one.agreed - one.healed for one in record.windows if one.agreed]
    again = sum(one.kind.endswith("-again") for one in record.requests)
    excused = sum(one.status != 200 and is_excused(one, kills) for one in record.requests)
    absent = [end - start for window in record.windows for start, end in window.absences]
    seconds = record.ended - record.began
    visitors = Counter(one.visitor for one in record.refreshes)
    return [
        f"{len(record.requests)} requests in {seconds:.0f} s, {len(record.requests) / seconds:.0f}/s; p50 "
        f"{share(times, .5):.1f} ms, p99 {share(times, .99):.1f} ms, max {max(times, default=0):.0f} ms; without a "
        f"fault p99 {share(calm, .99):.1f} ms",
        f"{again} sent again, since their connection had been closed; {excused} bodies cut off by a kill",
        f"{sum(absent):.2f} s without any replica in {len(absent)} restarts of all",
        f"{len(record.windows)} faults; agreement after a heal p50 {share(took, .5):.2f} s, max "
        f"{max(took, default=0):.2f} s",
        f"{len(record.refreshes)} refreshes, {seconds / max(1, len(record.refreshes)):.2f} s apart with a ttl of "
        f"{record.ttl} s: {dict(visitors)}",
        f"{len(record.sights)} answers to observers of {len({one.version for one in record.sights})} versions"]


def table(record: Record) -> list[str]:
    """A line for each kind of fault, and one for the time without any."""
    rows = defaultdict(list)
    for window in record.windows:
        rows[window.kind].append(window)
    requests, asked = defaultdict(list), Counter()
    for one in record.requests:
        window = record.window(one.due)
        requests[window.kind if window else ""].append(one)
    for one in record.refreshes:
        window = record.window(one.began)
        asked[window.kind if window else ""] += 1
    calm = record.ended - record.began - sum(one.until - one.began for one in record.windows)
    lines = [f"{'':52} {'times':>5} {'s each':>7} {'requests':>8} {'not 200':>7} {'p99 ms':>7} {'refreshes':>9} "
             f"{'a ttl':>5} {'allowed':>7} {'agreed s':>8}"]
    for kind in ["", *sorted(rows)]:
        windows, those = rows.get(kind, []), requests[kind]
        seconds = sum(one.until - one.began for one in windows) if kind else calm
        agreed = [one.agreed - one.healed for one in windows if one.agreed]
        worst = "-" if not kind else "never" if len(agreed) < len(windows) else f"{max(agreed):.2f}"
        lines.append(
            f"{kind or 'no fault':52} {len(windows):5} {seconds / max(1, len(windows)):7.1f} {len(those):8} "
            f"{sum(one.status != 200 for one in those):7} {share([one.micros / 1000 for one in those], .99):7.1f} "
            f"{asked[kind]:9} {asked[kind] / max(seconds, .001) * record.ttl:5.2f} "
            f"{windows[0].refreshes if windows else 1:7} {worst:>8}")
    return lines

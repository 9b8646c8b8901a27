"""Summaries of the rounds."""

from dataclasses import dataclass, field
from statistics import median

from measure import Measurement
from rows import Row

WHOLE = 0.9
"""A core that is used for less than this part of the time was waiting, or shared with others."""


@dataclass(frozen=True)
class Spread:
    """The middle of several rounds, and how far they went."""

    median: float
    least: float
    most: float


@dataclass
class Result:
    """A row's measurements, by server; a list has one for each round. A server that has none was not asked."""

    row: Row
    rounds: dict[str, list[Measurement]] = field(default_factory=dict)
    failure: str | None = None

    def ratio(self, name: str) -> Spread | None:
        """Larder's throughput divided by the peer's, round by round."""
        return None if self.failure else spread(self.rounds.get("Larder", []), self.rounds.get(name, []))

    def share(self, other: "Result") -> Spread | None:
        """Larder's throughput divided by its throughput in another row, round by round."""
        return None if self.failure else spread(self.rounds.get("Larder", []), other.rounds.get("Larder", []))

    def middle(self, name: str, figure: str) -> float | None:
        """The median of one figure."""
        measured = self.rounds.get(name)
        return None if self.failure or not measured else median(getattr(one, figure) for one in measured)

    def is_held_back(self, name: str) -> bool:
        """Whether the server had time left, so that it was wrk which set the pace."""
        return self.waits(name) and self.middle(name, "load") >= WHOLE

    def is_disturbed(self, name: str) -> bool:
        """Whether neither the server nor wrk had its core for itself: the machine had other things to do."""
        return self.waits(name) and self.middle(name, "load") < WHOLE

    def waits(self, name: str) -> bool:
        """One connection alone keeps nobody busy, and means nothing."""
        busy = self.middle(name, "busy")
        return busy is not None and self.row.connections > 1 and busy < WHOLE


def spread(ours: list[Measurement], theirs: list[Measurement]) -> Spread | None:
    """How the throughputs of two compare, round by round."""
    ratios = [one.per_second / other.per_second for one, other in zip(ours, theirs)]
    return Spread(median(ratios), min(ratios), max(ratios)) if ratios else None

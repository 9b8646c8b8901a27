"""What a fault is, where it happens, and what is written down about it."""

import random
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

from replicas import Fleet, Replica

NEVER = 10 ** 6


@dataclass
class Fault:
    name: str
    act: Callable[["Scene"], Iterator[float]]
    refreshes: int
    """The most at the upstream in an interval while it lasts and until all agree: one, two where replicas cannot know
    of each other, three where one of these comes to the others with a newer catalogue of another config, four where
    each may go alone beside a turn that had begun."""


@dataclass
class Window:
    """A fault from its beginning until all agree again."""

    name: str
    refreshes: int
    began: float
    healed: float = NEVER
    agreed: float | None = None
    """None if they did not within the time."""
    until: float = NEVER
    """When the drill went on, agreed or not."""
    served: list = field(default_factory=list)
    newest: int = 0
    kills: list[float] = field(default_factory=list)
    """Moments at which a replica was killed: a body that was on its way ends there."""
    absences: list[tuple[float, float]] = field(default_factory=list)
    """Times without any replica."""
    kind: str = ""

    def __post_init__(self):
        self.kind = self.kind or self.name


@dataclass
class Scene:
    """What a fault needs."""

    fleet: Fleet
    pick: random.Random
    window: Window

    def any(self) -> Replica:
        replica = self.pick.choice(self.fleet.replicas)
        self.window.name += f" of {replica.name}"
        return replica

    def kill(self, replica: Replica) -> None:
        self.window.kills.append(time.monotonic())
        replica.kill()

    def holder(self) -> Replica:
        """Waits until a replica asks the upstream, which takes its time; any of them if none does."""
        catalogue = self.fleet.catalogue
        catalogue.delay = 1
        end = time.monotonic() + 3 * self.fleet.ttl + 3
        try:
            while time.monotonic() < end:
                if running := catalogue.running():
                    for replica in self.fleet.replicas:
                        if replica.name == running.visitor:
                            self.window.name += f" ({replica.name}, during its refresh)"
                            return replica
                time.sleep(0.01)
            return self.any()
        finally:
            catalogue.delay = 0.02

    def longer(self, least: float) -> float:
        """More than that, by up to half."""
        return least * self.pick.uniform(1.1, 1.5)

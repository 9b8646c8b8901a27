"""Causes that make each alert fire, each brought to an instance that was well until then."""

import shutil
import signal
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

from cdn import CACHED, Cdn
from disks import fill, own_disk
from instances import Crowd, Instance, kill
from programs import CERTIFICATES, Programs

DESCRIPTORS = 96


@dataclass(frozen=True)
class Cause:
    """An instance, what is done to it, and the alerts that must fire for it then."""

    name: str
    alerts: tuple[str, ...]
    also: tuple[str, ...] = ()
    """Alerts that the cause may bring besides."""
    bring: Callable[[Instance], None] = lambda instance: None
    clients: int = 1
    settings: dict = field(default_factory=dict)
    make: type[Instance] = Instance
    prepare: Callable[[Instance], dict] = lambda instance: {}
    """Gives the `wrapper` and the `environment` with which the program starts."""

    def instance(self, programs: Programs, larder: Path) -> Instance:
        """Starts the instance, still well."""
        instance = self.make(programs, larder, self.name, self.clients, self.settings)
        instance.open(**self.prepare(instance))
        return instance


def killed(instance: Instance) -> None:
    kill(instance.process)


def emptied(instance: Instance) -> None:
    """A new instance whose upstream is away and that has nothing on disk."""
    instance.stop_upstream()
    for file in (instance.data / "catalogue").glob("*.json"):
        file.unlink()
    kill(instance.process)
    for file in (instance.data / "catalogue").glob("*.json"):
        file.unlink()
    instance.start()


def visited_seldom(instance: Instance) -> None:
    """Less often than `ttl`."""
    for client in instance.clients:
        client.pause = 3


def certified(instance: Instance, certificate: str = "first") -> dict:
    for kind in ("", "-test-key"):
        shutil.copy(CERTIFICATES / f"{certificate}{kind}.pem", instance.folder / f"served{kind}.pem")
    return {}


def badly_renewed(instance: Instance) -> None:
    """By a certificate that has expired."""
    certified(instance, "expired")
    instance.process.send_signal(signal.SIGHUP)


def small_disk(instance: Instance) -> dict:
    return {"wrapper": own_disk(instance.data)}


def crowded(instance: Instance) -> None:
    """More connections than there may be, all the time."""
    Crowd(instance.port).start()


def few_descriptors(_: Instance) -> dict:
    return {"wrapper": ["prlimit", f"--nofile={DESCRIPTORS}:{DESCRIPTORS}"]}


def short_of_descriptors(instance: Instance) -> None:
    """Nine tenths are taken."""
    while instance.descriptors() < 0.9 * DESCRIPTORS:
        instance.hold(1)
        time.sleep(0.05)


def cached(instance: Cdn) -> None:
    """The cache before the shop gives what it has, and calls it stale."""
    instance.age = CACHED


def misconfigured(instance: Instance) -> None:
    """A file with a mistake, and the wish that it be in force."""
    instance.config.write_text(instance.config.read_text() + "unknown: 1\n")
    instance.reload()


def restarted(instance: Instance) -> None:
    """Again and again; each start has to be scraped."""
    for _ in range(4):
        instance.restart()
        time.sleep(2.5)


FAILS = ("LarderServingOffline", "LarderRefreshFailing", "LarderUpstreamUnreachable", "LarderBreakerOpen")
"""The alerts that a failing upstream may bring."""

CAUSES = (
    Cause("calm", ()),
    Cause("killed", ("LarderDown",), bring=killed),
    Cause("empty", ("LarderNotReady", "LarderHighErrorRate"), FAILS, emptied),
    Cause("seldom", ("LarderServingStale",), bring=visited_seldom),
    Cause("away", ("LarderServingOffline", "LarderRefreshFailing", "LarderUpstreamUnreachable"), FAILS,
          Instance.stop_upstream),
    Cause("failing", ("LarderBreakerOpen",), FAILS, lambda instance: instance.fault("status=503")),
    Cause("refusing", ("LarderCatalogueRefused", "LarderQuarantined"), FAILS, lambda instance: instance.fault("empty")),
    Cause("aged", ("LarderCatalogueExpiring",), (*FAILS, "LarderNotReady", "LarderHighErrorRate"),
          Instance.stop_upstream, settings={"while_revalidate": "10s", "if_error": "20s"}),
    Cause("full", ("LarderStoreFailing", "LarderAnalyticsDropping"), prepare=small_disk,
          bring=lambda instance: fill(instance.process, instance.data)),
    Cause("slow", ("LarderUpstreamSlow", "LarderLatencyHigh"), bring=lambda instance: instance.fault("slow"),
          clients=8, settings={"ttl": "100ms", "while_revalidate": "0s"}),
    Cause("crowded", ("LarderRejecting",), bring=crowded, settings={"connections": 16}),
    Cause("short", ("LarderDescriptorsRunningOut",), prepare=few_descriptors, bring=short_of_descriptors),
    Cause("large", ("LarderMemoryHigh", "LarderReplicasDisagree"), ("LarderServingOffline",),
          lambda instance: instance.serve_many(500_000)),
    Cause("cached", ("LarderSourceStale",), ("LarderCatalogueExpiring", "LarderServingStale"), cached, make=Cdn),
    Cause("misconfigured", ("LarderReloadRefused",), bring=misconfigured),
    Cause("expired", ("LarderCertificateExpiring",), bring=badly_renewed, clients=0, prepare=certified,
          settings={"tls": '{ certificate: "@folder@/served.pem", key: "@folder@/served-test-key.pem" }'}),
    Cause("restarting", ("LarderRestarting",), bring=restarted),
)

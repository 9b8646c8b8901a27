"""The troubles of `troubles.py`: a service that is well, what is done to it, and the words that name it."""

import json
import re
import signal
import subprocess
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

from cdn import CACHED, Cdn
from causes import certified, small_disk
from disks import fill
from fleet import Fleet
from instances import Instance, kill
from programs import Failure, Programs, ask, free_ports, until
from stepped_clock import SteppedClock

HOUR, DAY = 3600, 86_400
FORGOTTEN, VALID = 30 * HOUR, 3 * DAY
"""Seconds for which a pin was forgotten, and a certificate is valid."""
SHORT = {"while_revalidate": "60s"}


@dataclass
class Stage:
    """A service, its trouble, and how one recognises that it is named."""

    name: str
    words: str
    causes: tuple[str, ...]
    """Patterns that must all be in one piece; @upstream@ is the upstream's address."""
    kind: str
    """In the list of troubles, which labels the metric; empty for a pin, which has a metric of its own."""
    page: str
    """The section of the runbook."""
    bring: Callable[["Stage"], None] = field(repr=False)
    never: str = ""
    """A pattern of pieces that hide the cause."""
    clients: int = 0
    settings: dict = field(default_factory=dict)
    prepare: Callable[[Instance], dict] = lambda instance: {}
    make: type = Instance
    since: list[float] = field(default_factory=list)
    """When it began, where that is not when it was brought."""
    instance: Instance | None = None
    opening: Callable[["Stage", Programs, Path], None] | None = None

    def __post_init__(self):
        self.bring = self.bring.__get__(self)

    def open(self, programs: Programs, larder: Path) -> None:
        """Starts the service, still well."""
        if self.opening:
            return self.opening(self, programs, larder)
        self.instance = self.make(programs, larder, self.name, self.clients, SHORT | self.settings)
        self.instance.open(**self.prepare(self.instance))
        self.admin, self.log = self.instance.admin, self.instance.process.log

    def names(self, piece: str) -> bool:
        upstream = f"127.0.0.1:{self.instance.upstream}" if self.instance else ""
        causes = [cause.replace("@upstream@", re.escape(upstream)) for cause in self.causes]
        return all(re.search(cause, piece) for cause in causes) and not (self.never and re.search(self.never, piece))

    def measured(self, line: str) -> float | None:
        """The beginning by a line of /metrics."""
        series = f'larder_trouble_since_timestamp_seconds{{.*kind="{self.kind}".*}}' if self.kind else (
            "larder_pinned_since_timestamp_seconds{.*}")
        found = re.match(rf"{series} (\S+)$", line)
        return float(found[1]) if found else None


class Dated(Instance):
    """An instance whose clock, and that of its upstream, can be another one."""

    clock: SteppedClock | None = None

    def start_upstream(self, *words) -> None:
        whole = self.programs
        self.programs = Clocked(whole, self.clock)
        super().start_upstream(*words)
        self.programs = whole


class Clocked:
    """Starts programs that go by a stepped clock."""

    def __init__(self, programs: Programs, clock: SteppedClock):
        self.programs, self.clock = programs, clock

    def start(self, name: str, command: list) -> subprocess.Popen:
        return self.programs.start(name, command, self.clock.environment())


def long_ago(instance: Dated) -> dict:
    instance.clock = SteppedClock(instance.folder)
    instance.clock.step(-FORGOTTEN)
    return {"environment": instance.clock.environment()}


def pin(instance: Instance, reason: str) -> None:
    """Pins the newest generation."""
    def newest() -> int:
        code, _, body = ask(instance.admin, "/history")
        generations = json.loads(body).get("generations", []) if code == 200 else []
        return generations[0]["generation"] if generations else 0

    until(newest, "a generation is stored", instance.process)
    code, _, body = ask(instance.admin, f"/pin?generation={newest()}&reason={reason}", "POST")
    if code != 200:
        raise Failure(f"the pin is refused: {code} {body.decode()}")


def html_under_pin(stage: Stage) -> None:
    pin(stage.instance, "sale")
    stage.instance.fault("html")


def forgotten_pin(stage: Stage) -> None:
    """A pin of long ago, and a process that was started today."""
    pin(stage.instance, "forgotten")
    stage.since.append(time.time() - FORGOTTEN)
    stage.instance.clock.step(FORGOTTEN)
    stage.instance.restart()


def refused_reload(stage: Stage) -> None:
    config = stage.instance.config
    config.write_text(config.read_text() + "flavour: 1\n")
    stage.instance.reload()


def stale_source(stage: Stage) -> None:
    stage.since += [time.time() - CACHED, time.time()]
    stage.instance.age = CACHED


def soon_expired(stage: Stage) -> None:
    folder = stage.instance.folder
    subprocess.run(
        ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days",
         str(VALID // DAY), "-subj", "/CN=localhost", "-keyout", folder / "served-test-key.pem", "-out",
         folder / "served.pem"], check=True, capture_output=True)
    stage.since += [time.time() - 7 * DAY + VALID, time.time(), time.time() + VALID]
    stage.instance.process.send_signal(signal.SIGHUP)


def in_a_fleet(stage: Stage, programs: Programs, larder: Path) -> None:
    """One replica, its upstream and its Redis."""
    own = Programs(programs.folder / stage.name)
    own.folder.mkdir()
    own.started = programs.started
    stage.clock = SteppedClock(own.folder)
    stage.fleet = Fleet(own, larder, free_ports(5), stage.clock.environment() | {"LARDER_TTL": "2s", "LARDER_POLL": "2s"})
    replica = stage.fleet.replicas[0]
    for unit in (stage.fleet.redis, stage.fleet.upstream, replica):
        unit.start()
    stage.admin, stage.log = stage.fleet.pairs[0][1], replica.process.log


def step_back(stage: Stage) -> None:
    stage.since += [time.time(), time.time() - HOUR]
    stage.clock.step(-HOUR)


TLS = {"tls": '{ certificate: "@folder@/served.pem", key: "@folder@/served-test-key.pem" }'}
STAGES = (
    Stage("idle", "nobody asks, and the upstream is gone", ("door|@upstream@", "(?i)refused|unreachable"), "monitor",
          "LarderUpstreamUnreachable", lambda stage: stage.instance.stop_upstream()),
    Stage("html", "the upstream answers with HTML, and a pin is served", ("(?i)not JSON|html|doctype|malformed|not a catalogue",),
          "upstream", "LarderRefreshFailing", html_under_pin, clients=1),
    Stage("disk", "the disk is full", ("(?i)no space left", "catalogue|disk"), "store", "LarderStoreFailing",
          lambda stage: fill(stage.instance.process, stage.instance.data), clients=1, prepare=small_disk),
    Stage("redis", "the shared store is away", ("shared|redis", "(?i)refused|closed|reset|away|not connected"), "shared_store",
          "LarderSharedStoreAway", lambda stage: kill(stage.fleet.redis.process), opening=in_a_fleet),
    Stage("reload", "the config of the last reload was refused", ("(?i)reload|config", "flavour"), "reload",
          "LarderReloadRefused", refused_reload),
    Stage("slow", "the upstream takes connections and does not answer", ("@upstream@", r"(?i)tim(ed|e)[- ]?out|within|takes long"),
          "upstream", "LarderRefreshFailing", lambda stage: stage.instance.fault("hang"), never="its monitor says", clients=1),
    Stage("pin", "a pin of 30 hours ago, and a new process", ("pin", "forgotten"), "", "LarderPinned", forgotten_pin,
          make=Dated, prepare=long_ago),
    Stage("cdn", "the source is a cache that serves what is three days old", ("(?i)source|cdn", "(?i)stale|old"), "source",
          "LarderSourceStale", stale_source, clients=1, make=Cdn),
    Stage("certificate", "the certificate ends in three days", ("(?i)certificate", "(?i)ends?|expire|not after|valid"),
          "certificate", "LarderCertificateExpiring", soon_expired, settings=TLS, prepare=certified),
    Stage("clock", "the replica's clock is an hour back", ("(?i)clock",), "clock", "The clock steps", step_back,
          opening=in_a_fleet),
)

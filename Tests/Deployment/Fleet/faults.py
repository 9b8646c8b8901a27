"""Faults of a fleet: each a generator that does harm, yields the seconds that it lasts, and heals it."""

import random
import signal
import time
from collections.abc import Iterator

from programs import Failure
from scenes import Fault, Scene


def kill_replica(scene: Scene) -> Iterator[float]:
    replica = scene.any()
    scene.kill(replica)
    yield scene.pick.uniform(0.2, 3)
    replica.start()


def kill_holder(scene: Scene) -> Iterator[float]:
    replica = scene.holder()
    scene.kill(replica)
    yield scene.pick.uniform(0.2, 3)
    replica.start()


def pause_replica(scene: Scene) -> Iterator[float]:
    replica = scene.any()
    replica.pause()
    yield scene.longer(scene.fleet.lease)
    replica.resume()


def pause_holder(scene: Scene) -> Iterator[float]:
    replica = scene.holder()
    replica.pause()
    yield scene.longer(scene.fleet.lease)
    replica.resume()


def client_pause(scene: Scene) -> Iterator[float]:
    seconds = scene.longer(3)
    scene.fleet.engine.server.command("CLIENT", "PAUSE", round(seconds * 1000), "ALL")
    yield seconds


def debug_sleep(scene: Scene) -> Iterator[float]:
    scene.fleet.engine.debug_sleep(scene.longer(3))
    yield 0


def stop_engine(scene: Scene) -> Iterator[float]:
    process = scene.fleet.engine.server.process
    process.send_signal(signal.SIGSTOP)
    yield scene.longer(scene.fleet.poll + 2)
    process.send_signal(signal.SIGCONT)


def flush(scene: Scene) -> Iterator[float]:
    scene.fleet.engine.server.command("FLUSHALL")
    yield 0.5


def memory_full(scene: Scene) -> Iterator[float]:
    server = scene.fleet.engine.server
    server.command("CONFIG", "SET", "maxmemory", "1kb")
    yield scene.longer(3 * scene.fleet.ttl)
    server.command("CONFIG", "SET", "maxmemory", "0")


def fail_over(scene: Scene) -> Iterator[float]:
    """The standby misses what is written for a while, is promoted, and the other one follows it."""
    engine, fleet = scene.fleet.engine, scene.fleet
    engine.standby.follow(None)
    time.sleep(scene.longer(2 * fleet.ttl + 1))
    lost = engine.commits(engine.server) - engine.commits(engine.standby)
    engine.fail_over()
    scene.window.name += f", {lost} commits"
    yield scene.pick.uniform(0.5, 2)
    engine.rejoin()


def cut_from_engine(scene: Scene) -> Iterator[float]:
    replica = scene.any()
    replica.way.cut()
    yield scene.longer(scene.fleet.poll + 2)
    replica.way.heal()


def deaf_to_engine(scene: Scene) -> Iterator[float]:
    replica = scene.any()
    replica.way.hang()
    yield scene.longer(scene.fleet.poll + 4)
    replica.way.heal()


def cut_from_upstream(scene: Scene) -> Iterator[float]:
    replica, catalogue = scene.any(), scene.fleet.catalogue
    catalogue.cut.add(replica.name)
    yield scene.longer(4 * scene.fleet.ttl)
    catalogue.cut.discard(replica.name)


def hang_at_upstream(scene: Scene) -> Iterator[float]:
    replica, catalogue = scene.any(), scene.fleet.catalogue
    catalogue.hung.add(replica.name)
    yield scene.longer(6)
    catalogue.hung.discard(replica.name)


def damage_blobs(scene: Scene) -> Iterator[float]:
    """All catalogues in the engine become shorter, longer or others, and a replica starts without its disk."""
    engine, replica = scene.fleet.engine, scene.any()
    damage = scene.pick.choice(["truncated", "prolonged", "overwritten", "deleted"])
    scene.window.name += f", {damage}"
    for key in engine.server.command("KEYS", "larder:1:*:blob:*"):
        length = engine.server.command("STRLEN", key)
        engine.server.command(*{
            "truncated": ("SET", key, "larder"), "prolonged": ("APPEND", key, "x" * 4096), "deleted": ("DEL", key),
            "overwritten": ("SETRANGE", key, length // 2, "x" * (length // 2))}[damage])
    scene.kill(replica)
    replica.forget()
    yield 0.2
    replica.start()


def forge_pointers(scene: Scene) -> Iterator[float]:
    """The pointers tell of lengths, counts and times that are none."""
    server = scene.fleet.engine.server
    for key in server.command("KEYS", "larder:1:*:current"):
        server.command("HSET", key, *scene.pick.choice([
            ("bytes", 1 << 60), ("bytes", -1), ("count", "many"), ("sha256", "0" * 64), ("startedAt", "never"),
            ("encoding", "rot13"), ("startedAt", 9_000_000_000_000)]))
    yield scene.longer(scene.fleet.poll)


def end_subscriptions(scene: Scene) -> Iterator[float]:
    scene.fleet.engine.server.command("CLIENT", "KILL", "TYPE", "pubsub")
    yield 0.5


def roll(scene: Scene) -> None:
    for replica in scene.fleet.replicas:
        replica.reload()
        time.sleep(0.5)
        if replica.metrics().get("larder_config_last_reload_successful") == 0:
            raise Failure(f"{replica.name} refuses the config: {replica.process.log.read_text()[-1000:]}")


def roll_ttl(scene: Scene) -> Iterator[float]:
    """The same catalogue under other settings, and back."""
    fleet, usual = scene.fleet, scene.fleet.ttl
    fleet.ttl = usual * 1.5
    roll(scene)
    yield 2 * usual
    fleet.ttl = usual
    roll(scene)


def roll_gate(scene: Scene) -> Iterator[float]:
    """Another gate makes another catalogue: the replicas move to it one by one."""
    scene.fleet.minimum += 1
    roll(scene)
    yield 1


def roll_back(scene: Scene) -> Iterator[float]:
    """Another config and back, while the upstream is away by then: what the first one had is old."""
    fleet = scene.fleet
    fleet.minimum += 1
    roll(scene)
    yield 3 * fleet.ttl
    fleet.minimum -= 1
    fleet.catalogue.is_away = True
    roll(scene)
    yield 2 * fleet.ttl
    fleet.catalogue.is_away = False


def step_clock(scene: Scene) -> Iterator[float]:
    """The clock of a replica steps, and it starts again by it."""
    replica, pick = scene.any(), scene.pick
    offset = pick.choice([-1, 1]) * pick.choice([3, 30, 600, 3600])
    scene.window.name += f", {offset} s"
    replica.clock.step(offset - replica.clock.seconds)
    yield 2 * scene.fleet.ttl
    scene.kill(replica)
    replica.start()
    yield scene.fleet.ttl


def dated_ahead(scene: Scene) -> Iterator[float]:
    """A disk that a clock ahead has dated, which is right when the replica starts again, later than the others."""
    replica, fleet = scene.any(), scene.fleet
    before = replica.clock.seconds
    replica.clock.step(scene.pick.choice([30, 3600]))
    yield 2 * fleet.ttl
    scene.kill(replica)
    replica.clock.step(before - replica.clock.seconds)
    yield 3 * fleet.ttl
    replica.start()
    yield fleet.ttl


def start_without_engine(scene: Scene) -> Iterator[float]:
    """A replica whose clock is ahead starts while the engine is away."""
    replica, server = scene.any(), scene.fleet.engine.server
    server.kill()
    scene.kill(replica)
    replica.clock.step(3600)
    replica.start()
    yield scene.longer(2)
    replica.clock.step(-3600)
    server.start(is_empty=scene.pick.choice([True, False]))


def kill_engine(scene: Scene) -> Iterator[float]:
    server = scene.fleet.engine.server
    server.kill()
    yield scene.longer(3)
    server.start()


def empty_engine(scene: Scene) -> Iterator[float]:
    server = scene.fleet.engine.server
    server.kill()
    yield scene.longer(3)
    server.start(is_empty=True)


def restart_all(scene: Scene) -> Iterator[float]:
    began = time.monotonic()
    for replica in scene.fleet.replicas:
        scene.kill(replica)
    for replica in scene.fleet.replicas:
        replica.start(is_awaited=False)
    ready = [replica.ready(began) for replica in scene.fleet.replicas]
    scene.window.absences.append((began, began + min(ready)))
    yield 0


FAULTS = [
    Fault("kill -9", kill_replica, 1),
    Fault("kill -9 of the one who refreshes", kill_holder, 1),
    Fault("SIGSTOP beyond the lease", pause_replica, 2),
    Fault("SIGSTOP beyond the lease of the one who refreshes", pause_holder, 2),
    Fault("CLIENT PAUSE", client_pause, 4),
    Fault("DEBUG SLEEP", debug_sleep, 4),
    Fault("SIGSTOP of the engine", stop_engine, 4),
    Fault("FLUSHALL", flush, 2),
    Fault("maxmemory", memory_full, 4),
    Fault("failover that loses writes", fail_over, 4),
    Fault("cut from the engine", cut_from_engine, 2),
    Fault("no answer from the engine", deaf_to_engine, 2),
    Fault("cut from the upstream", cut_from_upstream, 2),
    Fault("no answer from the upstream", hang_at_upstream, 2),
    Fault("config roll, ttl", roll_ttl, 1),
    Fault("config roll, gate", roll_gate, 3),
    Fault("config roll, there and back without the upstream", roll_back, 3),
    Fault("clock of a replica steps, kill -9", step_clock, 2),
    Fault("disk dated ahead, kill -9", dated_ahead, 2),
    Fault("start without the engine, by a clock ahead", start_without_engine, 4),
    Fault("kill -9 of the engine, back with its data", kill_engine, 4),
    Fault("kill -9 of the engine, back empty", empty_engine, 4),
    Fault("damaged blobs", damage_blobs, 2),
    Fault("forged pointers", forge_pointers, 4),
    Fault("ended subscriptions", end_subscriptions, 2),
    Fault("kill -9 of all replicas at once", restart_all, 1),
]

class Bag:
    """All faults in random order, again and again."""

    def __init__(self, pick: random.Random, names: list[str]):
        self.pick, self.left = pick, []
        self.faults = [fault for fault in FAULTS if not names or fault.act.__name__ in names]
        if not self.faults:
            raise Failure(f"no such fault; there are {', '.join(fault.act.__name__ for fault in FAULTS)}")

    def next(self) -> Fault:
        if not self.left:
            self.left = self.pick.sample(self.faults, len(self.faults))
        return self.left.pop()

"""Full and read-only disks, clocks that step, too few descriptors, and 64 MB of memory, as the runbook describes them.

Each drill serves under a small load, brings the hardship, takes it away again, and looks whether the service did what
config/prometheus/RUNBOOK.md says. Root, for mounts and control groups. `hardship.py --larder L [DRILL...]`
"""

import json
import os
import re
import socket
import sys
import time
from contextlib import contextmanager
from pathlib import Path

from control_group import control_group
from disks import fill, own_disk, remount
from hurried_service import Service
from load import Load
from programs import Failure, Programs, ask, end, parser, processor_seconds, run, set_fault, status, until
from stepped_clock import SteppedClock

HOUR, DAY = 3600, 86_400
UNSAVED = "products are served but cannot be saved"
SAVED = "store recovered"
UNWRITTEN = "the order about the pin is in force but cannot be written"
WRITTEN = "the order about the pin is written"


@contextmanager
def loaded(programs: Programs, service: Service, rate: int = 100):
    """No request may fail in the block, and the service must stop in order after it."""
    load = Load(programs, service.port, rate)
    yield
    result = load.stop()
    print(f"  {result}")
    if result["failed"]:
        raise Failure(f"{result['failed']} requests failed:\n{load.failures()}")
    if code := end(service.process):
        raise Failure(f"exit code {code}")


def full_disk(programs: Programs, larder: Path) -> None:
    """Products are served and not saved, with one warning; all is saved again once there is room."""
    data = programs.folder / "disk"
    service = Service(programs, larder, own_disk(data), data=data)
    with loaded(programs, service):
        until(lambda: service.generations() == 1, "the catalogue is stored")
        filler = fill(service.process, data)
        service.until_it_says(UNSAVED)
        time.sleep(3)
        if service.generations() != 1 or service.says(UNSAVED) != 1:
            raise Failure("the stored catalogue is gone, or the warning was repeated")
        order(service, "/pin?generation=1", written=False)
        expect_pinned(service, True)
        filler.unlink()
        service.until_it_says(SAVED)
        service.until_it_says(WRITTEN)
        order(service, "/unpin?confirm=1")
        expect_pinned(service, False)


def read_only_disk(programs: Programs, larder: Path) -> None:
    """Products are served and not saved, as on a full disk."""
    data = programs.folder / "disk"
    service = Service(programs, larder, own_disk(data), data=data)
    with loaded(programs, service):
        until(lambda: service.generations() == 1, "the catalogue is stored")
        remount(service.process, data, "ro")
        service.until_it_says(UNSAVED)
        time.sleep(3)
        if service.says(UNSAVED) != 1:
            raise Failure("the warning was repeated")
        order(service, "/pin?generation=1", written=False)
        expect_pinned(service, True)
        order(service, "/unpin?confirm=1")
        expect_pinned(service, False)
        order(service, "/pin?generation=1", written=False)
        remount(service.process, data, "rw")
        service.until_it_says(SAVED)
        service.until_it_says(WRITTEN)
        order(service, "/unpin?confirm=1")
        remount(service.process, data, "ro")
        expect_pinned(service, False)
        remount(service.process, data, "rw")


def order(service: Service, target: str, written: bool | None = None) -> None:
    """Gives an order about the pin, which is in force at once, whether or not it can be written."""
    code, _, body = ask(service.admin, target, "POST", headers={"Authorization": "Bearer drill"})
    answer = json.loads(body)
    if code != 200 or not answer["inForce"] or (written is not None and answer["written"] != written):
        raise Failure(f"{target}: {code} {answer}")


def expect_pinned(service: Service, is_pinned: bool) -> None:
    seen = "detail=pinned" in service.headers()["cache-status"]
    if seen != is_pinned:
        raise Failure(f"pinned is {seen}: {service.headers()['cache-status']}")


def clock_steps(programs: Programs, larder: Path) -> None:
    """Back an hour and forward a day: no request fails, Age is never negative, the upstream goes on being asked."""
    clock = SteppedClock(programs.folder)
    service = Service(programs, larder, environment=clock.environment())
    with loaded(programs, service):
        for what, seconds in (("back an hour", -HOUR), ("forward a day", DAY)):
            clock.step(seconds)
            asked = set_fault(service.upstream, "none")["requests"]
            until(lambda: set_fault(service.upstream, "none")["requests"] >= asked + 2, "the upstream is asked again")
            expect_age(service, 0, 3, what)
        set_fault(service.upstream, "down")
        service.until_it_says("upstream fails")
        before = shown(service, "age")
        clock.step(DAY)
        until(lambda: "offline" in service.headers()["cache-status"], "answers say that the upstream is away")
        expect_age(service, DAY, DAY + 100, "forward a day, the upstream away")
        clock.step(-DAY - HOUR)
        expect_age(service, before, before + 60, "back a day and an hour, the upstream away")
        set_fault(service.upstream, "none")
        service.until_it_says("upstream recovered")


def shown(service: Service, name: str) -> int:
    return int(re.findall(rf"{name}=(-?\d+)", service.headers()["cache-status"])[-1])


def expect_age(service: Service, least: int, most: int, what: str) -> None:
    # A clock that was ahead of the upstream's is told from a cache after four seconds.
    until(lambda: shown(service, "age") <= most, f"the age is {most} at most after the clock went {what}")
    age, left = shown(service, "age"), shown(service, "ttl")
    print(f"  {what}: age {age}, ttl {left}")
    if not least <= age <= most:
        raise Failure(f"age {age} after the clock went {what}")
    if int(left) > 1:
        raise Failure(f"ttl {left} of 1 after the clock went {what}")


def descriptors(programs: Programs, larder: Path) -> None:
    """New connections are served in the place of idle ones, as open ones are, and nothing spins."""
    service = Service(programs, larder, ["prlimit", "--nofile=96:96"])
    idle = crowd(service.port, 200)
    service.until_it_says("no connection can be accepted")
    [kept] = crowd(service.port, 1)
    start, used = time.monotonic(), processor_seconds(service.process.pid)
    for _ in range(20):
        kept.sendall(b"GET /products HTTP/1.1\r\nHost: x\r\n\r\n")
        if not answer(kept).startswith(b"HTTP/1.1 200 "):
            raise Failure("an open connection is not served")
        if status(service.port, "/livez") != 200:
            raise Failure("a new connection is not served")
        time.sleep(0.1)
    busy = (processor_seconds(service.process.pid) - used) / (time.monotonic() - start)
    lines = service.says("no connection can be accepted")
    print(f"  {busy:.0%} of a core while descriptors are short; {lines} lines in the log")
    if busy > 0.2:
        raise Failure("it spins")
    if lines > len(os.sched_getaffinity(0)):
        raise Failure("the log repeats itself")
    for one in (*idle, kept):
        one.close()
    until(lambda: status(service.port, "/readyz") == 200, "new connections are served again")
    with loaded(programs, service):
        service.until_it_says("connections are accepted again")


def crowd(port: int, count: int) -> list[socket.socket]:
    """Connections that say nothing."""
    return [socket.create_connection(("127.0.0.1", port), 5) for _ in range(count)]


def answer(connection: socket.socket) -> bytes:
    """A whole answer."""
    received = b""
    while b"\r\n\r\n" not in received:
        received += connection.recv(65536) or stop()
    head, _, body = received.partition(b"\r\n\r\n")
    length = int(head.lower().partition(b"content-length:")[2].split()[0])
    while len(body) < length:
        body += connection.recv(65536) or stop()
    return head


def stop() -> bytes:
    raise Failure("an open connection was closed")


def memory_limit(programs: Programs, larder: Path) -> None:
    """10,000 products, refreshed each second, within 64 MB that the kernel enforces."""
    catalogue = programs.folder / "catalogue.json"
    catalogue.write_text(json.dumps([
        {"type": "physical", "id": f"p-{number}", "name": f"Preserve of the {number}th batch", "sales": number % 251,
         "price": {"amount": number % 9000 / 100, "currency": "EUR"}, "weight": number % 500,
         "description": "What was ripe on that day, with sugar and the juice of a lemon, in a glass with a lid." * 2}
        for number in range(10_000)]))
    upstream = programs.start_upstream(larder, "--catalogue", catalogue)
    with control_group(64 << 20) as group:
        service = Service(programs, larder, group.wrapper(), upstream=upstream)
        with loaded(programs, service, rate=20):
            for mode in ("none", "down", "none", "shrink", "none"):
                set_fault(upstream, mode)
                time.sleep(4)
        print(f"  {catalogue.stat().st_size / 1e6:.1f} MB of JSON; at most {group.peak() / 1e6:.1f} MB used, "
              f"page cache included")


DRILLS = {"full-disk": full_disk, "read-only-disk": read_only_disk, "clock-steps": clock_steps,
          "descriptors": descriptors, "memory-limit": memory_limit}


def main() -> int:
    arguments = parser(__doc__)
    arguments.add_argument("drills", nargs="*", choices=[[], *DRILLS], help="default: all")
    options = arguments.parse_args()
    return max(run(name, lambda programs: drill(programs, options.larder, name)) for name in options.drills or DRILLS)


def drill(programs: Programs, larder: Path, name: str) -> None:
    print(f"{name}: {DRILLS[name].__doc__.splitlines()[0]}", flush=True)
    DRILLS[name](programs, larder)


if __name__ == "__main__":
    sys.exit(main())

"""Three replicas that share a catalogue by Redis, behind HAProxy, under load, while faults come and go.

Redis has TLS and users, the upstream counts its visitors. The parts are `faults` (the long one), `propagation`,
`orders`, `cold`, `rest` and `away`; `--self-check` feeds the checks bad records. Logs are kept where a check fails.
"""

import os
import random
import shutil
import signal
import sys
import time
from pathlib import Path

sys.path.append(str(Path(__file__).resolve().parent.parent))

from checks import Record, figures, judge, read, report, table
from faults import Bag
from measures import PARTS
from picture import draw
from programs import REPOSITORY, Failure, Programs, end, parser, run
from replicas import Fleet
from scenes import Fault, Scene, Window
from self_check import self_check

KEPT = REPOSITORY / ".build" / "drill-fleet-logs"
TRAFFIC = Path(__file__).resolve().parent / "traffic.py"
LAG = 1.0
"""Seconds that an answer through the proxy may be behind without a fault."""


def main() -> int:
    if "--self-check" in sys.argv:
        self_check()
        return 0
    arguments = parser(__doc__)
    arguments.add_argument("--minutes", type=float, default=20, help="of faults")
    arguments.add_argument("--parts", type=lambda text: text.replace(",", " ").split(), default=["faults", *PARTS])
    arguments.add_argument("--only", type=lambda text: text.replace(",", " ").split(), default=[],
                           help="faults by the names of their functions, such as pause_holder")
    arguments.add_argument("--seed", type=int, default=None)
    arguments.add_argument("--rate", type=int, default=500, help="requests a second")
    arguments.add_argument("--products", type=int, default=2000, help="of the faults; the other parts have 10,000")
    arguments.add_argument("--changes", type=int, default=60, help="of the catalogue, whose propagation is measured")
    arguments.add_argument("--ttl", type=float, default=2, help="seconds between two refreshes")
    arguments.add_argument("--lease", type=float, default=6)
    arguments.add_argument("--poll", type=float, default=2)
    arguments.add_argument("--skew", type=int, default=90, help="seconds by which the clocks of replicas differ")
    arguments.add_argument("--redis", default="redis-server", help="the engine: another version, or Valkey")
    arguments.add_argument("--plain", action="store_true", help="without TLS, for an engine that has none")
    arguments.add_argument("--svg", type=Path, default=REPOSITORY / ".build" / "drill-fleet.svg")
    arguments.add_argument("--stand-in", action="store_true",
                           help="replicas without a shared store, to try the drill itself; its checks fail then")
    options = arguments.parse_args()
    options.seed = options.seed if options.seed is not None else int.from_bytes(os.urandom(3))
    works = {"faults": faults} | PARTS
    if unknown := set(options.parts) - set(works):
        sys.exit(f"no such part: {', '.join(unknown)}; there are {', '.join(works)}")
    shutil.rmtree(KEPT, ignore_errors=True)
    codes = [run(f"drill-fleet {part}", lambda programs, part=part: kept(programs, part, works[part], options))
             for part in options.parts]
    for part, code in zip(options.parts, codes, strict=True):
        print(f"{'FAIL' if code else 'PASS'}  part {part}")
    return max(codes)


def kept(programs: Programs, part: str, work, options) -> bool:
    """Does a part; keeps the logs and configs where it fails."""
    print(f"\n== {part} ==", flush=True)
    is_good = False
    try:
        is_good = work(programs, options)
    finally:
        if not is_good:
            shutil.copytree(programs.folder, KEPT / part, dirs_exist_ok=True,
                            ignore=shutil.ignore_patterns("*.key", "*.socket*", "appendonlydir", "*-disk"))
            print(f"logs are kept in {KEPT / part}", flush=True)
    return is_good


def faults(programs: Programs, options) -> bool:
    print(f"seed {options.seed}")
    pick = random.Random(options.seed)
    fleet = Fleet(programs, options, options.products, has_standby=True).start()
    fleet.start_proxy()
    rows = programs.folder / "traffic.txt"
    traffic = programs.start("traffic", [
        sys.executable, "-B", TRAFFIC, "--front", fleet.port, "--rate", options.rate, "--products", options.products,
        "--replicas", ",".join(str(replica.http) for replica in fleet.replicas), "--out", rows])
    began, counters = time.monotonic(), Counters(fleet)
    windows: list[Window] = []
    record = Record(began, [], [], fleet.catalogue.refreshes, windows, [one.starts for one in fleet.replicas],
                    fleet.ttl, fleet.bound)

    # Another thread's numbers, so that the order of the faults is that of the seed.
    steps = random.Random(options.seed + 1)

    def moving() -> None:
        fleet.catalogue.move(lambda: steps.uniform(0.4, 2) * options.ttl)

    moving()
    time.sleep(5 * fleet.ttl)
    bag, broken = Bag(pick, options.only), []
    try:
        while time.monotonic() < began + options.minutes * 60:
            suffer(fleet, bag.next(), pick, record)
            counters.read()
            if traffic.poll() is not None:
                raise Failure(f"the clients ended: {traffic.log.read_text()[-2000:]}")
            moving()
            time.sleep(pick.uniform(2, 4) * fleet.ttl)
    except (Failure, OSError) as failure:
        # What was seen so far is judged all the same.
        broken.append(f"{record.when(time.monotonic())}: {failure}")
        print(broken[0], flush=True)
    fleet.catalogue.rest()
    # No refresh is half done when it is counted.
    time.sleep(fleet.ttl)
    record.ended = time.monotonic()
    traffic.send_signal(signal.SIGTERM)
    traffic.wait(30)
    codes = {replica.name: end(replica.process) for replica in fleet.replicas}
    record.requests, record.sights = read(rows)
    record.refreshes = [one for one in record.refreshes if one.began >= began]
    options.svg.parent.mkdir(exist_ok=True)
    options.svg.write_text(draw(record, fleet.catalogue.changes))
    for window in windows:
        window.until = min(window.until, record.ended)
        window.healed = min(window.healed, record.ended)
    print("\n".join([*table(record), *figures(record), *counters.lines(), f"plotted in {options.svg}"]))
    verdict = {"all faults could be done": broken} | judge(record, LAG)
    verdict["replicas end in order"] = [f"{name}: {code}" for name, code in codes.items() if code]
    verdict["replicas never end by themselves"] = crashes(fleet)
    return report(verdict)


def suffer(fleet: Fleet, fault: Fault, pick: random.Random, record: Record) -> None:
    """One fault, its heal, and the time until all agree on the upstream's last version."""
    window = Window(fault.name, fault.refreshes, time.monotonic())
    record.windows.append(window)
    for seconds in fault.act(Scene(fleet, pick, window)):
        time.sleep(seconds)
    newest = fleet.catalogue.rest()
    window.healed, window.newest = time.monotonic(), newest
    took, window.served = fleet.agree(newest, fleet.bound)
    window.until = time.monotonic()
    window.agreed = None if took is None else window.until
    end = f"agreed on {newest} after {took:.2f} s" if took is not None else (
        f"NO AGREEMENT on {newest} within {fleet.bound:.1f} s: {window.served}")
    print(f"{window.began - record.began:7.1f} s  {window.name}, {window.healed - window.began:.1f} s; {end}",
          flush=True)


class Counters:
    """What the replicas count, over their restarts too."""

    def __init__(self, fleet: Fleet):
        self.fleet, self.last, self.sums = fleet, {}, {}
        self.read()
        self.sums.clear()

    def read(self) -> None:
        for replica in self.fleet.replicas:
            for name, value in replica.metrics().items():
                before = self.last.get((replica.name, name), 0)
                if "_total" in name:
                    self.sums[name] = self.sums.get(name, 0) + value - (before if value >= before else 0)
                self.last[replica.name, name] = value

    def lines(self) -> list[str]:
        """The sums of all replicas, and what each says in the end."""
        gauges = [f"  {value:10.3f} {name} {replica}" for (replica, name), value in sorted(self.last.items())
                  if "_total" not in name and "_bucket" not in name]
        return [*(f"  {value:10.0f} {name}" for name, value in sorted(self.sums.items()) if value), *gauges]


def crashes(fleet: Fleet) -> list[str]:
    """Complaints of the runtime in the logs of the replicas."""
    return [f"{path.stem}: {line[:300]}" for path in sorted(fleet.programs.folder.glob("replica-*.log"))
            for line in path.read_text(errors="replace").splitlines()
            if "Fatal error" in line or "crashed" in line.lower() or "Sanitizer" in line]


if __name__ == "__main__":
    sys.exit(main())

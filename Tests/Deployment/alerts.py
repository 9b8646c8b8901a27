"""The alerts of config/prometheus, provoked: a real Prometheus, real services, and for each a real cause. Left out are the
one that takes a day, and those of a fleet, which `rules_test.yaml` alone has.

First all are well, and no alert may fire; then each instance gets a cause of its own, and the alerts that belong to it
must fire for it, and no other for an instance that has no cause for it. So that this takes minutes, the times of the
rules are divided (`for`, ranges, offsets), with scrapes each second; thresholds stay as they are. The instance whose
catalogue expires may serve it for 22 seconds. Root, for a disk that is full.
"""

import os
import sys
import time
from pathlib import Path

from causes import CAUSES
from hurried_rules import HurriedRules
from programs import Failure, Programs, parser, run, until
from prometheus import Prometheus

EVERYWHERE = "all of them"
"""In place of an instance, for alerts that are about all together."""
ELSEWHERE = frozenset({
    "LarderPinned", "LarderSharedStoreAway", "LarderSharedStoreLost", "LarderSharedStoreDamaged", "LarderSharedStoreStale",
    "LarderCommitsFenced", "LarderReplicaLags", "LarderClocksDisagree", "LarderTrouble"})
"""Alerts without a cause here."""


def main() -> int:
    arguments = parser(__doc__)
    arguments.add_argument("--divisor", type=int, default=30, help="by which the rules' times are divided")
    options = arguments.parse_args()
    return run("alerts", lambda programs: drill(programs, options.larder, HurriedRules(options.divisor, ELSEWHERE)))


def drill(programs: Programs, larder: Path, rules: HurriedRules) -> None:
    if os.geteuid() != 0:
        raise Failure("LarderStoreFailing and LarderAnalyticsDropping need a full disk, and that needs root")
    if missing := rules.names ^ {alert for cause in CAUSES for alert in cause.alerts}:
        raise Failure(f"no alert, or no cause: {', '.join(sorted(missing))}")
    path = programs.folder / "alerts.yaml"
    path.write_text(rules.text)
    instances = {cause.name: cause.instance(programs, larder) for cause in CAUSES}
    prometheus = Prometheus(programs, {name: instance.admin for name, instance in instances.items()}, path)
    stay_calm(prometheus, rules.longest + 5, len(instances))
    start = time.monotonic()
    for cause in CAUSES:
        cause.bring(instances[cause.name])
    watch(prometheus, start, 3 * rules.longest)


def stay_calm(prometheus: Prometheus, seconds: float, instances: int) -> None:
    """Nothing fires for so long that everything could have."""
    until(lambda: prometheus.value("count(up == 1)") == instances, "every instance is scraped", patience=60)
    until(lambda: not firing(prometheus), "no Larder is unknown any more")
    start = time.monotonic()
    while time.monotonic() - start < seconds:
        if fired := firing(prometheus):
            raise Failure(f"in calm {told(fired)}")
        time.sleep(0.5)
    if broken := prometheus.broken_rules():
        raise Failure(f"rules that cannot be evaluated: {', '.join(broken)}")
    print(f"calm: {instances} instances, no alert in {seconds:.0f} s", flush=True)


def watch(prometheus: Prometheus, start: float, patience: float) -> None:
    """Until all have fired that must, with the seconds since the causes came."""
    must = {(alert, cause.name) for cause in CAUSES for alert in cause.alerts}
    may = must | {(alert, cause.name) for cause in CAUSES for alert in cause.also}
    seen = set()
    while left := {(alert, name) for alert, name in must if not {(alert, name), (alert, EVERYWHERE)} & seen}:
        if time.monotonic() - start > patience:
            raise Failure(f"in {patience:.0f} s it was not so that {told(left)}")
        for alert, name in sorted(firing(prometheus) - seen):
            seen.add((alert, name))
            print(f"  {time.monotonic() - start:3.0f} s: {told({(alert, name)})}", flush=True)
        time.sleep(0.5)
    if stray := {pair for pair in seen - may if pair[1] != EVERYWHERE}:
        raise Failure(f"without a cause {told(stray)}")
    print(f"all {len({alert for alert, _ in must})} alerts fired, each for its cause")


def firing(prometheus: Prometheus) -> set[tuple[str, str]]:
    """The alerts that fire, each with its instance."""
    return {(labels["alertname"], labels.get("instance", EVERYWHERE)) for labels in prometheus.firing()}


def told(fired: set[tuple[str, str]]) -> str:
    return ", ".join(f"{alert} fires for {name}" for alert, name in sorted(fired))


if __name__ == "__main__":
    sys.exit(main())

"""Feeds each check of the drill one bad record, and all of them a good one."""

from dataclasses import replace

from catalogue import Refresh
from checks import Record, Request, Sight, agreement, backwards, behind, failed, refreshes, torn
from scenes import Window
from measures import histogram, quantile
from picture import draw
from programs import Failure


def good() -> Record:
    """Half a minute of three replicas, with a fault from 10 to 12 s."""
    def version(at: float) -> int:
        return int((at + 1.5) // 2)

    times = [number / 10 for number in range(5, 300)]
    window = Window("fault", 2, 10, healed=12, agreed=13, until=13, kills=[10])
    return Record(
        began=0, ended=30, ttl=2, bound=5, windows=[window], starts=[[-1], [-1], [-1, 12]],
        requests=[Request("one", at, 200, 900, version(at), "replica-1") for at in times],
        sights=[Sight(replica, at, 200, 500, version(at)) for at in times for replica in range(3)],
        refreshes=[Refresh(at, at + 0.1, "replica-1", version(at)) for at in range(1, 30, 2)])


def self_check() -> None:
    def with_request(*added: Request) -> Record:
        return replace(good(), requests=[*good().requests, *added])

    def with_sight(*added: Sight) -> Record:
        return replace(good(), sights=[*good().sights, *added])

    def with_refresh(*times: float) -> Record:
        return replace(good(), refreshes=[*good().refreshes, *(Refresh(at, None, "replica-2", 9) for at in times)])

    expected = [
        (failed, with_request(Request("one", 5, 503, 100, -1, "-")), 1),
        (failed, with_request(Request("one", 5, 0, 100, -1, "-")), 1),
        (failed, with_request(Request("whole", 20, -1, 100, -1, "-")), 1),
        (failed, with_request(Request("whole", 9.99, -1, 90_000, -1, "-")), 0),
        (failed, with_request(Request("one", 9.99, 0, 90_000, -1, "-")), 1),
        (torn, with_request(Request("whole", 5, 200, 100, -2, "replica-1")), 1),
        (torn, with_sight(Sight(0, 5, 200, 100, -1)), 1),
        (torn, with_sight(Sight(0, 5, 0, 100, -1)), 0),
        (backwards, with_sight(Sight(1, 8.55, 200, 100, 3)), 1),
        (backwards, with_sight(Sight(2, 12.05, 200, 100, 3)), 1),
        (lambda record: behind(record, 1), with_request(Request("one", 9.4, 200, 100, 3, "replica-1")), 1),
        (lambda record: behind(record, 1), with_request(Request("one", 8.9, 200, 100, 4, "replica-1")), 0),
        (lambda record: behind(record, 1), with_request(Request("one", 12.5, 200, 100, 3, "replica-1")), 0),
        (refreshes, with_refresh(5.5), 2),
        (refreshes, with_refresh(11.5), 0),
        (refreshes, with_refresh(11.4, 11.5), 1),
        (agreement, replace(good(), windows=[
            Window("fault", 2, 10, healed=12, until=17, newest=7, served=[7, 6, 7])]), 1),
    ]
    for check in (failed, torn, backwards, lambda record: behind(record, 1), refreshes, agreement):
        if problems := check(good()):
            raise Failure(f"a good record does not pass: {problems}")
    for number, (check, record, count) in enumerate(expected):
        problems = check(record)
        if len(problems) != count:
            raise Failure(f"case {number} has {len(problems)} problems, expected {count}: {problems}")
        for problem in problems:
            print(f"found: {problem}")
    bucket = 'larder_shared_propagation_seconds_bucket{store="shared",le="%s"}'
    grown = histogram([{bucket % "0.1": 5}], [{bucket % "0.1": 15, bucket % "0.25": 20, bucket % "+Inf": 20}])
    if [quantile(grown, part) for part in (.5, .99)] != ["<= 0.1 s", "<= 0.25 s"]:
        raise Failure(f"{grown} are not those shares")
    if draw(good(), [(0, 1), (4, 3)]).count("<polyline") != 9:
        raise Failure("the picture lacks lines")
    print(f"{len(expected)} cases are judged as they should be")

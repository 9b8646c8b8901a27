"""Kills the service at any moment, again and again, while it saves and, with `--pins`, while pins change.

After each kill another one starts from the same disk, with its upstream away: it must serve a whole catalogue, never an
older one than before, and the pin that was acknowledged last, or the one that was under way.

Before that it is told to stop again and again while it saves: each time it must exit with 0, and `stopped` be its last line.
"""

import json
import random
import sys
import threading
import time
from contextlib import suppress
from dataclasses import dataclass, field
from http.client import HTTPException
from pathlib import Path

from programs import Failure, Programs, ask, log_lines, parser, run
from revisions import Revisions, Shop

PRODUCTS = 2000


@dataclass
class Pins:
    """The orders that a service was given, and the state that each of them leads to."""

    acknowledged: int | None = None
    under_way: list = field(default_factory=list)
    orders: int = 0

    def allow(self, pinned: int | None) -> bool:
        return pinned == self.acknowledged or pinned in self.under_way

    def order(self, admin: int, pick: random.Random) -> None:
        """Pins or unpins; what fails may have happened or not."""
        if pick.random() < 0.3:
            wanted, target = None, "/unpin?confirm=1"
        else:
            kept = json.loads(ask(admin, "/history")[2])["generations"]
            if not kept:
                return
            wanted = pick.choice(kept)["generation"]
            target = f"/pin?generation={wanted}"
        self.under_way.append(wanted)
        answer = ask(admin, target, "POST")
        if answer[0] == 200:
            self.acknowledged = wanted
            self.orders += 1
        elif answer[0] != 404:
            raise Failure(f"{target}: {answer[0]} {answer[2][:300]}")
        self.under_way.clear()


def main() -> int:
    arguments = parser(__doc__)
    arguments.add_argument("--rounds", type=int, default=200)
    arguments.add_argument("--terms", type=int, default=500)
    arguments.add_argument("--pins", action="store_true")
    arguments.add_argument("--seed", type=int, default=1)
    options = arguments.parse_args()
    return run("kills", lambda programs: (terms(programs, options), drill(programs, options)))


def terms(programs: Programs, options) -> None:
    """Stops a service at any moment while saves run as fast as they can."""
    # One product more, for a disk of its own.
    pick, upstream = random.Random(options.seed), Revisions(PRODUCTS + 1, kept=0)
    upstream.is_moving = True
    for number in range(options.terms):
        shop = Shop.start(programs, options.larder, upstream, ttl="10ms")
        work(shop, None, pick, shop.service.terminate)
        last = log_lines(shop.service.log)[-1]["message"]
        if shop.service.returncode != 0 or last != "stopped":
            raise Failure(f"stop {number}: exit code {shop.service.returncode} after \"{last}\"")
    upstream.leave()
    if options.terms:
        print(f"{options.terms} stops while saving, {upstream.number} revisions: exit code 0 each time")


def drill(programs: Programs, options) -> None:
    if not options.rounds:
        return
    pick, upstream, pins, newest = random.Random(options.seed), Revisions(PRODUCTS, kept=0), Pins(), 0
    upstream.is_moving = True
    shop = Shop.start(programs, options.larder, upstream, ttl="20ms")
    starts = []
    for _ in range(options.rounds):
        work(shop, pins if options.pins else None, pick)
        upstream.is_away = True
        shop = Shop.start(programs, options.larder, upstream, ttl="20ms")
        starts.append(shop.seconds)
        newest = check(shop, programs.folder, pins if options.pins else None, newest)
        upstream.is_away = False
    shop.service.kill()
    shop.service.wait()
    if newest < options.rounds / 4:
        raise Failure(f"only {newest} of {upstream.number} revisions reached the disk, so little was seen")
    print(f"{options.rounds} kills, {upstream.number} revisions, generation days up to {newest}, {pins.orders} orders; "
          f"slowest start from the disk {max(starts):.2f} s: nothing lost")


def work(shop: Shop, pins: Pins | None, pick: random.Random, kill=None) -> None:
    """Asks and orders until the service is killed, at any moment within a quarter of a second."""
    end = threading.Timer(pick.uniform(0.005, 0.25), kill or shop.service.kill)
    end.start()
    with suppress(OSError, HTTPException):
        while True:
            ask(shop.http, "/products?limit=1")
            if pins:
                pins.order(shop.admin, pick)
            time.sleep(0.005)
    end.join()
    shop.service.wait()


def check(shop: Shop, folder: Path, pins: Pins | None, newest: int) -> int:
    """Gives the day of the newest catalogue on the disk, which is the one that is served unless another is pinned."""
    damaged = list(folder.glob("data-*/catalogue/*.corrupt"))
    if damaged:
        raise Failure(f"damaged by a kill: {damaged}")
    products = json.loads(ask(shop.http, "/products")[2])["products"]
    days = {product["description"].split(",")[0] for product in products}
    if len(products) != PRODUCTS or len(days) != 1:
        raise Failure(f"{len(products)} products of {len(days)} days are served")
    day = int(days.pop().removeprefix("Ripe on day "))
    if pins:
        pin = json.loads(ask(shop.admin, "/history")[2])["pin"]
        if not pins.allow(pin and pin["generation"]):
            raise Failure(f"pinned is {pin}, acknowledged {pins.acknowledged}, under way {pins.under_way}")
        pins.acknowledged, pins.under_way = pin and pin["generation"], []
        if pin:
            return newest
    if day < newest:
        raise Failure(f"day {day} is served after day {newest}")
    return day


if __name__ == "__main__":
    sys.exit(main())

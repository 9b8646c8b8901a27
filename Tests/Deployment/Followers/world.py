"""The service of a drill of followers: its upstream, whose versions are kept for comparison, and its followers."""

import json
import random
import time
from pathlib import Path

from browser import Browser
from engine import Engine
from examples import Follower, Page, Search, Till

from programs import Failure, Programs, ask, until
from revisions import CONFIG, Revisions, Shop


PAGES: dict[str, type[Page]] = {"node": Page, "browser": Browser}


class Shelf(Revisions):
    """A catalogue of which a part changes. The price of the product `stamp` is the number of its version.

    Some prices go to and fro: changes from one revision to the next but one do not name them.
    """

    def __init__(self, count: int):
        self.chance = random.Random(7)
        self.goods = {f"p-{number}": number % 90 + 1 for number in range(count)}
        self.published: dict[int, dict[str, float]] = {}
        super().__init__(count)

    def body(self, number: int) -> bytes:
        flips = {f"flip-{flip}": number % 2 + 1 for flip in range(20)}
        prices = self.published[number] = {"stamp": number} | flips | self.goods
        return ("[" + ",".join(
            f'{{"type":"physical","id":"{identifier}","name":"Preserve {identifier}, ripe on its day","weight":250,'
            f'"price":{{"amount":{price},"currency":"EUR"}}}}' for identifier, price in prices.items()) + "]").encode()

    def turn(self, removed: int = 5) -> None:
        """Removes some products, adds as many, and changes twenty prices."""
        for identifier in self.chance.sample(sorted(self.goods), removed):
            del self.goods[identifier]
        for number in range(removed):
            self.goods[f"n-{self.number}-{number}"] = 7
        for identifier in self.chance.sample(sorted(self.goods), 20):
            self.goods[identifier] = self.chance.randrange(1, 9000) / 100
        self.change()


class World:
    """The service behind its proxy, and the followers."""

    def __init__(self, programs: Programs, larder: Path, products: int, pages: list[str]):
        self.programs, self.larder, self.upstream = programs, larder, Shelf(products)
        self.revisions: dict[str, int] = {}
        """The version of each revision that a follower had."""
        self.chance = random.Random(11)
        self.start()
        self.engine = Engine(lambda _, documents: self.compare("the new index", documents))
        self.till = Till(programs, "till", self.shop.http, self.compare)
        self.search = Search(programs, "search", self.shop.http, self.compare, self.engine)
        self.followers: list[Follower] = [self.till, self.search]
        self.pages = [PAGES[name](programs, name, self.shop.http, self.compare) for name in pages]
        self.followers += self.pages

    def start(self) -> None:
        config = (CONFIG.replace('"{data}/catalogue"', '"{data}/catalogue", keep: 40')
                  .replace("http: {{", 'http: {{ cors: {{ allow_origins: ["*"] }},'))
        self.shop = Shop.start(self.programs, self.larder, self.upstream, ttl="300ms", config=config)

    def restart(self, between=lambda: None) -> None:
        """Kills the service, and starts it after a while in which the proxy answers 502 and then refuses."""
        self.switch("502")
        self.shop.service.kill()
        self.shop.service.wait()
        between()
        time.sleep(1)
        self.switch("gone")
        self.start()
        for follower in self.followers:
            follower.proxy.target = self.shop.http
        time.sleep(0.5)
        self.switch("pass")

    def switch(self, mode: str) -> None:
        for follower in self.followers:
            follower.proxy.switch(mode)

    def cut(self, answers: int) -> None:
        for follower in self.followers:
            follower.proxy.cuts = answers

    def asked(self, began: float, word: str) -> dict[str, list[str]]:
        """The requests of each follower since then that have this word."""
        return {follower.name: follower.proxy.since(began, word) for follower in self.followers}

    def compare(self, name: str, products: dict[str, dict], without: frozenset = frozenset()) -> int:
        """The version that these products are, all of them."""
        prices = {identifier: product["price"]["amount"] for identifier, product in products.items()}
        whole = self.upstream.published.get(prices.get("stamp"), {})
        expected = {identifier: price for identifier, price in whole.items() if identifier not in without}
        if prices != expected or not prices:
            wrong = sorted(prices.items() ^ expected.items())
            raise Failure(f"{name} has {len(prices)} products, and {len(wrong)} wrong ones: {wrong[:6]}")
        return prices["stamp"]

    def check(self, follower: Follower) -> None:
        """What a follower has is one revision, whole."""
        if (kept := follower.read()) is None:
            return
        version = self.compare(follower.name, kept[1])
        if self.revisions.setdefault(kept[0], version) != version:
            raise Failure(f"{follower.name} has version {version} as revision {kept[0]}")

    def settle(self, version: int | None = None, without: frozenset = frozenset(), patience: float = 20) -> float:
        """Waits until each follower has what the service serves: this version, or the newest."""
        behind: dict[str, str] = {}

        def is_settled() -> bool:
            behind.clear()
            status, head, body = ask(self.shop.http, "/products")
            whole = {product["id"]: product for product in json.loads(body)["products"]}
            if whole["stamp"]["price"]["amount"] != (version or self.upstream.number):
                behind["service"] = str(whole["stamp"])
            for follower in self.followers:
                if follower.process.poll() is not None:
                    raise Failure(f"{follower.name} ended\n{follower.log[-3000:]}")
                kept = follower.read()
                left_out = without if follower is self.search else frozenset()
                expected = {identifier: product for identifier, product in whole.items() if identifier not in left_out}
                said = follower.said()
                if kept != (head["etag"][1:33], expected) or (said.get("revision"), said.get("products")) != (
                        head["etag"][1:33], len(whole)):
                    behind[follower.name] = f"{kept and kept[0]} {said}\n{follower.log[-1500:]}"
            return not behind

        try:
            seconds = until(is_settled, "all have the catalogue", patience=patience, pause=0.05)
        except Failure as failure:
            raise Failure(f"{failure}; not {behind}") from failure
        if self.engine.complaints:
            raise Failure(f"against the bulk protocol: {self.engine.complaints}")
        return seconds

    def until_said(self, what: str, is_so) -> None:
        until(lambda: all(is_so(follower.said()) for follower in self.followers), f"all say {what}")

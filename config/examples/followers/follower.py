"""The part that followers share: reads a Larder's catalogue once, and then the changes from revision to revision.

A copy keeps its products and its state in one step, so a follower that is killed goes on from there. A pin leads to an
older revision; it is a change like any other.
"""

import argparse
import gzip
import http.client
import json
import random
import re
import sys
import time
import urllib.error
import urllib.request
import zlib
from contextlib import suppress
from dataclasses import dataclass
from email.message import Message
from email.utils import parsedate_to_datetime
from typing import Protocol

TAG = re.compile(r'"(?:[0-9a-f]{32}-)?([0-9a-f]{32})-([^"]*?)(?:-gzip)?"')


class Trouble(Exception):
    """A reason to try again, after the time for which the server wants to be left alone."""

    def __init__(self, reason: str, wait: float = 0):
        super().__init__(reason)
        self.wait = wait


class Mismatch(Trouble):
    """Changes that do not fit the copy, which is then replaced."""


@dataclass
class State:
    """What a copy keeps beside the products."""

    revision: str
    form: str
    """The rest of the `ETag`, which changes when Larder writes the same catalogue differently."""
    count: int
    confirmed: float
    """When the source last confirmed the catalogue, by this machine's clock; 0 if unknown."""
    pinned: bool

    @property
    def age(self) -> float | None:
        """Seconds; none if unknown, as after the clock was set back."""
        age = time.time() - self.confirmed
        return age if self.confirmed and age >= 0 else None


class Copy(Protocol):
    """A place for the products."""

    def state(self) -> State | None: ...
    def replace(self, products: list[dict], state: State) -> None: ...
    def change(self, changes: dict, state: State) -> None: ...
    def confirm(self, state: State) -> None: ...


def ask(method: str, url: str, body: bytes | None = None, headers: dict | None = None) -> tuple[int, Message, dict]:
    """Returns status, header fields and JSON of an answer that came whole; 429 and 5xx are a `Trouble`."""
    request = urllib.request.Request(url, body, {"Accept-Encoding": "gzip"} | (headers or {}), method=method)
    try:
        try:
            answer = urllib.request.urlopen(request, timeout=30)
        except urllib.error.HTTPError as error:
            answer = error
        with answer:
            status, fields, data = answer.status, answer.headers, answer.read()
        if fields.get("Content-Encoding") == "gzip":
            data = gzip.decompress(data)
        if status == 429 or status >= 500:
            raise Trouble(f"{method} {url}: {status} {data[:200]!r}", retry_after(fields.get("Retry-After", "")))
        document = json.loads(data or b"{}")
        if not isinstance(document, dict):
            raise ValueError(f"no object: {data[:200]!r}")
        return status, fields, document
    except (OSError, http.client.HTTPException, EOFError, zlib.error, ValueError) as error:
        raise Trouble(f"{method} {url}: {error!r}") from error


def retry_after(text: str) -> float:
    """Seconds, from a number or a date; an hour at most."""
    try:
        seconds = float(text) if text.isdigit() else parsedate_to_datetime(text).timestamp() - time.time()
    except (TypeError, ValueError):
        return 0
    return min(max(seconds, 0), 3600)


def backoff(failures: int, longest: float = 60) -> float:
    """A pause that doubles with each failure in a row. Chance keeps the followers of one server apart."""
    return min(longest, 0.5 * 2 ** min(failures, 20)) * random.uniform(0.5, 1)


class Follower:
    """Leads one copy from revision to revision."""

    def __init__(self, copy: Copy, options: argparse.Namespace):
        self.copy, self.options = copy, options
        self.last: State | None = None

    def run(self) -> None:
        with suppress(KeyboardInterrupt):
            self.follow()

    def follow(self) -> None:
        failures = 0
        while True:
            try:
                self.last, trouble = self.step(), None
                failures, pause = 0, self.options.every * random.uniform(0.8, 1.2)
            except Trouble as error:
                trouble = error
                pause = max(error.wait * random.uniform(1, 1.2), backoff(failures, self.options.longest_pause))
                failures += 1
            self.report(trouble)
            time.sleep(pause)

    def step(self) -> State:
        """Asks for changes once; returns what the copy has then."""
        before = self.last = self.copy.state()
        if before is None:
            return self.read_whole()
        url, asked = f"{self.options.larder}/changes?since={before.revision}", time.time()
        # Without `If-None-Match`: no changes are hardly longer than a 304, and http.client takes a cut 304 for whole.
        status, fields, changes = ask("GET", url)
        if status == 410:
            return self.read_whole()
        if status != 200 or changes.get("since") != before.revision:
            raise Trouble(f"{url}: {status} {str(changes)[:300]}")
        state = State(*tag(url, fields), before.count + len(changes["added"]) - len(changes["removed"]),
                      *freshness(fields, asked))
        if state.form != before.form:
            return self.read_whole()
        try:
            if state.revision == before.revision:
                self.copy.confirm(state)
            else:
                self.copy.change(changes, state)
        except Mismatch as error:
            print(f"reads the whole catalogue: {error}", file=sys.stderr, flush=True)
            return self.read_whole()
        return state

    def read_whole(self) -> State:
        url, asked = f"{self.options.larder}/products", time.time()
        status, fields, answer = ask("GET", url)
        if status != 200 or "products" not in answer:
            raise Trouble(f"{url}: {status} {str(answer)[:300]}")
        products = answer["products"]
        state = State(*tag(url, fields), len(products), *freshness(fields, asked))
        if len({product["id"] for product in products}) != answer["total"]:
            raise Trouble(f"{url} has {len(products)} of {answer['total']} products")
        self.copy.replace(products, state)
        return state

    def report(self, trouble: Trouble | None) -> None:
        """Prints how old the data are, and whether they are too old."""
        state = self.last
        age = state.age if state else None
        print(json.dumps({
            "revision": state and state.revision, "products": state and state.count, "pinned": state and state.pinned,
            "age": age and round(age, 1), "stale": age is None or age > self.options.stale_after,
            "trouble": trouble and str(trouble)}), flush=True)


def tag(url: str, fields: Message) -> tuple[str, str]:
    """Revision and form of an answer."""
    found = TAG.search(fields.get("ETag", ""))
    if found is None:
        raise Trouble(f"{url} has no ETag with a revision; is http.pagination.default_limit 0?")
    return found[1], found[2]


def freshness(fields: Message, asked: float) -> tuple[float, bool]:
    """When the source confirmed the catalogue, and whether it is pinned, by the header fields of an answer."""
    status = ", ".join(fields.get_all("Cache-Status", []))
    ages = re.findall(r";\s*age=(\d+)", status)
    beyond = fields.get("Age", "0")
    return (asked - int(ages[-1]) - int(beyond) if ages and beyond.isdigit() else 0), "detail=pinned" in status


def arguments(description: str) -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(description=description.splitlines()[0])
    parser.add_argument("--larder", default="http://localhost:8080", help="the address, without a / at its end")
    parser.add_argument("--every", type=float, default=5, help="seconds between two questions")
    parser.add_argument("--stale-after", type=float, default=300, help="the age in seconds beyond which data are stale")
    parser.add_argument("--longest-pause", type=float, default=60, help="seconds, after many failures")
    return parser

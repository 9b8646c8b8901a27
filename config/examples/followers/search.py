"""Feeds a search engine that has the bulk endpoint of Elasticsearch and OpenSearch.

Searches use an alias. The whole catalogue goes into a new index, to which the alias moves once it is complete, so that
no search finds half of it. Changes go into the index itself; each revision has a version, so a repeated action does no
harm. The state is a document in an index of its own.
"""

import json
import os
import sys
import time
from collections.abc import Iterator

from follower import Follower, Mismatch, State, Trouble, arguments, ask, backoff

MOST_ACTIONS = 500
ATTEMPTS = 8
TEXT, KEYWORD = {"type": "text"}, {"type": "keyword"}
MAPPINGS = {"dynamic": False, "properties": {
    "id": KEYWORD, "type": KEYWORD, "name": TEXT, "description": TEXT, "category": KEYWORD,
    "price": {"properties": {"amount": {"type": "double"}, "currency": KEYWORD}}}}


class SearchIndex:
    """A copy in one of two indexes, that which the alias names."""

    def __init__(self, engine: str, alias: str):
        self.engine, self.alias = engine.rstrip("/"), alias
        self.index, self.version = "", 0
        self.left_out: set[str] = set()
        """The ids of products that the engine refuses. They are not found, which is better than an old price."""

    def state(self) -> State | None:
        self.index = next(iter(self.ask("GET", f"/_alias/{self.alias}", missing={})), "")
        found = self.ask("GET", self.place, missing={}) if self.index else {}
        if not found.get("found"):
            return None
        document = found["_source"]
        self.version, self.left_out = document["version"], set(document["left_out"])
        # A follower was killed in the middle. Changes from the old revision would not mend what they do not name.
        return None if document["applying"] else State(**document["state"])

    def replace(self, products: list[dict], state: State) -> None:
        before, self.index = self.index, f"{self.alias}-{'b' if self.index.endswith('-a') else 'a'}"
        self.version, self.left_out = 1, set()
        self.ask("DELETE", f"/{self.index}", missing={})
        self.ask("PUT", f"/{self.index}", {"mappings": MAPPINGS})
        self.bulk([("index", product["id"], product) for product in products])
        self.keep(state)
        moves = [{"remove": {"index": before, "alias": self.alias}}] if before else []
        self.ask("POST", "/_aliases", {"actions": [*moves, {"add": {"index": self.index, "alias": self.alias}}]})
        if before:
            self.ask("DELETE", f"/{before}", missing={})

    def change(self, changes: dict, state: State) -> None:
        products = changes["added"] + changes["changed"]
        self.version += 1
        self.write(state, applying=True)
        self.left_out -= {product["id"] for product in products} | set(changes["removed"])
        self.bulk([("index", product["id"], product) for product in products]
                  + [("delete", identifier, None) for identifier in changes["removed"]])
        self.keep(state)

    def confirm(self, state: State) -> None:
        self.write(state)

    @property
    def place(self) -> str:
        return f"/{self.alias}-follower/_doc/{self.index}"

    def keep(self, state: State) -> None:
        """Keeps the state, if the index has all products."""
        self.ask("POST", f"/{self.index}/_refresh")
        count, expected = self.ask("GET", f"/{self.index}/_count")["count"], state.count - len(self.left_out)
        if count != expected:
            raise Mismatch(f"{self.index} has {count} products instead of {expected}")
        self.write(state)

    def write(self, state: State, applying: bool = False) -> None:
        self.ask("PUT", self.place, {"state": vars(state), "version": self.version, "applying": applying,
                                     "left_out": sorted(self.left_out)})

    def bulk(self, actions: list[tuple[str, str, dict | None]]) -> None:
        for start in range(0, len(actions), MOST_ACTIONS):
            self.send(actions[start:start + MOST_ACTIONS])

    def send(self, actions: list[tuple[str, str, dict | None]]) -> None:
        """Repeats the actions that are not done. The engine asks for a pause by 429, for all or for one of them."""
        for attempt in range(ATTEMPTS):
            wait = 0.0
            try:
                items = self.ask("POST", f"/{self.index}/_bulk", b"".join(self.lines(actions)))["items"]
                actions = list(self.remaining(actions, items))
                if not actions:
                    return
            except Trouble as trouble:
                wait, reason = trouble.wait, str(trouble)
            else:
                reason = f"{len(actions)} actions are left"
            print(f"repeats a bulk request: {reason}", file=sys.stderr, flush=True)
            time.sleep(max(wait, backoff(attempt)))
        raise Trouble(f"{self.engine} takes no bulk requests")

    def lines(self, actions: list[tuple[str, str, dict | None]]) -> Iterator[bytes]:
        for verb, identifier, product in actions:
            target = {"_id": identifier, "version": self.version, "version_type": "external_gte"}
            yield json.dumps({verb: target}).encode() + b"\n"
            if product is not None:
                yield json.dumps(product).encode() + b"\n"

    def remaining(self, actions: list, items: list[dict]) -> Iterator[tuple[str, str, dict | None]]:
        """Yields the actions to repeat, and a deletion in place of each that the engine refuses."""
        results = [next(iter(item.items())) for item in items]
        if [(verb, result["_id"]) for verb, result in results] != [action[:2] for action in actions]:
            raise Mismatch("a bulk request was answered with other actions")
        for action, (verb, result) in zip(actions, results):
            status = result["status"]
            if status == 429 or status >= 500:
                yield action
            elif status == 409:
                raise Mismatch(f"{self.index} has a newer {result['_id']}: does another follower write to it?")
            elif status >= 300 and verb == "index":
                print(f"leaves out {result['_id']}: {result.get('error')}", file=sys.stderr, flush=True)
                self.left_out.add(result["_id"])
                yield "delete", result["_id"], None

    def ask(self, method: str, path: str, body: dict | bytes | None = None, missing: dict | None = None) -> dict:
        """Returns the answer, or what stands for a 404."""
        headers = {"Content-Type": "application/x-ndjson" if isinstance(body, bytes) else "application/json"}
        if authorization := os.environ.get("ENGINE_AUTHORIZATION"):
            headers["Authorization"] = authorization
        data = json.dumps(body).encode() if isinstance(body, dict) else body
        status, _, answer = ask(method, self.engine + path, data, headers)
        if status == 404 and missing is not None:
            return missing
        if status >= 300:
            raise Trouble(f"{method} {path}: {status} {answer}")
        return answer


if __name__ == "__main__":
    parser = arguments(__doc__)
    parser.add_argument("--engine", default="http://localhost:9200", help="the search engine's address")
    parser.add_argument("--alias", default="products", help="the name that searches use")
    options = parser.parse_args()
    Follower(SearchIndex(options.engine, options.alias), options).run()

"""The measured rows of the table."""

import gzip
from dataclasses import dataclass
from http.client import HTTPException

from catalogues import LOOK_UP, Answer, get
from processes import Failure
from servers import ENCRYPTED, EXAMPLES, NAMES, SIZES, Servers, encrypted, is_hit

HEADERS = {"audience": {"X-Tier": "premium"}}
"""What an example's graph has to be asked with."""


@dataclass(frozen=True)
class Row:
    """A request, and over how many connections it is asked at once."""

    title: str
    catalogue: str
    target: str = "/products"
    connections: int = 32
    coding: str = "identity"
    is_conditional: bool = False
    is_encrypted: bool = False
    handshakes: str | None = None
    """`new` or `resumed`: each request has a TLS connection of its own."""
    graph: str | None = None
    """The Larder that is asked: `stale`, or an example; otherwise that with the default graph."""

    @property
    def is_stale(self) -> bool:
        return self.graph == "stale"

    @property
    def is_reference(self) -> bool:
        """The one that DESIGN's figures are about."""
        return self == Row(self.title, "hundred")

    def port(self, name: str, servers: Servers) -> int:
        return servers.ports[name, self.place(name)]

    def pid(self, name: str, servers: Servers) -> int:
        return servers.pids[name, self.place(name)]

    def headers(self, servers: Servers) -> dict[str, str]:
        headers = HEADERS.get(self.graph, {}) | ({"Accept-Encoding": "gzip"} if self.coding == "gzip" else {})
        if self.handshakes:
            headers["Connection"] = "close"
        if self.is_conditional:
            headers["If-None-Match"] = self.answer(servers).tag
        return headers

    def applies(self, name: str, servers: Servers) -> bool:
        if name == "floor" and (self.is_conditional or self.coding == "gzip" or self.target == LOOK_UP):
            return False
        if self.is_encrypted and name not in ENCRYPTED:
            return False
        return not (name == "Larder" and self.coding == "gzip" and not servers.compresses)

    def check(self, name: str, servers: Servers) -> Answer:
        """Asks once to fill a cache and once more: the second answer is what will be measured."""
        port, headers = self.port(name, servers), self.headers(servers)
        try:
            get(port, self.target, {key: value for key, value in headers.items() if key != "If-None-Match"},
                tls=self.is_encrypted)
            answer = get(port, self.target, headers, tls=self.is_encrypted)
        except (OSError, HTTPException) as error:
            raise Failure(f"{self.title}: {name}: {error}") from error
        for problem in self.problems(name, answer, servers):
            raise Failure(f"{self.title}: {name} {problem}")
        return answer

    def place(self, name: str) -> str:
        if self.graph and name == "Larder":
            return self.graph
        return encrypted(self.catalogue) if self.is_encrypted else self.catalogue

    def answer(self, servers: Servers):
        return servers.answers[self.catalogue, self.target, self.coding]

    def problems(self, name: str, answer: Answer, servers: Servers):
        expected = self.answer(servers)
        if answer.status != (304 if self.is_conditional else 200):
            yield f"answers with {answer.status}"
        if answer.body != (b"" if self.is_conditional else expected.body):
            yield "sends other bytes than Larder did"
        if answer.headers.get("etag") != expected.tag:
            yield "sends another entity tag than Larder did"
        if not is_hit(name, answer):
            yield f"does not answer from its cache: {answer.headers}"
        if self.is_stale and name == "Larder" and "ttl=-" not in answer.headers.get("cache-status", ""):
            yield "is not stale"


def rows(servers: Servers) -> list[Row]:
    """All of them, with the sizes that the bodies turned out to have."""
    def size(catalogue: str, target: str = "/products", coding: str = "identity") -> str:
        return rounded(len(servers.answers[catalogue, target, coding].body))

    for (catalogue, target, coding), one in servers.answers.items():
        if coding == "gzip" and gzip.decompress(one.body) != servers.answers[catalogue, target, "identity"].body:
            raise Failure(f"{target}: what is gzipped is not what is sent plain")
    hundred = f"100 products, {size('hundred')}"
    return [
        Row(f"1 product, {size('one')}", "one"),
        Row(f"one of 100 by its id, {size('hundred', LOOK_UP)}", "hundred", LOOK_UP),
        Row(hundred, "hundred", connections=1),
        Row(hundred, "hundred"),
        Row(hundred, "hundred", connections=256),
        Row(f"{SIZES['many']:,} products, {size('many')}", "many"),
        Row(f"{hundred}, not modified: 304", "hundred", is_conditional=True),
        Row(f"100 products, gzip, {size('hundred', coding='gzip')}", "hundred", coding="gzip"),
        Row(f"{hundred}, stale, upstream gone", "hundred", graph="stale"),
        *(Row(f"{hundred}, {graph}.yaml", "hundred", graph=graph) for graph in EXAMPLES),
        *(Row(f"TLS, {title}", catalogue, is_encrypted=True) for title, catalogue in (
            (f"1 product, {size('one')}", "one"), (hundred, "hundred"),
            (f"{SIZES['many']:,} products, {size('many')}", "many"))),
        *(Row(f"TLS, {hundred}, {kind} connection each", "hundred", connections=1, is_encrypted=True, handshakes=kind)
          for kind in ("new", "resumed")),
    ]


def rounded(length: int) -> str:
    if length < 1000:
        return f"{length} B"
    return f"{length / 1000:.1f} KB" if length < 1e6 else f"{length / 1e6:.2f} MB"


def check_all(measured: list[Row], servers: Servers) -> None:
    """Every answer that is going to be measured, before anything is."""
    for row in measured:
        for name in NAMES:
            if row.applies(name, servers):
                row.check(name, servers)


def heads(measured: list[Row], servers: Servers) -> str:
    """The bytes that each server sends before the body, since they differ."""
    row = next(row for row in measured if row.is_reference)
    answers = {name: row.check(name, servers) for name in NAMES}
    return ", ".join(f"{name} {answer.size - len(answer.body)} B" for name, answer in answers.items())

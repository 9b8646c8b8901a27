"""A stand-in for a search engine: strict about the bulk protocol, and with faults that can be switched.

It has aliases, external versions, and searches that find only what a refresh has shown, as Elasticsearch has.
"""

import json
import re
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer


class Refusal(Exception):
    def __init__(self, status: int, reason: str):
        super().__init__(reason)
        self.status = status


@dataclass
class Index:
    documents: dict[str, dict] = field(default_factory=dict)
    versions: dict[str, int] = field(default_factory=dict)
    visible: dict[str, dict] = field(default_factory=dict)


class Engine:
    """Indexes, aliases, and the faults of the next bulk requests.

    `429` and `503` do nothing, `late` is answered as 503 and done after the next request but one, `cut` cuts the
    answer, and `items` does two thirds of the actions.
    """

    def __init__(self, on_move: Callable[[str, dict], None]):
        self.indexes: dict[str, Index] = {}
        self.aliases: dict[str, str] = {}
        self.faults: list[str] = []
        self.late: list[tuple[int, str, list[dict]]] = []
        self.pause = 0.0
        """Seconds that each bulk request takes."""
        self.refused: set[str] = set()
        """The ids of documents that do not fit."""
        self.bulks: list[tuple[float, str]] = []
        """When each bulk request came, and the fault that it met."""
        self.complaints: list[str] = []
        """What clients did against the protocol."""
        self.on_move, self.lock = on_move, threading.RLock()
        engine = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do(self) -> None:
                body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
                status, answer, headers = engine.answer(self.command, self.path, body, self.headers)
                data = json.dumps(answer).encode()
                with suppress(OSError):
                    self.send_response(status)
                    for name, value in {"Content-Length": str(len(data)), **headers}.items():
                        self.send_header(name, value)
                    self.end_headers()
                    self.wfile.write(data[:len(data) // 2] if "X-Cut" in headers else data)
                self.close_connection = "X-Cut" in headers

            do_GET = do_PUT = do_POST = do_DELETE = do

            def log_message(self, *_) -> None:
                pass

        class Server(ThreadingHTTPServer):
            def handle_error(self, *_) -> None:
                """A client that is killed."""

        self.server = Server(("127.0.0.1", 0), Handler)
        self.port = self.server.server_address[1]
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def answer(self, method: str, path: str, body: bytes, headers) -> tuple[int, dict, dict]:
        with self.lock:
            try:
                if match := re.fullmatch(r"/([^/?]+)/_bulk", path):
                    time.sleep(self.pause)
                    return self.bulk(method, match[1], body, headers.get("Content-Type", ""))
                return 200, self.operate(method, path, json.loads(body) if body else {}), {}
            except (Refusal, ValueError, KeyError, TypeError) as error:
                status = getattr(error, "status", 400)
                if status != 404:
                    self.complaints.append(f"{method} {path}: {error!r}")
                return status, {"error": {"reason": str(error)}, "status": status}, {}

    def operate(self, method: str, path: str, body: dict) -> dict:
        match (method, *path.strip("/").split("/")):
            case "GET", "_alias", alias:
                return {self.existing(self.aliases.get(alias, "")): {"aliases": {alias: {}}}}
            case "POST", "_aliases":
                return self.move(body["actions"])
            case "POST", name, "_refresh":
                index = self.index(name)
                index.visible = dict(index.documents)
            case "GET", name, "_count":
                return {"count": len(self.index(name).visible)}
            case "GET", name, "_doc", identifier:
                found = self.index(name).documents.get(identifier)
                if found is None:
                    raise Refusal(404, "no such document")
                return {"_id": identifier, "found": True, "_source": found}
            case "PUT", name, "_doc", identifier:
                self.indexes.setdefault(name, Index()).documents[identifier] = body
            case "PUT", name:
                if name in self.indexes or name in self.aliases:
                    raise Refusal(400, f"{name} exists")
                self.indexes[name] = Index()
            case "DELETE", name:
                self.index(name)
                del self.indexes[name]
                self.aliases = {alias: index for alias, index in self.aliases.items() if index != name}
            case _:
                raise Refusal(405, "no such request")
        return {"acknowledged": True}

    def existing(self, name: str) -> str:
        if name not in self.indexes:
            raise Refusal(404, f"no such index {name}")
        return name

    def index(self, name: str) -> Index:
        return self.indexes[self.existing(name)]

    def move(self, actions: list[dict]) -> dict:
        """Removes and adds aliases in one step."""
        aliases = dict(self.aliases)
        for action in actions:
            [(verb, place)] = action.items()
            if verb == "remove" and aliases.pop(place["alias"], None) != place["index"]:
                raise Refusal(404, "no such alias")
            if verb == "add":
                aliases[place["alias"]] = self.existing(place["index"])
                self.on_move(place["alias"], self.index(place["index"]).visible)
        self.aliases = aliases
        return {"acknowledged": True}

    def bulk(self, method: str, name: str, body: bytes, kind: str) -> tuple[int, dict, dict]:
        fault = self.faults.pop(0) if self.faults else ""
        self.bulks.append((time.monotonic(), fault))
        if fault in ("429", "503"):
            return int(fault), {"error": "busy"}, {"Retry-After": "1"} if fault == "429" else {}
        if method != "POST" or kind != "application/x-ndjson" or not body.endswith(b"\n"):
            raise Refusal(400, f"{method} of {kind}, which has to end with a line break")
        lines = [json.loads(line) for line in body[:-1].split(b"\n")]
        if fault == "late":
            self.late.append((2, name, lines))
            return 503, {"error": "late"}, {}
        items = self.carry_out(name, lines, fault)
        self.late = [(left - 1, *late) for left, *late in self.late if left]
        for left, *late in self.late:
            if not left and late[0] in self.indexes:
                self.carry_out(*late, "")
        return 200, {"items": items}, {"X-Cut": "1"} if fault == "cut" else {}

    def carry_out(self, name: str, lines: list[dict], fault: str) -> list[dict]:
        index, items, lines = self.index(name), [], list(lines)
        while lines:
            [(verb, target)] = lines.pop(0).items()
            source = lines.pop(0) if verb == "index" else None
            if set(target) != {"_id", "version", "version_type"} or target["version_type"] != "external_gte":
                raise Refusal(400, f"unknown action {target}")
            if verb not in ("index", "delete") or (source is not None and source["id"] != target["_id"]):
                raise Refusal(400, f"{verb} of {source} as {target}")
            busy = fault == "items" and len(items) % 3 == 1
            items.append({verb: {"_id": target["_id"]} | (
                {"status": 429, "error": {"type": "es_rejected_execution_exception"}} if busy
                else self.act(index, verb, target["_id"], target["version"], source))})
        return items

    def act(self, index: Index, verb: str, identifier: str, version: int, source: dict | None) -> dict:
        if verb == "index" and identifier in self.refused:
            return {"status": 400, "error": {"type": "mapper_parsing_exception"}}
        if index.versions.get(identifier, 0) > version:
            return {"status": 409, "error": {"type": "version_conflict_engine_exception"}}
        index.versions[identifier] = version
        was_there = index.documents.pop(identifier, None) is not None
        if source is not None:
            index.documents[identifier] = source
            return {"status": 200 if was_there else 201}
        return {"status": 200 if was_there else 404}

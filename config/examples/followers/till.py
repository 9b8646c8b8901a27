"""A till that keeps the catalogue in SQLite, and sells while the network is away.

Readers see one revision at a time: `SELECT product FROM products WHERE id = ?`. `SELECT * FROM freshness` has its age.
"""

import json
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager

from follower import Follower, Mismatch, State, Trouble, arguments

SCHEMA = """
    PRAGMA journal_mode = wal;
    CREATE TABLE IF NOT EXISTS products (id TEXT PRIMARY KEY, product TEXT NOT NULL) WITHOUT ROWID;
    CREATE TABLE IF NOT EXISTS state (
        only INTEGER PRIMARY KEY CHECK (only = 1),
        revision TEXT NOT NULL, form TEXT NOT NULL, count INTEGER NOT NULL, confirmed REAL NOT NULL,
        pinned INTEGER NOT NULL);
    CREATE VIEW IF NOT EXISTS freshness AS
        SELECT revision, count, pinned, (julianday('now') - 2440587.5) * 86400 - nullif(confirmed, 0) AS age FROM state;
"""


class Till:
    """A copy whose every step is one transaction."""

    def __init__(self, path: str):
        self.database = sqlite3.connect(path, isolation_level=None, timeout=10)
        self.database.executescript(SCHEMA)

    @contextmanager
    def transaction(self) -> Iterator[sqlite3.Connection]:
        try:
            with self.database:
                self.database.execute("BEGIN IMMEDIATE")
                yield self.database
        except sqlite3.IntegrityError as error:
            raise Mismatch(str(error)) from error
        except sqlite3.Error as error:
            raise Trouble(f"SQLite: {error}") from error

    def state(self) -> State | None:
        with self.transaction() as database:
            row = database.execute("SELECT revision, form, count, confirmed, pinned FROM state").fetchone()
        return State(*row[:4], bool(row[4])) if row else None

    def replace(self, products: list[dict], state: State) -> None:
        with self.transaction() as database:
            database.execute("DELETE FROM products")
            self.insert(products)
            self.keep(state)

    def change(self, changes: dict, state: State) -> None:
        with self.transaction() as database:
            [revision] = database.execute("SELECT revision FROM state").fetchone()
            if revision != changes["since"]:
                raise Mismatch(f"the copy has {revision}, the changes follow {changes['since']}")
            self.insert(changes["added"])
            changed = [(json.dumps(product), product["id"]) for product in changes["changed"]]
            self.each_one("UPDATE products SET product = ? WHERE id = ?", changed)
            self.each_one("DELETE FROM products WHERE id = ?", [(identifier,) for identifier in changes["removed"]])
            self.keep(state)

    def confirm(self, state: State) -> None:
        with self.transaction():
            self.keep(state)

    def insert(self, products: list[dict]) -> None:
        rows = [(product["id"], json.dumps(product)) for product in products]
        self.database.executemany("INSERT INTO products VALUES (?, ?)", rows)

    def each_one(self, statement: str, rows: list[tuple]) -> None:
        count = self.database.executemany(statement, rows).rowcount if rows else 0
        if count != len(rows):
            raise Mismatch(f"{count} products of {len(rows)}: {statement}")

    def keep(self, state: State) -> None:
        [count] = self.database.execute("SELECT count(*) FROM products").fetchone()
        if count != state.count:
            raise Mismatch(f"{count} products instead of {state.count}")
        self.database.execute(
            "REPLACE INTO state VALUES (1, ?, ?, ?, ?, ?)",
            (state.revision, state.form, state.count, state.confirmed, state.pinned))


if __name__ == "__main__":
    parser = arguments(__doc__)
    parser.add_argument("--database", default="till.sqlite", help="the file")
    options = parser.parse_args()
    Follower(Till(options.database), options).run()

"""Measures lookups by key, filters with facets and the tree of categories from outside, beside sqlite3 with indexes, DuckDB and
the search engine Tantivy.

    find.py PROGRAM [--products 100000] [--seconds 3]

The program serves an upstream in this process with and without declared members. Times are CPU of its process per request; the
others answer the same in this process, without HTTP. One that cannot be imported is left out, with a line."""

import argparse
import http.client
import http.server
import json
import os
import random
import re
import resource
import socket
import sqlite3
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path

TICK = os.sysconf("SC_CLK_TCK")
DECLARED = """
catalogue:
  keys: { barcode: gtin }
  attributes:
    brand: brand
    size: variants.*.options.size
    stock: { path: stock, type: number }
    in_stock: { path: stock, type: boolean, above: 0 }
    price_band: { path: price.amount, bands: [10, 25, 50, 100] }
  categories: { separator: " > " }
"""
FILTERS = "/products?brand={brand}&in_stock=true&facets=brand,size,price_band&limit=20"
SIZES = ["XS", "S", "M", "L", "XL"]


def product(number, seed):
    draw = random.Random(number * 7919 + seed)
    variants = [{"id": f"v{number}-{n}", "options": {"size": draw.choice(SIZES)}} for n in range(draw.choice([0, 1, 2]))]
    return {
        "type": "physical", "id": f"p-{number}", "name": f"Product {number}", "price": {
            "amount": draw.randrange(100, 20000) / 100, "currency": "EUR"}, "sales": draw.randrange(500),
        "description": "A thing that is made of wood and wool, and lasts. " * 2,
        "category": f"Group {number % 12} > Shelf {number % 240}", "brand": f"Brand {draw.randrange(300)}",
        "gtin": f"{4000000000000 + number * 17}", "stock": draw.choice([0, 0, 1, 2, 5, 9, 40]), "variants": variants}


def band(product):
    return next((str(bound) for bound in [10, 25, 50, 100] if product["price"]["amount"] < bound), "more")


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


class Upstream:
    """Serves one document, which can be replaced."""

    def __init__(self):
        upstream = self
        self.document = b"[]"

        class Handler(http.server.BaseHTTPRequestHandler):
            def do_GET(self):
                document = upstream.document
                self.send_response(200)
                self.send_header("Content-Type", "application/json")
                self.send_header("Content-Length", str(len(document)))
                self.end_headers()
                self.wfile.write(document)

            def log_message(self, *_):
                pass

        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        threading.Thread(target=self.server.serve_forever, daemon=True).start()
        self.url = f"http://127.0.0.1:{self.server.server_port}"


class Larder:
    """A process that serves an upstream, with or without the declared members."""

    def __init__(self, program, folder, upstream, declared):
        self.port, self.admin = free_port(), free_port()
        config = Path(folder, f"larder-{declared}.yaml")
        config.write_text(
            f"http: {{ listen: '127.0.0.1:{self.port}', threads: 1, pagination: {{ max_limit: 1000 }} }}\n"
            f"admin: {{ listen: '127.0.0.1:{self.admin}' }}\nlog: {{ level: warning }}\n"
            + (DECLARED if declared else "")
            + f"serve: {{ type: memory, ttl: 1h, upstream: {{ type: http, timeout: 60s, request: {{ base_url: '{upstream.url}', "
            "path: /products } } }\n")
        self.process = subprocess.Popen([program, "serve", "--config", str(config)], stdout=subprocess.DEVNULL)
        deadline = time.monotonic() + 60
        while True:
            try:
                if self.get("/products?limit=1")[0] == 200:
                    break
            except OSError:
                pass
            if time.monotonic() > deadline:
                self.stop()
                sys.exit("the service does not start")
            time.sleep(0.1)

    def get(self, target, port=None, method="GET"):
        connection = http.client.HTTPConnection("127.0.0.1", port or self.port, timeout=60)
        connection.request(method, target)
        response = connection.getresponse()
        body = response.read()
        connection.close()
        return response.status, body

    def cpu(self):
        fields = Path(f"/proc/{self.process.pid}/stat").read_text().rsplit(")", 1)[1].split()
        return (int(fields[11]) + int(fields[12])) / TICK

    def per_request(self, targets):
        """CPU in microseconds of requests one after the other on one connection."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=60)
        begin = self.cpu()
        for target in targets:
            connection.request("GET", target)
            response = connection.getresponse()
            response.read()
            if response.status != 200:
                sys.exit(f"{target}: {response.status}")
        connection.close()
        return (self.cpu() - begin) / len(targets) * 1e6

    def wrk(self, target, seconds):
        """Requests a second, and CPU in microseconds of each."""
        begin = self.cpu()
        out = subprocess.run(
            ["wrk", "-t1", "-c8", f"-d{seconds}s", f"http://127.0.0.1:{self.port}{target}"], capture_output=True, text=True,
            check=True).stdout
        if "Non-2xx" in out:
            sys.exit(f"{target}: {out}")
        count = int(re.search(r"(\d+) requests in", out)[1])
        return float(re.search(r"Requests/sec:\s+([\d.]+)", out)[1]), (self.cpu() - begin) / count * 1e6

    def refresh(self):
        """CPU in milliseconds of a refresh, until nothing is done any more."""
        begin = self.cpu()
        status, body = self.get("/refresh", self.admin, "POST")
        if status != 200 or not json.loads(body)["changed"]:
            sys.exit(f"no refresh: {status} {body[:300]}")
        last, still = self.cpu(), 0
        while still < 3:
            time.sleep(0.2)
            now = self.cpu()
            last, still = now, still + 1 if now == last else 0
        return (last - begin) * 1000

    def index_bytes(self):
        text = self.get("/metrics", self.admin)[1].decode()
        return sum(float(line.split()[-1]) for line in text.splitlines() if re.match(r'larder_memory_bytes\{.*"index', line))

    def stop(self):
        self.process.terminate()
        self.process.wait(30)


def measure_sqlite(products, brands, keys):
    db = sqlite3.connect(":memory:")
    db.execute("create table p (id text primary key, gtin text unique, brand text collate nocase, stock real, band text, category text)")
    db.execute("create table s (id text, size text)")
    for p in products:
        db.execute("insert into p values (?,?,?,?,?,?)", (p["id"], p["gtin"], p["brand"], p["stock"], band(p), p["category"]))
        for size in {v["options"]["size"] for v in p["variants"]}:
            db.execute("insert into s values (?,?)", (p["id"], size))
    for index in ["p(brand)", "p(stock)", "p(band)", "p(category)", "s(id)", "s(size)"]:
        db.execute(f"create index i_{re.sub('[^a-z]', '_', index)} on {index}")
    return run_sql(lambda text, *values: db.execute(text, values).fetchall(), brands, keys) | {
        "bytes": db.execute("pragma page_count").fetchone()[0] * db.execute("pragma page_size").fetchone()[0]}


def run_sql(ask, brands, keys):
    where = "brand = ? and stock > 0"

    def facets(brand):
        ask(f"select id from p where {where} limit 20", brand)
        ask(f"select count(*) from p where {where}", brand)
        ask("select brand, count(*) from p where stock > 0 group by brand order by 2 desc")
        ask(f"select size, count(distinct s.id) from s join p on p.id = s.id where {where} group by size", brand)
        ask(f"select band, count(*) from p where {where} group by band", brand)

    return {
        "key": timed(lambda key: ask("select id from p where gtin = ?", key), keys),
        "facets": timed(facets, brands),
        "categories": timed(lambda _: ask("select category, count(*) from p group by category"), range(20))}


def timed(work, values):
    """CPU in microseconds of each call."""
    begin = cpu_of_this()
    for value in values:
        work(value)
    return (cpu_of_this() - begin) / len(values) * 1e6


def cpu_of_this():
    usage = resource.getrusage(resource.RUSAGE_SELF)
    return usage.ru_utime + usage.ru_stime


def measure_duckdb(products, brands, keys):
    try:
        import duckdb
    except ImportError:
        return None
    db = duckdb.connect()
    rows = [(p["id"], p["gtin"], p["brand"], p["stock"], band(p), p["category"]) for p in products]
    sizes = [(p["id"], size) for p in products for size in {v["options"]["size"] for v in p["variants"]}]
    with tempfile.TemporaryDirectory() as folder:
        for name, content in [("p", rows), ("s", sizes)]:
            path = Path(folder, name)
            names = ["id", "gtin", "brand", "stock", "band", "category"] if name == "p" else ["id", "size"]
            path.write_text("".join(json.dumps(dict(zip(names, row))) + "\n" for row in content))
            db.execute(f"create table {name} as select * from read_json('{path}')")
    db.execute("create unique index i on p(gtin)")
    return run_sql(lambda text, *values: db.execute(text, values).fetchall(), brands, keys)


def measure_tantivy(products, brands, keys):
    try:
        from tantivy import Document, FieldType, Index, Occur, Query, SchemaBuilder
    except ImportError:
        return None
    builder = SchemaBuilder()
    for name in ["id", "gtin", "brand", "size", "band", "category"]:
        builder.add_text_field(name, stored=name == "id", tokenizer_name="raw", fast=name not in ("id", "gtin"))
    builder.add_integer_field("stock", indexed=True, fast=True)
    with tempfile.TemporaryDirectory() as folder:
        index = Index(builder.build(), path=folder)
        writer = index.writer(num_threads=1)
        for p in products:
            document = Document(id=p["id"], gtin=p["gtin"], brand=p["brand"], stock=p["stock"], band=band(p), category=p["category"])
            for size in {v["options"]["size"] for v in p["variants"]}:
                document.add_text("size", size)
            writer.add_document(document)
        writer.commit()
        index.reload()
        searcher = index.searcher()
        some = Query.range_query(index.schema, "stock", FieldType.Integer, 1, 1 << 40)

        def terms(*names):
            return {name: {"terms": {"field": name, "size": 1000}} for name in names}

        def key(value):
            for _, address in searcher.search(Query.term_query(index.schema, "gtin", value), 1).hits:
                searcher.doc(address)

        def facets(brand):
            both = Query.boolean_query([(Occur.Must, some), (Occur.Must, Query.term_query(index.schema, "brand", brand))])
            for _, address in searcher.search(both, 20).hits:
                searcher.doc(address)
            searcher.aggregate(some, terms("brand"))
            searcher.aggregate(both, terms("size", "band"))

        return {
            "key": timed(key, keys), "facets": timed(facets, brands),
            "categories": timed(lambda _: searcher.aggregate(Query.all_query(), terms("category")), range(20)),
            "bytes": sum(path.stat().st_size for path in Path(folder).iterdir())}


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("program")
    parser.add_argument("--products", type=int, default=100_000)
    parser.add_argument("--seconds", type=int, default=3)
    options = parser.parse_args()
    products = [product(number, 0) for number in range(options.products)]
    changed = [product(number, 1) for number in range(options.products)]
    brands = [f"Brand {number}" for number in range(200)]
    keys = [products[number * 37 % len(products)]["gtin"] for number in range(2000)]
    with tempfile.TemporaryDirectory() as folder:
        upstream = Upstream()

        def write(content):
            upstream.document = json.dumps(content).encode()
            return len(upstream.document)

        size = write(products)
        rows = [("catalogue", f"{len(products)} products, {size / 1e6:.1f} MB")]
        one = Larder(options.program, folder, upstream, True)
        try:
            everything = [FILTERS.format(brand="Brand+1"), "/categories", f"/products/by/barcode/{keys[0]}"]
            one.per_request(everything)
            cold = one.per_request([FILTERS.format(brand=brand.replace(" ", "+")) for brand in brands])
            _, warm = one.wrk(FILTERS.format(brand="Brand+7"), options.seconds)
            _, tree = one.wrk("/categories", options.seconds)
            by_key, by_id = [], []
            for _ in range(3):
                by_key.append(one.wrk(f"/products/by/barcode/{keys[5]}", options.seconds)[0])
                by_id.append(one.wrk(f"/products/{products[5 * 37]['id']}", options.seconds)[0])
            rows += [
                ("lookup by key / by id, throughput", f"{max(by_key) / max(by_id):.2f} of {max(by_id):.0f}/s"),
                ("two filters, three facets, cold", f"{cold / 1000:.2f} ms"), ("the same, warm", f"{warm:.1f} us"),
                ("/categories, warm", f"{tree:.1f} us"), ("index / bytes", f"{one.index_bytes() / size:.2f}")]
            times = {True: [], False: []}
            other = Larder(options.program, folder, upstream, False)
            try:
                for number in range(12):
                    write(changed if number % 2 == 0 else products)
                    # What no request wanted of the last revisions is not made ahead.
                    one.per_request(everything)
                    times[True].append(one.refresh())
                    times[False].append(other.refresh())
            finally:
                other.stop()
            # The first refreshes take memory that later ones find.
            with_members, without = (statistics.median(times[which][2:]) for which in (True, False))
            rows.append(("refresh with / without members", f"{with_members:.0f} / {without:.0f} ms, {with_members / without:.2f}"))
        finally:
            one.stop()
    for name, measure in [("sqlite3", measure_sqlite), ("DuckDB", measure_duckdb), ("Tantivy", measure_tantivy)]:
        measured = measure(products, brands[:50], keys)
        if measured is None:
            rows.append((name, "not installed"))
            continue
        memory = f", {measured['bytes'] / size:.2f} of the bytes" if "bytes" in measured else ""
        rows.append((name, f"key {measured['key']:.1f} us, facets {measured['facets'] / 1000:.2f} ms, "
                           f"categories {measured['categories'] / 1000:.2f} ms{memory}"))
    for name, value in rows:
        print(f"{name:36} {value}")


if __name__ == "__main__":
    main()

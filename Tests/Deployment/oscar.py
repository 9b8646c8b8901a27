"""A shop of django-oscar as the upstream: price, stock and details of each product stand at URLs of their own.

All products must be right; a refresh after a change of some may ask for no more than these; and a shop that is killed in
the middle of a refresh leaves the old catalogue whole, which is served until the shop is back.
"""

import json
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from subprocess import Popen

from programs import HERE, REPOSITORY, Failure, Programs, ask, end, free_ports, log_lines, parser, run, status, until

CONFIG = REPOSITORY / "config" / "examples" / "django-oscar.yaml"
SHOP = HERE / "Oscar" / "oscar_shop.py"
CATEGORIES = "Jam", "Jelly", "Curd", "Chutney"
CHANGED = range(41, 53)
MOST_REQUESTS = 40
"""After a change of a dozen products, of which each has three URLs; the list is one more."""


def main() -> int:
    arguments = parser(__doc__)
    arguments.add_argument("--python", default=sys.executable, help="with the packages of Oscar/requirements.txt")
    arguments.add_argument("--products", type=int, default=1000)
    options = arguments.parse_args()
    return run("oscar", lambda programs: drill(programs, options), most_seconds=900)


@dataclass
class Oscar:
    """The shop, its port, and what it should show."""

    programs: Programs
    python: str
    products: dict
    port: int
    server: Popen | None = None

    @property
    def environment(self) -> dict:
        return {"OSCAR_FOLDER": str(self.programs.folder), "PYTHONPATH": str(SHOP.parent)}

    def do(self, *words) -> None:
        """Runs a command of the shop to its end."""
        name = f"oscar-{words[0]}"
        command = self.programs.start(name, [self.python, "-B", SHOP, *words], self.environment)
        if command.wait() != 0:
            raise Failure(f"{name}:\n{command.log.read_text()[-2000:]}")

    def fill(self, count: int) -> None:
        self.do("fill", count)
        for number in range(1, count + 1):
            self.products[number] = {"cents": number * 7 % 9973 + 1, "stock": number % 40}

    def change(self, numbers: range, cents: int) -> None:
        self.do("change", numbers[0], numbers[-1], cents)
        for number in numbers:
            self.products[number]["cents"] += cents
            self.products[number]["stock"] += 1

    def serve(self) -> None:
        self.server = self.programs.start("oscar", [self.python, "-B", SHOP, "serve", self.port],
                                          self.environment)
        until(lambda: status(self.port, "/api/products/1/price/") == 200, "the shop serves", self.server, 60)

    @property
    def requests(self) -> int:
        return self.server.log.read_text().count("GET /api/products/")

    def expected(self, number: int) -> dict:
        product = self.products[number]
        return {"type": "physical", "id": str(number), "name": f"Préserve {number} “of the day”",
                "price": {"amount": product["cents"] / 100, "currency": "EUR"}, "upc": f"P{number:05}",
                "stock": product["stock"], "category": [f"Food > {CATEGORIES[number % 4]}"],
                "imageURL": f"http://127.0.0.1:{self.port}/media/images/{number}.jpg"}


@dataclass
class Service:
    http: int
    admin: int
    process: Popen

    @staticmethod
    def start(programs: Programs, larder: Path, shop: Oscar) -> "Service":
        http, admin = free_ports(2)
        settings = {"LARDER_UPSTREAM_URL": f"http://127.0.0.1:{shop.port}", "LARDER_LISTEN": f"127.0.0.1:{http}",
                    "LARDER_ADMIN": f"127.0.0.1:{admin}", "LARDER_DATA": str(programs.folder / "data"),
                    "LARDER_RATE": "1000/s", "LARDER_TTL": "1h"}
        process = programs.start("larder", [larder, "serve", "--config", CONFIG], settings)
        until(lambda: status(http, "/readyz") == 200, "the service is ready", process, patience=300, pause=0.1)
        return Service(http, admin, process)

    def check(self, shop: Oscar, other: dict | None = None) -> None:
        """Compares all products with those of the shop, or with what it showed before."""
        other = other or {number: shop.expected(number) for number in shop.products}
        listed = json.loads(ask(self.http, "/products", patience=30)[2])["products"]
        if len(listed) != len(other):
            raise Failure(f"{len(listed)} products are served, not {len(other)}")
        for product in listed:
            wanted = other[int(product["id"])]
            found = {name: product.get(name) for name in wanted}
            if found != wanted:
                raise Failure(f"{found} is served instead of {wanted}")

    def refresh(self) -> tuple[int, str]:
        """Gives the status of an order to refresh, and what it tells."""
        code, _, body = ask(self.admin, "/refresh", "POST", patience=400)
        return code, body.decode(errors="replace")


def drill(programs: Programs, options) -> None:
    [port] = free_ports(1)
    shop = Oscar(programs, options.python, {}, port)
    shop.fill(options.products)
    shop.serve()
    asked, began = shop.requests, time.monotonic()
    service = Service.start(programs, options.larder, shop)
    print(f"{options.products} products with {shop.requests - asked} requests in {time.monotonic() - began:.1f} s")
    service.check(shop)

    unchanged = few(service, shop)
    print(f"nothing changed: {unchanged} request(s)")
    shop.change(CHANGED, 100)
    after = few(service, shop)
    print(f"{len(CHANGED)} products changed: {after} requests")
    service.check(shop)
    if unchanged != 1 or after > MOST_REQUESTS:
        raise Failure(f"{unchanged} and {after} requests; there may be 1 and {MOST_REQUESTS}")

    killed_amid(service, shop)
    shop.serve()
    until(lambda: service.refresh()[0] == 200, "the shop that is back is asked", service.process, patience=300, pause=0.5)
    service.check(shop)
    print("the shop is back, and its new catalogue is served")
    if end(service.process) != 0:
        raise Failure(f"the service ended badly\n{service.process.log.read_text()[-2000:]}")


def few(service: Service, shop: Oscar) -> int:
    """Gives the number of requests of a refresh."""
    before = shop.requests
    code, text = service.refresh()
    if code != 200:
        raise Failure(f"refresh: {code} {text}\n{service.process.log.read_text()[-2000:]}")
    return shop.requests - before


def killed_amid(service: Service, shop: Oscar) -> None:
    """Changes all products, and kills the shop when it has shown some of them."""
    old = {number: shop.expected(number) for number in shop.products}
    shop.change(range(1, len(shop.products) + 1), 1000)
    before = shop.requests
    order = ThreadPoolExecutor(max_workers=1).submit(service.refresh).result
    until(lambda: shop.requests - before > len(old) // 2, "half of the first member is asked for", shop.server, 120)
    shop.server.kill()
    shop.server.wait()
    code, text = order()
    shown = shop.requests - before
    if code == 200 or not len(old) // 2 < shown < 3 * len(old):
        raise Failure(f"killed after {shown} requests, the refresh gives {code}: {text}")
    service.check(shop, old)
    print(f"killed after {shown} requests, the old catalogue is whole: {text[:300]}")
    reasons = [line for line in log_lines(service.process.log) if "fail" in line["message"]]
    print(f"the log: {json.dumps(reasons[-1]) if reasons else 'nothing'}")

    code, text = service.refresh()
    service.check(shop, old)
    ready, _, state = ask(service.admin, "/readyz?verbose")
    if code == 200 or ready != 200 or b"upstream failing" not in state:
        raise Failure(f"the shop is gone: refresh {code} {text}; readiness {ready} {state}")
    print(f"the shop is gone, the old catalogue is served; readiness: {state.decode()[:600]}")


if __name__ == "__main__":
    sys.exit(main())

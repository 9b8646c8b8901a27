"""The night of the wrong prices: an upstream publishes every price times ten, under load.

With `max_price_change` the gate holds the catalogue back, and an operator may let it through. Without it the catalogue
is served until `larder pin` brings the right prices back, within a second and without a failed request, while the upstream
goes on publishing; `larder unpin` shows what would change.
"""

import json
import subprocess
import sys
import time
from pathlib import Path

from programs import Failure, Programs, ask, parser, run, until
from revisions import CONFIG, Revisions, Shop

PRODUCTS = 10_000
GATE = ", max_price_change: {{ factor: 3, share: 0.3 }}"


class Prices(Revisions):
    """A shop whose prices are multiplied by a factor."""

    factor = 1

    def body(self, revision: int) -> bytes:
        return ("[" + ",".join(
            f'{{"type":"physical","id":"p-{number}","name":"Preserve {number}","weight":250,"price":{{"amount":'
            f'{(number % 90 + 1) * self.factor},"currency":"EUR"}},"sales":{(number + revision) % 251}}}'
            for number in range(self.count)) + "]").encode()

    def publish(self, factor: int) -> None:
        self.factor = factor
        self.change()


def main() -> int:
    arguments = parser(__doc__)
    options = arguments.parse_args()
    return max(run("gate", lambda programs: held_back(programs, options.larder)),
               run("pin", lambda programs: passed(programs, options.larder)))


def started(programs: Programs, larder: Path, rules: str) -> tuple[Prices, Shop]:
    upstream = Prices(PRODUCTS)
    config = CONFIG.replace("baseline: disk,", f"baseline: disk{rules},")
    shop = Shop.start(programs, larder, upstream, ttl="300ms", config=config)
    until(lambda: json.loads(ask(shop.admin, "/history")[2])["generations"], "a generation is stored")
    return upstream, shop


def price(shop: Shop) -> float:
    return json.loads(ask(shop.http, "/products/p-5")[2])["price"]["amount"]


def operate(programs: Programs, larder: Path, *words: str) -> str:
    """Gives the output of a command that works on the running service."""
    done = subprocess.run([larder, *words, "--config", programs.folder / "larder.yaml"], capture_output=True, text=True)
    if done.returncode:
        raise Failure(f"larder {' '.join(words)}: {done.returncode} {done.stdout} {done.stderr}")
    return done.stdout


def held_back(programs: Programs, larder: Path) -> None:
    upstream, shop = started(programs, larder, GATE)
    upstream.publish(10)
    end = time.monotonic() + 3
    while time.monotonic() < end:
        if price(shop) != 6:
            raise Failure(f"the gate let a price of {price(shop)} through")
    [held] = json.loads(ask(shop.admin, "/quarantine")[2])["quarantined"]
    if held["difference"]["priceChanges"] != PRODUCTS:
        raise Failure(f"quarantine shows {held}")
    refusals = [line for line in shop.service.log.read_text().splitlines() if "price" in line and "refus" in line]
    print(f"held back, {len(refusals)} line(s) in the log: {refusals[0][:300] if refusals else ''}")
    operate(programs, larder, "accept", "--reason", "the prices are right after all")
    until(lambda: price(shop) == 60, "the accepted catalogue is served")
    shop.end()
    upstream.leave()


def passed(programs: Programs, larder: Path) -> None:
    upstream, shop = started(programs, larder, "")
    right = json.loads(ask(shop.admin, "/history")[2])["generations"][0]["generation"]
    load = subprocess.Popen(["wrk", "-t1", "-c16", "-d20s", f"http://127.0.0.1:{shop.http}/products/p-5"],
                            stdout=subprocess.PIPE, text=True)
    time.sleep(1)
    upstream.publish(10)
    until(lambda: price(shop) == 60, "the wrong price is served")
    began = time.monotonic()
    operate(programs, larder, "pin", "--generation", str(right), "--reason", "prices times ten")
    command = time.monotonic() - began
    until(lambda: price(shop) == 6, "the right price is served")
    seconds = time.monotonic() - began
    upstream.is_moving = True
    for _ in range(30):
        if price(shop) != 6:
            raise Failure("a publication went past the pin")
        time.sleep(0.1)
    upstream.is_moving = False
    shown = operate(programs, larder, "unpin")
    if "p-5" not in shown or price(shop) != 6:
        raise Failure(f"unpin does not show its difference first:\n{shown[:500]}")
    upstream.publish(1)
    until(lambda: json.loads(ask(shop.admin, "/diff?from=current&to=newest")[2])["priceChanges"] == 0, "mended prices")
    operate(programs, larder, "unpin", "--confirm", "--reason", "the shop is mended")
    until(lambda: not json.loads(ask(shop.admin, "/history")[2])["pin"], "the pin is off")
    report, _ = load.communicate()
    errors = [line for line in report.splitlines() if "Non-2xx" in line or "Socket errors" in line]
    if errors or price(shop) != 6:
        raise Failure(f"requests failed: {errors}; price {price(shop)}")
    rate = next(line.split()[1] for line in report.splitlines() if line.startswith("Requests/sec"))
    print(f"right price {seconds:.2f} s after the command began, which took {command:.2f} s; {rate} requests/s, none failed")
    if seconds > 1:
        raise Failure("the pin took more than a second")
    shop.end()
    upstream.leave()


if __name__ == "__main__":
    sys.exit(main())

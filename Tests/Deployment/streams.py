"""A thousand clients that follow the changes, beside clients that ask at full speed.

Each stream must name every revision once, in order, or say that it missed some. The throughput with the streams is
compared with that without, in turn.
"""

import asyncio
import json
import statistics
import subprocess
import sys
import time

from programs import Failure, Programs, ask, parser, resident, run
from revisions import Revisions, Shop


class Follower:
    """One client of `GET /changes` as an event stream."""

    def __init__(self):
        self.revisions: list[str] = []
        self.gaps = 0

    async def follow(self, port: int) -> None:
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        writer.write(b"GET /changes HTTP/1.1\r\nHost: drill\r\nAccept: text/event-stream\r\n\r\n")
        try:
            head = await reader.readuntil(b"\r\n\r\n")
            if b" 200 " not in head.split(b"\r\n")[0]:
                raise Failure(f"a stream is refused: {head[:200]}")
            while line := await reader.readline():
                if line.startswith(b"data: "):
                    event = json.loads(line[6:])
                    self.check(event)
                    self.revisions.append(event["revision"])
                elif line.startswith(b"event: gap"):
                    self.gaps += 1
        finally:
            writer.close()

    def check(self, event: dict) -> None:
        if self.revisions and not self.gaps and event.get("since") != self.revisions[-1]:
            raise Failure(f"after {self.revisions[-1]} came what follows {event.get('since')}")


def main() -> int:
    arguments = parser(__doc__)
    arguments.add_argument("--streams", type=int, default=1000)
    arguments.add_argument("--rounds", type=int, default=5)
    arguments.add_argument("--seconds", type=int, default=5)
    arguments.add_argument("--every", type=int, default=5, help="seconds between two revisions")
    options = arguments.parse_args()
    return run("streams", lambda programs: asyncio.run(drill(programs, options)))


async def drill(programs: Programs, options) -> None:
    upstream = Revisions(1000)
    shop = Shop.start(programs, options.larder, upstream, ttl="1s")
    ratios, before, followers = [], resident(shop.service.pid), []
    for number in range(options.rounds):
        alone, _ = await asyncio.gather(load(shop.http, options.seconds), change(upstream, options.seconds, options.every))
        followers = [Follower() for _ in range(options.streams)]
        tasks = [asyncio.create_task(follower.follow(shop.http)) for follower in followers]
        while not all(follower.revisions for follower in followers):
            await asyncio.sleep(0.1)
            for task in tasks:
                if task.done():
                    task.result()
        if number == 0:
            print(f"{(resident(shop.service.pid) - before) / options.streams / 1000:.1f} KB resident a stream")
        spent = time.process_time()
        beside, _ = await asyncio.gather(load(shop.http, options.seconds), change(upstream, options.seconds, options.every))
        share = (time.process_time() - spent) / options.seconds
        await asyncio.sleep(2)
        ratios.append(beside / alone)
        print(f"{alone:,.0f} requests/s alone, {beside:,.0f} beside {options.streams} streams: {beside / alone:.3f}; "
              f"these clients took {share:.2f} of a core")
        judge(followers, shop.http)
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
    seen = [len(follower.revisions) for follower in followers]
    print(f"median {statistics.median(ratios):.3f}; {min(seen)} to {max(seen)} revisions a stream in the last round, "
          f"{sum(follower.gaps for follower in followers)} gaps")
    upstream.leave()
    shop.end()
    if statistics.median(ratios) < 0.95:
        raise Failure("streams cost more than a twentieth of the throughput")


def judge(followers: list[Follower], port: int) -> None:
    """Each stream told every revision once, and last the one that is served."""
    for follower in followers:
        if len(set(follower.revisions)) != len(follower.revisions):
            raise Failure(f"a revision was told twice: {follower.revisions}")
    [last] = {follower.revisions[-1] for follower in followers}
    served = json.loads(ask(port, f"/changes?since={last}")[2])
    if served.get("revision") != last:
        raise Failure(f"the streams end with {last}, served is {served}")


async def change(upstream: Revisions, seconds: int, every: int) -> None:
    """A new revision every so many seconds."""
    for _ in range(seconds // every):
        upstream.change()
        await asyncio.sleep(every)


async def load(port: int, seconds: int) -> float:
    """Requests a second of clients at full speed."""
    wrk = await asyncio.create_subprocess_exec(
        "wrk", "-t1", "-c32", f"-d{seconds}s", f"http://127.0.0.1:{port}/products/p-5", stdout=subprocess.PIPE)
    report = (await wrk.communicate())[0].decode()
    if "Non-2xx" in report or "Socket errors" in report:
        raise Failure(f"requests failed:\n{report}")
    return float(next(line.split()[1] for line in report.splitlines() if line.startswith("Requests/sec")))


if __name__ == "__main__":
    sys.exit(main())

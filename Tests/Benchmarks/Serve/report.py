"""The results as a Markdown table, and what they were meant to be."""

from results import Result
from servers import EXAMPLES, NAMES, PEERS

TARGETS = {"plain evhttp": 1.15, "nginx": 1.1, "Varnish": 1.5}
"""By how much Larder has to be faster with 100 products over 32 connections."""
FLOORS = {False: 0.85, True: 0.75}
"""The part of Larder's processor time that receiving and writing alone take, plain and encrypted."""
NOT_MEASURED = "not measured here: Hummingbird, an upstream that flaps, the start, and resident memory (`make stress`)"


def table(results: list[Result]) -> str:
    """All rows. Latencies are those of an overload: each connection asks again at once."""
    head = ["what", "connections", "Larder, requests/s", *(f"÷ {name}" for name in PEERS),
            *(f"{name}, p50 / p99 µs" for name in NAMES), "µs of CPU a request: " + " / ".join(NAMES)]
    lines = [head, ["---", *["---:"] * (len(head) - 1)]] + [cells(result) for result in results]
    return "\n".join("| " + " | ".join(line) + " |" for line in lines)


def cells(result: Result) -> list[str]:
    title, connections = result.row.title, str(result.row.connections)
    if result.failure:
        return [title, connections, "**failed**"] + [""] * 8
    return [title, connections, throughput(result), *(ratio(result, name) for name in PEERS),
            *(latency(result, name) for name in NAMES), " / ".join(cost(result, name) for name in NAMES)]


def throughput(result: Result) -> str:
    per_second = result.middle("Larder", "per_second")
    return "n/a" if per_second is None else f"{per_second:,.0f}{mark(result, 'Larder')}"


def ratio(result: Result, name: str) -> str:
    spread = result.ratio(name)
    if spread is None:
        return "n/a"
    return f"{spread.median:.2f} ({spread.least:.2f}–{spread.most:.2f}){mark(result, name)}"


def latency(result: Result, name: str) -> str:
    p50, p99 = result.middle(name, "p50"), result.middle(name, "p99")
    return "n/a" if p50 is None else f"{p50:,.0f} / {p99:,.0f}"


def cost(result: Result, name: str) -> str:
    microseconds = result.middle(name, "cost")
    return "n/a" if microseconds is None else f"{microseconds:.1f}"


def mark(result: Result, name: str) -> str:
    return " \\*" if result.is_held_back(name) else " †" if result.is_disturbed(name) else ""


def remarks(results: list[Result]) -> list[str]:
    """Remarks to the table: failures, servers held back, missed goals, missing figures."""
    lines = [f"- failed: {result.failure}" for result in results if result.failure]
    if any(result.is_held_back(name) for result in results for name in NAMES):
        lines.append("- \\* this server had time left: wrk set the pace. Compare the processor time instead.")
    if any(result.is_disturbed(name) for result in results for name in NAMES):
        lines.append("- † neither this server nor wrk had a core for itself: measure again on a quiet machine.")
    plain = next(result for result in results if result.row.is_reference)
    lines += [f"- {result.row.graph}.yaml ÷ the default graph: {share.median:.2f} ({share.least:.2f}–{share.most:.2f})"
              for result in results if result.row.graph in EXAMPLES and (share := result.share(plain))]
    return lines + [f"- wanted: {line}" for line in misses(results)] + [f"- {NOT_MEASURED}"]


def short_of(result: Result, plain: Result):
    """What a request may cost beside the floor, and a handshake beside nginx's."""
    for name, least, is_wanted in (("floor", FLOORS[result.row.is_encrypted], result is plain or result.row.is_encrypted),
                                   ("nginx", 0.9, bool(result.row.handshakes))):
        ours, theirs = result.middle("Larder", "cost"), result.middle(name, "cost")
        if is_wanted and ours and theirs and theirs / ours < least:
            yield f"{least} of {name}'s processor time in \"{result.row.title}\"; it is {theirs / ours:.2f}"


def misses(results: list[Result]):
    """The goals of DESIGN that the medians miss."""
    plain = next(result for result in results if result.row.is_reference)
    for result in results:
        for name, least in TARGETS.items():
            spread = result.ratio(name)
            is_wanted = result is plain or result.row.is_stale or result.row.is_encrypted and not result.row.handshakes
            if is_wanted and spread and spread.median < least:
                yield f"{least} × {name} in \"{result.row.title}\"; it is {spread.median:.2f}"
        yield from short_of(result, plain)
        if result.row.graph in EXAMPLES and (share := result.share(plain)) and share.median < 0.9:
            yield f"0.9 of the default graph with {result.row.graph}.yaml; it is {share.median:.2f}"
    ours, theirs = plain.middle("Larder", "p99"), plain.middle("nginx", "p99")
    if ours is not None and theirs is not None and ours > theirs:
        yield f"a p99 at 32 connections of at most nginx's {theirs:,.0f} µs; it is {ours:,.0f} µs"
    whole = plain.middle("Larder", "per_second")
    for result in results:
        unchanged = result.middle("Larder", "per_second")
        if result.row.is_conditional and whole and unchanged and unchanged < whole:
            yield f"304s at least as fast as 200s; they reach {unchanged / whole:.3f} of them"

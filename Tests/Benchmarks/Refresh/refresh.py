"""A refresh stage by stage, and orjson on the same bytes in the same run: `make bench-refresh`.

The figures are processor time. orjson is measured as it is used, and without Python's garbage collector, which walks
through what it makes.
"""

import argparse
import gc
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import orjson

SIZES = 10_000, 100_000
ROUNDS = 7
COMPARED = "decode", "index and hash"
GOALS = {"whole refresh over HTTP, changed": (20, 200), "whole refresh over HTTP, 12 changed": (None, 80),
         "whole refresh over HTTP, unchanged": (3, None)}
"""The most milliseconds that a stage may take at each size."""


def main() -> int:
    arguments = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    arguments.add_argument("--program", type=Path, required=True, help="RefreshBenchmark, built for release")
    options = arguments.parse_args()
    with tempfile.TemporaryDirectory(prefix="larder-refresh-") as folder:
        bodies = [Path(folder) / f"{count}.json" for count in SIZES]
        columns = [measured(options.program, count, body) for count, body in zip(SIZES, bodies, strict=True)]
        sizes = [body.stat().st_size / 1e6 for body in bodies]
    print(f"ms of processor time, the least of {ROUNDS}; orjson {orjson.__version__}")
    print(row("products", [f"{count:,}" for count in SIZES]))
    print(row("MB", [f"{size:.1f}" for size in sizes]))
    for stage in columns[0]:
        goals = GOALS.get(stage, ())
        said = ", ".join(f"{goal} at {count:,}" for goal, count in zip(goals, SIZES, strict=False) if goal)
        print(row(stage, [f"{column[stage]:.1f}" for column in columns], f"goal: {said}" if said else ""))
    for title in ("variants and two includes", "variants and JSON:API"):
        mapped, native = (f"whole refresh, {title}, {form}" for form in ("mapped", "native"))
        ratios = [column[mapped] / column[native] for column in columns]
        print(row(f"{title}, mapped / native", [f"{ratio:.2f}" for ratio in ratios], "goal: 2.00"))
    for stage in ("orjson", "orjson, no collector"):
        ratios = [sum(column[one] for one in COMPARED) / column[stage] for column in columns]
        print(row(f"{' + '.join(COMPARED)} / {stage}", [f"{ratio:.2f}" for ratio in ratios], "goal: 1.00"))
    return 0


def measured(program: Path, count: int, body: Path) -> dict[str, float]:
    """The milliseconds of each stage."""
    output = subprocess.run([program, str(count), body], stdout=subprocess.PIPE, text=True, check=True).stdout
    lines = [line.split(None, 1) for line in output.splitlines()]
    content = body.read_bytes()
    stages = {name: float(number) for number, name in lines} | {"orjson": read_and_write(content)}
    gc.disable()
    stages["orjson, no collector"] = read_and_write(content)
    gc.enable()
    return stages


def read_and_write(content: bytes) -> float:
    """The milliseconds of orjson."""

    def once() -> float:
        start = time.process_time()
        values = orjson.loads(content)
        written = orjson.dumps(values)
        taken = time.process_time() - start
        del values, written
        return taken * 1000

    return min(once() for _ in range(ROUNDS))


def row(name: str, cells: list[str], remark: str = "") -> str:
    return f"{name:48}" + "".join(f"{cell:>10}" for cell in cells) + (f"  {remark}" if remark else "")


if __name__ == "__main__":
    sys.exit(main())

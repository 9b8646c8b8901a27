"""Plants faults in the types that decide, and checks that the tests find each of them.

The table has them. All are planted at once in a copy of the sources, each behind a switch that the environment turns on, so
that the copy is built once. Then the tests of each fault's group run with that fault alone: first the quick ones, then,
if those pass, the wide ones. A fault that passes both is a survivor, which a test must kill or the table must explain.

    python3 -B Tests/Mutants/mutants.py              all of them
    python3 -B Tests/Mutants/mutants.py retention    those of one group, or of a file whose path contains the word
"""

import argparse
import os
import re
import signal
import subprocess
import sys
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path

from schemata import NAME, TableError, planted
from table import GROUPS

ROOT = Path(__file__).resolve().parents[2]
BUNDLE = ".build/debug/larderPackageTests.xctest"
# A fault may make a test wait for ever.
LONGEST = 120
WITHOUT = """
let without: Set<String> = [{names}]
package.targets.removeAll {{ without.contains($0.name) }}
package.products.removeAll {{ without.contains($0.name) }}
"""
SIMULATION = "Tests/FleetTests/Simulation/FleetSimulationTests.swift"


def few_seeds(text):
    """The fleet's simulation with fewer seeds: a fault of a rule shows in the first hundreds."""
    text, count = re.subn(r"static let seeds = [\d_]+", "static let seeds = 1_000", text)
    if count != 1:
        raise TableError(f"{SIMULATION} has its seeds in another form")
    return text


def tracked():
    """The files that a build reads, by their paths in the checkout."""
    listed = subprocess.run(["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"], cwd=ROOT,
                            check=True, capture_output=True).stdout.decode()
    return [name for name in listed.split("\0") if name and (ROOT / name).is_file()]


def update(tree, texts):
    """Makes the copy the checkout with these texts; files that are right already keep their time, for the next build."""
    names = set(tracked())
    for name in sorted(names):
        target, source = tree / name, ROOT / name
        content = texts[name].encode() if name in texts else source.read_bytes()
        if target.is_file() and target.read_bytes() == content:
            continue
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(content)
        target.chmod(source.stat().st_mode)
    for folder in ("Sources", "Tests"):
        for path in (tree / folder).rglob("*"):
            if path.is_file() and str(path.relative_to(tree)) not in names:
                path.unlink()


def build(tree, command):
    print(f"building {tree}", flush=True)
    if subprocess.run(command, cwd=tree).returncode != 0:
        sys.exit("the copy with the faults cannot be built")


def run(tree, command, number):
    """Runs tests with one fault, 0 for none. Returns whether they passed, whether the fault was reached, and output."""
    environment = {**os.environ, NAME: str(number)}
    # Not a pipe: a program that a killed test leaves behind would keep it open.
    with tempfile.TemporaryFile() as file:
        process = subprocess.Popen(command, cwd=tree, env=environment, stdin=subprocess.DEVNULL, stdout=file,
                                   stderr=subprocess.STDOUT, start_new_session=True)
        try:
            passed = process.wait(LONGEST) == 0
        except subprocess.TimeoutExpired:
            passed = False
            file.write(f"\nno end after {LONGEST} s".encode())
        with suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
        process.wait()
        file.seek(0)
        output = file.read().decode(errors="replace")
    return passed, f"{NAME} {number}\n" in output, output


def swift_tests(pattern):
    return [BUNDLE, "--testing-library", "swift-testing", "--experimental-maximum-parallelization-width", "6",
            "--filter", pattern]


def killer(output):
    """The name of the first test that failed."""
    for line in output.splitlines():
        if "✘" in line and "Test " in line:
            return line.split("Test ", 1)[1].split(" recorded")[0].split(" failed")[0].strip('" ')
    lines = [line for line in output.splitlines() if line.strip()]
    return lines[-1][:100] if lines else "no output"


def commands(group, is_quick):
    return [swift_tests(pattern) for pattern in (group.quick, "" if is_quick else group.wide) if pattern]


def examine(tree, group, mutant, is_quick):
    """Returns the state of a mutant, and what there is to say about it."""
    is_reached, begin = False, time.monotonic()
    for command in commands(group, is_quick):
        passed, reached, output = run(tree, command, mutant.number)
        is_reached = is_reached or reached
        if not passed:
            return "killed", f"{time.monotonic() - begin:.0f} s: {killer(output)}"
    return "survived", "" if is_reached else "no test reaches it"


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("only", nargs="*", help="groups, or parts of paths")
    parser.add_argument("--tree", type=Path, default=ROOT / ".build-mutants", help="where the copy is")
    parser.add_argument("--swift", default="swift")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 2, help="mutants at a time")
    parser.add_argument("--check", action="store_true", help="only check that the table fits the sources")
    parser.add_argument("--skip-build", action="store_true")
    parser.add_argument("--without", default="", help="targets that the copy lacks, for a quicker build: larder,LarderTests")
    parser.add_argument("--quick", action="store_true", help="without the wide tests")
    parser.add_argument("--numbers", default="", help="only these, as in 3,17-20")
    arguments = parser.parse_args()
    texts = planted(ROOT, GROUPS)
    if arguments.without:
        texts["Package.swift"] = (ROOT / "Package.swift").read_text() + WITHOUT.format(
            names=", ".join(f'"{name}"' for name in arguments.without.split(",")))
    texts[SIMULATION] = few_seeds((ROOT / SIMULATION).read_text())
    spans = [span.split("-") for span in arguments.numbers.split(",") if span]
    wanted = {number for span in spans for number in range(int(span[0]), int(span[-1]) + 1)}
    chosen = [(group, mutant) for group in GROUPS for mutant in group.mutants
              if (not wanted or mutant.number in wanted) and (not arguments.only or any(
                  word == group.name or word in mutant.path for word in arguments.only))]
    print(f"{sum(len(group.mutants) for group in GROUPS)} mutants in {len(texts)} files, {len(chosen)} chosen")
    if arguments.check:
        return 0
    tree = arguments.tree
    update(tree, texts)
    if not arguments.skip_build:
        build(tree, [arguments.swift, "build", "--build-tests"])
    for command in {tuple(command): command for group, _ in chosen for command in commands(group, arguments.quick)}.values():
        begin = time.monotonic()
        passed, _, output = run(tree, command, 0)
        if not passed or "with 0 tests" in output:
            sys.exit(f"{output[-4000:]}\nwithout any fault these fail, or are none: {command}")
        print(f"{time.monotonic() - begin:5.1f} s {command[-1]}", flush=True)

    bad = 0
    with ThreadPoolExecutor(arguments.jobs) as pool:
        results = pool.map(lambda pair: (*pair, *examine(tree, *pair, arguments.quick)), chosen)
        for group, mutant, state, detail in results:
            if mutant.equivalent:
                is_bad = state != "survived"
                state, detail = ("explained", mutant.equivalent) if not is_bad else ("WRONGLY EXPLAINED", detail)
            else:
                is_bad = state != "killed"
                state = "SURVIVED" if is_bad else state
            bad += is_bad
            print(f"{mutant.number:3} {group.name:13} {state:9} {mutant}\n{'':18}{detail}", flush=True)
    print(f"{len(chosen) - bad} of {len(chosen)} killed or explained")
    return 1 if bad else 0


if __name__ == "__main__":
    try:
        sys.exit(main())
    except TableError as error:
        sys.exit(f"Tests/Mutants: {error}")

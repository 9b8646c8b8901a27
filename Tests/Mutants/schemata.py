"""Plants faults in sources, each behind a switch that the environment turns on.

A fault is written as a line or more of a source, where it occurs once, with the changed part marked: `if «a > b => a >= b»
{`. Both parts are expressions. A statement whose other part is empty is left out: `«count += 1 => »`.
"""

from dataclasses import dataclass, field
from itertools import count
from pathlib import Path

# The environment variable with the number of the fault that is in force.
NAME = "LARDER_MUTANT"

SWIFT = """

internal import Glibc

/// The fault that is in force, by its number.
enum Mutant {{
    private static let number = unsafe getenv("{name}").flatMap {{ unsafe Int32(String(cString: $0)) }} ?? 0
    private static let reached: Void = {{
        let text = "{name} \\(number)\\n"
        _ = unsafe write(2, text, text.utf8.count)
    }}()

    static func `is`(_ other: Int32) -> Bool {{
        guard other == number else {{ return false }}
        reached
        return true
    }}
}}
"""

C = """
#include <stdio.h>
#include <stdlib.h>

/* Whether the fault with this number is in force. */
static inline int larder_mutant(int other) {{
    static int number = -1, is_reached;
    if (number < 0) {{
        const char *text = getenv("{name}");
        number = text ? atoi(text) : 0;
    }}
    if (other == number && !is_reached) {{
        is_reached = 1;
        fprintf(stderr, "{name} %d\\n", number);
    }}
    return other == number;
}}
"""

numbers = count(1)


class TableError(Exception):
    pass


@dataclass
class Mutant:
    # Below Sources.
    path: str
    text: str
    # Why no test can tell it from the original.
    equivalent: str = ""
    number: int = field(default_factory=lambda: next(numbers))

    def __post_init__(self):
        before, mark, rest = self.text.partition("«")
        change, end, after = rest.partition("»")
        original, arrow, changed = change.partition(" => ")
        if not (mark and end and arrow) or "«" in after:
            raise TableError(f"not of the form a «b => c» d: {self.text}")
        self.before, self.original, self.changed, self.after = before, original, changed, after

    def __str__(self):
        line = " ".join(self.text.split())
        return f"{self.path}: {line}"

    @property
    def is_c(self):
        return self.path.endswith(".c")

    @property
    def switch(self):
        return f"larder_mutant({self.number})" if self.is_c else f"Mutant.is({self.number})"


@dataclass
class Group:
    name: str
    # Patterns for `swift test --filter`: those that are likely to find the faults, and those that may as well.
    quick: str
    wide: str
    mutants: list


def place(text, mutant):
    """The range of the changed part in a source."""
    whole = mutant.before + mutant.original + mutant.after
    if text.count(whole) != 1:
        raise TableError(f"{mutant.path} has this {text.count(whole)} times, not once: {whole}")
    start = text.index(whole) + len(mutant.before)
    return start, start + len(mutant.original)


def replacement(mutants):
    """The text for one place, which one or more mutants change."""
    text = mutants[0].original
    for mutant in mutants:
        if not mutant.changed:
            text = f"if (!{mutant.switch}) {{ {text} }}"
        else:
            text = f"({mutant.switch} ? {mutant.changed} : {text})"
    return text


def planted(root, groups):
    """Returns the text of each source with its mutants, by its path in the checkout."""
    by_path = {}
    for group in groups:
        for mutant in group.mutants:
            by_path.setdefault(mutant.path, []).append(mutant)
    texts, targets = {}, set()
    for path, mutants in sorted(by_path.items()):
        text = (root / "Sources" / path).read_text()
        places = {}
        for mutant in mutants:
            places.setdefault(place(text, mutant), []).append(mutant)
        end = len(text)
        for (start, stop), here in sorted(places.items(), reverse=True):
            if stop > end:
                raise TableError(f"{path}: two mutants change parts of the same place: {here[0].text}")
            text = text[:start] + replacement(here) + text[stop:]
            end = start
        target = Path(path).parts[0]
        if path.endswith(".c"):
            head = '#include "guard.h"\n'
            text = text.replace(head, head + C.format(name=NAME), 1)
        elif target not in targets:
            targets.add(target)
            text += SWIFT.format(name=NAME)
        texts[f"Sources/{path}"] = text
    return texts

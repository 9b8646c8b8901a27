"""Checks the layout and the wording of Sources: `house.py` complains, `--report` only counts, `--self-check` feeds the
check one bad file of each kind and expects each complaint."""

import re
import sys
import tempfile
from collections import Counter, defaultdict
from pathlib import Path

LONGEST_FILE = 240
SHORT_FILE = 40
SHORT_SHARE = 0.15
# Below this number of files a target may have as many short ones as it likes.
FEW_FILES = 7
MERGED_FILE = 220
FOLDER_FILES = 12
TARGET_FILES = 45

DECLARATION = re.compile(
    r"^\s*(?:(?:public|package|private|fileprivate|final|indirect|nonisolated|@\w+)\s+)*"
    r"(?:struct|class|enum|actor|protocol)\s+(\w+)", re.MULTILINE)
# A protocol, the wrapper of a C handle, a provider or a spec may stand alone in a short file.
SEAM = re.compile(
    r"^(?:(?:public|package|@\w+) )*protocol |^(?:\w+ )?import C[A-Z]"
    r"|^package (?:final )?(?:struct|class) \w+: .*\bProductsProvider\b|= ComponentSpec<", re.MULTILINE)
# What a file declares for others, and what it names; comments and texts are no use of a type.
TOP_LEVEL = re.compile(
    r"^(?:(?:public|package|internal|final|indirect|nonisolated|@\w+(?:\([^)\n]*\))?)\s+)*"
    r"(?:struct|class|enum|actor|protocol|typealias)\s+(\w+)", re.MULTILINE)
NO_CODE = re.compile(r'"""(?:.|\n)*?"""|"(?:\\.|[^"\\\n])*"|//.*')
SECTION = re.compile(r"^/\* (\w+\.c)\b", re.MULTILINE)
CALL = re.compile(r"\blarder_\w+(?=\()")
MEMBER = re.compile(r"^    (?:[\w@]+ )*(?:(?:var|let) (\w+)|func (\w+)(?:<[^(]*>)?\((?:\s*(\w+))?)", re.MULTILINE)
# A metric that is named in the code, and not declared there.
SPELT = re.compile(r'(?<!MetricDescription\()(?<!MetricDescription\(\n        )"larder_')
TITLE = re.compile(r'@(?:Test|Suite)\(\s*"|@Test\b(?:(?!\bfunc\b).)*\bfunc (?!`)', re.DOTALL)
OPENING = re.compile(r"(?:Who|What|That of|Those|The same|Of|Which|Whoever|Whatever)\b")


def openings(path, lines):
    """Yields the numbers of the lines where a doc comment begins with a word that names nothing."""
    if path.suffix == ".swift":
        for number, line in enumerate(lines, 1):
            doc = re.match(r"\s*/// ?(.*)", line)
            follows = number > 1 and lines[number - 2].lstrip().startswith("///")
            if doc and OPENING.match(doc[1]) and not follows:
                yield number
    else:
        for number, line in enumerate(lines, 1):
            comment = re.match(r".*/\*+ (.*)", line)
            if comment and OPENING.match(comment[1]):
                yield number


def call_order(folder, complain):
    """Compares the calls of a folder of C with the order of its files that `steps.h` states."""
    text = re.sub(r'#include "(.+)"', lambda part: (folder / part[1]).read_text(), (folder / "steps.h").read_text())
    sections = list(SECTION.finditer(text))
    ends = [section.start() for section in sections[1:]] + [len(text)]
    owner = {}
    for rank, (section, end) in enumerate(zip(sections, ends)):
        for name in re.findall(r"\blarder_\w+(?=\([^*])", text[section.start():end]):
            owner.setdefault(name, (rank, section[1]))
    ranks = {section[1]: rank for rank, section in enumerate(sections)}
    for path in sorted(folder.glob("*.c")):
        own = ranks.get(path.name, len(ranks))
        for name in sorted(set(CALL.findall(path.read_text()))):
            if name in owner and owner[name][0] > own:
                complain("call order", path, f"calls {name} of {owner[name][1]}, which stands above it in steps.h")


def check_target(target, complain):
    """Checks what concerns the files of one target together."""
    files = {path: path.read_text() for path in sorted(target.rglob("*.swift"))}
    if len(files) > TARGET_FILES:
        complain("target", target, f"{len(files)} files, {TARGET_FILES} at most")
    short = [path for path, text in files.items() if text.count("\n") < SHORT_FILE and not SEAM.search(text)]
    if len(files) >= FEW_FILES and len(short) > SHORT_SHARE * len(files):
        complain("short files", target, f"{len(short)} of {len(files)}: {', '.join(path.name for path in short)}")
    declared = {name: path for path, text in files.items() for name in DECLARATION.findall(text)}
    for path, text in files.items():
        home = declared.get(path.stem.split("+")[0]) if "+" in path.stem else None
        if home and home != path:
            lines = text.count("\n") + files[home].count("\n")
            if lines <= MERGED_FILE:
                complain("slice", path, f"belongs in {home.name}, which has {lines} lines with it")


def declared_members(text, kind):
    """Yields the names of protocols, or of extended types, with the members that each block declares."""
    blocks = rf"^(?:\w+ )*{kind} (\w+)[^{{]*{{(?:\n((?s:.*?))^}}|( .*)}}$)"
    for block in re.finditer(blocks, text, re.MULTILINE):
        members = MEMBER.findall(block[2] or f"   {block[3]}")
        yield block[1], {variable or f"{function}({label}" for variable, function, label in members}


def check_seams(sources, complain):
    """Finds requirements of protocols that have a default, which a wrapper forgets without a word.

    The library for others is not looked at: there, a default is a convenience for those that adopt a protocol."""
    paths = [path for path in sorted(sources.rglob("*.swift")) if "PolymorphicCodable" not in path.parts]
    texts = {path: NO_CODE.sub("", path.read_text()) for path in paths}
    required = {name: members for text in texts.values() for name, members in declared_members(text, "protocol")}
    for path, text in texts.items():
        for name, members in declared_members(text, "extension"):
            for member in sorted(members & required.get(name, set())):
                complain("default", path, f"{name} has a default for its requirement {member}")


def check_folders(target, complain):
    """Compares the folders of a target: no way along the types that they use may lead back."""
    files = {path: NO_CODE.sub("", path.read_text()) for path in sorted(target.rglob("*.swift"))}
    home = {name: path for path, text in files.items() for name in TOP_LEVEL.findall(text)}
    uses = {}
    for path, text in files.items():
        for name in re.findall(r"\b[A-Z]\w+", text):
            if name in home and home[name].parent != path.parent:
                uses.setdefault((path.parent, home[name].parent), f"{path.name} uses {name}")
    ways = {pair: [pair] for pair in uses}
    for middle in {one for one, _ in uses}:
        to = [(one, way) for (one, other), way in ways.items() if other == middle]
        onward = [(other, way) for (one, other), way in ways.items() if one == middle]
        for one, way in to:
            for other, rest in onward:
                ways.setdefault((one, other), way + rest)
    for (one, other), way in sorted(ways.items()):
        if one == other and one == min(folder for folder, _ in way):
            complain("folders", one, ", and ".join(uses[pair] for pair in way))


def check(sources, complain):
    """Calls `complain` with kind, path and words for everything in `sources` that breaks a rule."""
    paths = [path for path in sorted(sources.rglob("*")) if path.suffix in (".swift", ".c", ".h")]
    for path in paths:
        lines = path.read_text().splitlines()
        if len(lines) > LONGEST_FILE:
            complain("long file", path, f"{len(lines)} lines, {LONGEST_FILE} at most")
        for number in openings(path, lines):
            complain("opening", f"{path}:{number}", lines[number - 1].strip())
        for name in SPELT.findall("\n".join(lines)) if path.suffix == ".swift" else []:
            complain("metric", path, f"{name} is spelt where its MetricDescription should be used")
    for folder, count in sorted(Counter(path.parent for path in paths).items()):
        # A folder of C may be larger where its steps.h gives its files an order, which is checked.
        if (folder / "steps.h").exists():
            call_order(folder, complain)
        elif count > FOLDER_FILES:
            complain("folder", folder, f"{count} files, {FOLDER_FILES} at most")
    for target in sorted(path for path in sources.iterdir() if path.is_dir()):
        check_target(target, complain)
        check_folders(target, complain)
    check_seams(sources, complain)
    for path in sorted((sources.parent / "Tests").rglob("*.swift")):
        if TITLE.search(path.read_text()):
            complain("test name", path, "a test is named by its function, a suite by its type")
    for name, count in Counter(path.name for path in paths if path.suffix == ".swift").items():
        if count > 1:
            complain("file name", name, f"{count} files have this name")


def complaints(sources):
    found = defaultdict(list)
    check(sources, lambda kind, path, words: found[kind].append(f"{path}: {kind}: {words}"))
    return found


def self_check():
    """Writes sources with and without faults, and compares the kinds of complaints with those expected."""
    line = "let value = 1\n"
    steps = "/* low.c */\nvoid larder_low(void);\n/* high.c */\nvoid larder_high(void);\n"
    cases = {
        "": {"Good/A/One.swift": "/// Parses. Of use.\n/// Which is fine.\n" + line * 60, "C/s/steps.h": steps,
             "C/s/high.c": "int f(void) { larder_low(); }\n", "Good/A/String+Good.swift": line * 50,
             **{f"Small/F{number}.swift": "package struct P: ProductsProvider {}\n" for number in range(7)}},
        "long file": {"Bad/Long.swift": line * 261},
        "opening": {"Bad/Open.swift": "/// Whoever reads.\n" + line * 60, "C/open.c": "/* Of a server. */\n" + line},
        "folder": {f"Bad/Many/F{number}.swift": line * 40 for number in range(13)},
        "target": {f"Bad/{number % 6}/F{number}.swift": line * 40 for number in range(TARGET_FILES + 1)},
        "short files": {f"Bad/F{number}.swift": line for number in range(7)},
        "slice": {"Bad/Thing.swift": "public final class Thing {}\n" + line * 60, "Bad/Thing+More.swift": line * 40},
        "folders": {"Bad/A/One.swift": "struct One { let two: Two }\n" + line * 60,
                    "Bad/B/Two.swift": "struct Two {}\n" + line * 60,
                    "Bad/B/Three.swift": "func f(_ one: Four) {}\n" + line * 60,
                    "Bad/C/Four.swift": "struct Four { let one: One }\n" + line * 60},
        "default": {"Bad/Seam.swift": "protocol Seam {\n    func f<T>()\n    var size: Int { get }\n}\n" + line * 60,
                    "Bad/Wrapped.swift": "extension Seam {\n    var size: Int { 0 }\n    func g() {}\n}\n" + line * 60,
                    "Bad/OnOneLine.swift": "extension Seam { func f<T>() {} }\n" + line * 60},
        "metric": {"Bad/Meter.swift": 'let jobs = MetricDescription(\n        "larder_jobs", .counter)\n' + line * 60,
                   "Bad/Counting.swift": 'let counter = Counter(label: "larder_jobs_total")\n' + line * 60},
        "test name": {"../Tests/T.swift": '@Suite("S") struct T {\n@Test func `a b`() {}\n}\n',
                      "../Tests/V.swift": '@Test("a b") func `a b`() {}\n',
                      "../Tests/U.swift": "@Test(arguments: [(1, 2)])\nfunc works(a: Int) {}\n"},
        "file name": {f"{target}/Twice.swift": line * 60 for target in ("One", "Two")},
        "call order": {"C/s/steps.h": steps, "C/s/low.c": "void f(void) { larder_high(); }\n"},
    }
    for kind, files in cases.items():
        with tempfile.TemporaryDirectory() as directory:
            for name, text in files.items():
                path = Path(directory, "Sources", name)
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_text(text)
            found = complaints(Path(directory, "Sources"))
            assert set(found) == ({kind} if kind else set()), f"expected {kind or 'nothing'}: {dict(found)}"
            faults = {"opening": len(files), "test name": len(files), "default": 2}.get(kind)
            assert faults in (None, len(found[kind])), dict(found)


if __name__ == "__main__":
    if sys.argv[1:] == ["--self-check"]:
        sys.exit(self_check())
    found = complaints(Path("Sources"))
    for kind, lines in found.items():
        print(f"{kind}: {len(lines)}" if sys.argv[1:] == ["--report"] else "\n".join(lines))
    sys.exit("--report" not in sys.argv and bool(found))

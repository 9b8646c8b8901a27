"""The results as an SVG for the README, legible on white and on black."""

from html import escape

from results import Result
from servers import NAMES

WIDTH, LEFT, RIGHT, BAR, GAP, TOP = 880, 350, 70, 13, 16, 46
COLOURS = {"Larder": "#2f81f7", "floor": "#57606a", "plain evhttp": "#8b949e", "nginx": "#2da44e", "Varnish": "#bf8700"}
STYLE = """text { font: 12px sans-serif; fill: #1f2328 } .small { font-size: 10px }
.faint { fill: #656d76 } .line { stroke: #656d76 }
@media (prefers-color-scheme: dark) { text { fill: #e6edf3 } .faint { fill: #9198a1 } .line { stroke: #9198a1 } }"""


def chart(results: list[Result]) -> str:
    """Bars for each row: the peers' processor time as a part of Larder's, which other guests of a machine change little."""
    drawn = [result for result in results if shown(result)[1:]]
    longest = max([1.0, *(share(result, name) for result in drawn for name in shown(result))])
    scale = (WIDTH - LEFT - RIGHT) / longest
    height = TOP + sum(len(shown(result)) * BAR + GAP for result in drawn) + 4
    parts = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" role="img" '
             f'aria-label="Processor time of Larder and its peers">', f"<style>{STYLE}</style>", *legend()]
    parts.append(f'<line class="line" stroke-dasharray="2 3" x1="{LEFT + scale:.1f}" y1="{TOP - 8}" '
                 f'x2="{LEFT + scale:.1f}" y2="{height - 8}"/>')
    top = TOP
    for result in drawn:
        parts += group(result, top, scale)
        top += len(shown(result)) * BAR + GAP
    return "\n".join(parts + ["</svg>", ""])


def shown(result: Result) -> list[str]:
    """The servers with a bar in a row."""
    return [name for name in NAMES if name == "Larder" or result.ratio(name)]


def share(result: Result, name: str) -> float:
    return result.middle(name, "cost") / result.middle("Larder", "cost")


def legend() -> list[str]:
    parts = ['<text x="8" y="18">Processor time of a request, Larder = 1</text>']
    for number, name in enumerate(NAMES):
        left = LEFT + number * 105
        parts.append(f'<rect x="{left}" y="8" width="12" height="12" fill="{COLOURS[name]}"/>')
        parts.append(f'<text x="{left + 17}" y="18">{escape(name)}</text>')
    return parts


def group(result: Result, top: float, scale: float) -> list[str]:
    connections = result.row.connections
    parts = [f'<text x="8" y="{top + 18}">{escape(result.row.title)}</text>',
             f'<text class="faint" x="8" y="{top + 34}">{connections} connection{"s" * (connections > 1)}</text>']
    for number, name in enumerate(shown(result)):
        part = share(result, name)
        label = f'{result.middle("Larder", "cost"):,.1f} µs' if name == "Larder" else f"{part:.2f}"
        y = top + number * BAR
        parts.append(f'<rect x="{LEFT}" y="{y}" width="{part * scale:.1f}" height="{BAR - 2}" '
                     f'fill="{COLOURS[name]}"/>')
        parts.append(f'<text x="{LEFT + part * scale + 5:.1f}" y="{y + BAR - 3}" class="small">{label}</text>')
    return parts

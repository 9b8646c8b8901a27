"""The results as an SVG for the README, legible on white and on black."""

from html import escape

from chart import COLOURS, STYLE

WIDTH, LEFT, RIGHT, BAR, GAP, TOP = 880, 300, 130, 13, 16, 46
FLOORS = "floors in C"


def chart(columns: list) -> str:
    """Bars for each number of products with descriptions: Larder's time as a part of orjson's."""
    groups = [(f"{column.count:,} products, {column.megabytes:.1f} MB", bars(column))
              for column in columns if column.is_described]
    longest = max([1.0, *(ratio for _, found in groups for _, ratio, _ in found)])
    scale = (WIDTH - LEFT - RIGHT) / longest
    height = TOP + sum(len(found) * BAR + GAP + BAR for _, found in groups) + 4
    parts = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" role="img" '
             f'aria-label="Processor time of a refresh">', f"<style>{STYLE}</style>",
             '<text x="8" y="18">Processor time of a refresh, all threads; orjson reads and writes the same bytes in 1</text>',
             f'<line class="line" stroke-dasharray="2 3" x1="{LEFT + scale:.1f}" y1="{TOP - 16}" '
             f'x2="{LEFT + scale:.1f}" y2="{height - 8}"/>']
    top = TOP
    for title, found in groups:
        parts.append(f'<text x="8" y="{top}">{escape(title)}</text>')
        for name, ratio, milliseconds in found:
            colour = COLOURS["plain evhttp" if name == FLOORS else "Larder"]
            parts += [f'<text class="faint" x="20" y="{top + BAR}">{escape(name)}</text>',
                      f'<rect x="{LEFT}" y="{top + 3}" width="{ratio * scale:.1f}" height="{BAR - 2}" fill="{colour}"/>',
                      f'<text x="{LEFT + ratio * scale + 5:.1f}" y="{top + BAR}" class="small">{ratio:.2f}, '
                      f'{milliseconds:,.1f} ms</text>']
            top += BAR
        top += GAP + BAR
    return "\n".join(parts + ["</svg>", ""])


def bars(column) -> list[tuple[str, float, float]]:
    """Names, ratios to orjson and ms."""
    floors = sum(column.floors.values())
    rows = [(row, column.ratio(row), column.middle(row)) for row in column.times]
    return [*rows, (FLOORS, floors * rows[0][1] / rows[0][2], floors)]

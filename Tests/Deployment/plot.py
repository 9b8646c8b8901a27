"""Line charts, one above the other, as SVG."""

from html import escape

WIDTH, HEIGHT, LEFT, TOP, GAP = 900, 130, 70, 28, 30
COLOURS = ("#1b6ca8", "#c8553d", "#588157", "#8e6c8a", "#b08900", "#5f6368")


def plot(charts: list[tuple[str, dict[str, list[tuple[float, float]]]]]) -> str:
    """Charts with a title each, of named series of points (seconds, value)."""
    height = len(charts) * (TOP + HEIGHT + GAP)
    drawn = "".join(chart(title, series, number * (TOP + HEIGHT + GAP))
                    for number, (title, series) in enumerate(charts))
    return (f'<svg xmlns="http://www.w3.org/2000/svg" width="{LEFT + WIDTH + 20}" height="{height}" '
            f'font-family="sans-serif" font-size="11"><rect width="100%" height="100%" fill="white"/>{drawn}</svg>\n')


def chart(title: str, series: dict[str, list[tuple[float, float]]], y: float) -> str:
    points = [point for line in series.values() for point in line if point[1] == point[1]]
    last = max((at for at, _ in points), default=1) or 1
    most = max((value for _, value in points), default=1) or 1
    bottom = y + TOP + HEIGHT
    parts = [f'<text x="{LEFT}" y="{y + 16}" font-size="13">{escape(title)}</text>',
             f'<path d="M{LEFT},{y + TOP}V{bottom}H{LEFT + WIDTH}" fill="none" stroke="#999"/>',
             f'<text x="{LEFT - 4}" y="{y + TOP + 8}" text-anchor="end">{most:.4g}</text>',
             f'<text x="{LEFT - 4}" y="{bottom}" text-anchor="end">0</text>',
             f'<text x="{LEFT + WIDTH}" y="{bottom + 14}" text-anchor="end">{last:.0f} s</text>']
    for number, (name, line) in enumerate(sorted(series.items())):
        colour = COLOURS[number % len(COLOURS)]
        path = " ".join(f"{LEFT + at / last * WIDTH:.1f},{bottom - value / most * HEIGHT:.1f}"
                        for at, value in line if value == value)
        parts.append(f'<polyline points="{path}" fill="none" stroke="{colour}"/>')
        parts.append(f'<text x="{LEFT + 330 + 150 * number}" y="{y + 16}" fill="{colour}">{escape(name)}</text>')
    return "".join(parts)

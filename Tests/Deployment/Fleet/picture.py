"""The time line of a drill as SVG: versions, how far each replica is behind, requests, refreshes; faults as bands."""

from collections import Counter
from html import escape

from checks import Record, share

WIDTH, LEFT, GAP = 1600, 90, 34
COLOURS = ("#1b6ca8", "#c8553d", "#588157", "#8e6c8a", "#5f6368")


class Picture:
    def __init__(self, record: Record):
        self.record, self.parts, self.y = record, [], 20
        self.seconds = max(1, record.ended - record.began)

    def x(self, at: float) -> float:
        return LEFT + (min(at, self.record.ended) - self.record.began) / self.seconds * WIDTH

    def title(self, words: str, names: list[str], height: int) -> float:
        """Begins a chart; gives its bottom."""
        self.text(LEFT, self.y + 14, words, size=13)
        for number, name in enumerate(names):
            self.text(LEFT + 520 + 150 * number, self.y + 14, name, COLOURS[number % len(COLOURS)])
        bottom = self.y + 22 + height
        for window in self.record.windows:
            left, healed, right = self.x(window.began), self.x(window.healed), self.x(window.until)
            colour = "#e8b4b4" if window.agreed is None else "#f6dfb8"
            self.parts.append(f'<rect x="{left:.1f}" y="{bottom - height}" width="{max(1, healed - left):.1f}" '
                              f'height="{height}" fill="{colour}"><title>{escape(window.name)}</title></rect>'
                              f'<rect x="{healed:.1f}" y="{bottom - height}" width="{max(0, right - healed):.1f}" '
                              f'height="{height}" fill="#eef3e2"/>')
        self.parts.append(f'<path d="M{LEFT},{bottom - height}V{bottom}H{LEFT + WIDTH}" fill="none" stroke="#999"/>')
        self.y = bottom + GAP
        return bottom

    def text(self, x: float, y: float, words: str, colour: str = "#222", anchor: str = "start", size: int = 11,
             more: str = "") -> None:
        self.parts.append(f'<text x="{x:.1f}" y="{y:.1f}" fill="{colour}" text-anchor="{anchor}" font-size="{size}"'
                          f'{more}>{escape(words)}</text>')

    def lines(self, words: str, series: dict[str, list[tuple[float, float]]], height: int = 130,
              is_stepped: bool = False) -> None:
        bottom = self.title(words, list(series), height)
        values = [value for line in series.values() for _, value in line if value == value]
        low, high = (min(values), max(values)) if is_stepped and values else (0, max(values, default=1))
        reach = (high - low) or 1
        self.text(LEFT - 6, bottom - height + 8, f"{high:.4g}", anchor="end")
        self.text(LEFT - 6, bottom, f"{low:.4g}", anchor="end")
        for number, line in enumerate(series.values()):
            # Lines that are the same lie beside each other.
            shift = number * 1.5 if is_stepped else 0
            points, last = [], None
            for at, value in line:
                if value != value:
                    continue
                height_of_it = bottom - (value - low) / reach * height + shift
                if is_stepped and last is not None and last != height_of_it:
                    points.append(f"{self.x(at):.1f},{last:.1f}")
                if last != height_of_it or not is_stepped:
                    points.append(f"{self.x(at):.1f},{height_of_it:.1f}")
                last = height_of_it
            if line and last is not None:
                points.append(f"{self.x(line[-1][0]):.1f},{last:.1f}")
            self.parts.append(f'<polyline points="{" ".join(points)}" fill="none" '
                              f'stroke="{COLOURS[number % len(COLOURS)]}"/>')

    def marks(self, words: str, rows: dict[str, list[float]], height: int = 18) -> None:
        """A stroke for each event, in a row for each name."""
        bottom = self.title(words, [], height * max(1, len(rows)))
        for number, (name, times) in enumerate(rows.items()):
            y = bottom - height * (len(rows) - number)
            self.text(LEFT - 6, y + height - 5, name, COLOURS[number % len(COLOURS)], "end")
            path = "".join(f"M{self.x(at):.1f},{y + 3}v{height - 6}" for at in times)
            self.parts.append(f'<path d="{path}" stroke="{COLOURS[number % len(COLOURS)]}" fill="none"/>')

    def legend(self) -> None:
        """The faults, with their times."""
        for window in self.record.windows:
            end = f"agreed after {window.agreed - window.healed:.2f} s" if window.agreed else "NO AGREEMENT"
            self.text(LEFT, self.y, f"{window.began - self.record.began:7.1f} to "
                      f"{window.healed - self.record.began:7.1f} s  {window.name}, {end}",
                      "#222" if window.agreed else "#b00020")
            self.y += 14

    def svg(self) -> str:
        return (f'<svg xmlns="http://www.w3.org/2000/svg" width="{LEFT + WIDTH + 20}" height="{self.y + 10:.0f}" '
                f'font-family="sans-serif" font-size="11"><rect width="100%" height="100%" fill="white"/>'
                f'{"".join(self.parts)}</svg>\n')


def draw(record: Record, changes: list[tuple[float, int]]) -> str:
    picture = Picture(record)
    names = [f"replica-{number + 1}" for number in range(len(record.starts))]
    seen = {name: [] for name in names}
    behind = {name: [] for name in names}
    changes, newest, current = sorted(changes), 0, 0
    for one in sorted(record.sights, key=lambda sight: sight.at):
        while newest < len(changes) and changes[newest][0] <= one.at:
            current = changes[newest][1]
            newest += 1
        if one.status == 200 and one.version > 0:
            seen[names[one.replica]].append((one.at, one.version))
            behind[names[one.replica]].append((one.at, current - one.version))
    picture.lines("version that each replica serves", seen, 260, is_stepped=True)
    picture.lines("versions behind the upstream", behind, 110, is_stepped=True)
    counts, bad, times = Counter(), Counter(), {}
    for request in record.requests:
        second = int(request.due)
        (counts if request.status == 200 else bad)[second] += 1
        times.setdefault(second, []).append(request.micros / 1000)
    seconds = range(int(record.began) + 1, int(record.ended))
    picture.lines("requests a second through HAProxy", {
        "answered": [(at, counts[at]) for at in seconds], "failed": [(at, bad[at]) for at in seconds]}, 90)
    picture.lines("99 of 100 requests take at most (ms)", {
        "p99": [(at, share(times.get(at, []), .99)) for at in seconds]}, 90)
    picture.marks("refreshes at the upstream, by replica", {
        name: [one.began for one in record.refreshes if one.visitor == name]
        for name in sorted({one.visitor for one in record.refreshes})})
    picture.marks("kills", {"kill -9": [kill for window in record.windows for kill in window.kills]})
    picture.legend()
    return picture.svg()

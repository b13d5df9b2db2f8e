"""Lines drawn on a page: joined, grouped where they meet, and found by level."""

from bisect import bisect_right
from collections import defaultdict
from typing import NamedTuple

from transforms.parsing.model import Rule

THIN = 3.0
"""Points: a rectangle thinner than this is a line."""

TOUCH = 3.0
"""Points within which two lines meet."""

MIN_LENGTH = 8.0


class Segment(NamedTuple):
    """A straight line: where it stands across, and from where to where it runs."""

    at: float
    start: float
    stop: float


def drawn_lines(rules: list[Rule]) -> tuple[list[Segment], list[Segment]]:
    """Return horizontal and vertical lines; a stroked box gives its four sides."""
    across: list[Segment] = []
    down: list[Segment] = []
    for x0, y0, x1, y1, is_stroked in rules:
        width, height = x1 - x0, y1 - y0
        if height < THIN <= width:
            across.append(Segment((y0 + y1) / 2, x0, x1))
        elif width < THIN <= height:
            down.append(Segment((x0 + x1) / 2, y0, y1))
        elif is_stroked and width > MIN_LENGTH and height > MIN_LENGTH:
            across.extend((Segment(y0, x0, x1), Segment(y1, x0, x1)))
            down.extend((Segment(x0, y0, y1), Segment(x1, y0, y1)))
    return _joined(across), _joined(down)


def _joined(segments: list[Segment]) -> list[Segment]:
    """Join pieces of one line; drop what stays short."""
    lines: list[Segment] = []
    open_lines: list[Segment] = []
    for segment in sorted(segments):
        for i, line in enumerate(open_lines):
            near = segment.at - line.at <= 1.5
            if near and segment.start <= line.stop + TOUCH and segment.stop >= line.start - TOUCH:
                open_lines[i] = Segment(
                    line.at, min(line.start, segment.start), max(line.stop, segment.stop)
                )
                break
        else:
            lines.extend(line for line in open_lines if segment.at - line.at > 1.5)
            open_lines = [line for line in open_lines if segment.at - line.at <= 1.5]
            open_lines.append(segment)
    return [line for line in lines + open_lines if line.stop - line.start > MIN_LENGTH]


def meeting(
    across: list[Segment], down: list[Segment]
) -> list[tuple[list[Segment], list[Segment]]]:
    """Return groups of lines that meet each other: one group per table."""
    group = list(range(len(across) + len(down)))

    def root(i: int) -> int:
        while group[i] != i:
            group[i] = group[group[i]]
            i = group[i]
        return i

    for i, h in enumerate(across):
        for j, v in enumerate(down, start=len(across)):
            if (
                h.start - TOUCH <= v.at <= h.stop + TOUCH
                and v.start - TOUCH <= h.at <= v.stop + TOUCH
            ):
                group[root(i)] = root(j)
    members: dict[int, tuple[list[Segment], list[Segment]]] = defaultdict(lambda: ([], []))
    for i, h in enumerate(across):
        members[root(i)][0].append(h)
    for j, v in enumerate(down, start=len(across)):
        members[root(j)][1].append(v)
    return [
        (rows, columns)
        for rows, columns in members.values()
        if len(levels(rows)) >= 3 and len(levels(columns)) >= 2
    ]


def levels(segments: list[Segment]) -> list[float]:
    """Return the distinct places of lines, in order."""
    places: list[float] = []
    for at in sorted(segment.at for segment in segments):
        if not places or at - places[-1] > TOUCH:
            places.append(at)
    return places


def by_level(segments: list[Segment], places: list[float]) -> list[list[Segment]]:
    """Return the lines at each level."""
    found: list[list[Segment]] = [[] for _ in places]
    for segment in segments:
        i = bisect_right(places, segment.at)
        for k in (i - 1, i):
            if 0 <= k < len(places) and abs(places[k] - segment.at) <= TOUCH:
                found[k].append(segment)
    return found


def has_line(segments: list[Segment], middle: float) -> bool:
    return any(segment.start - 1 <= middle <= segment.stop + 1 for segment in segments)

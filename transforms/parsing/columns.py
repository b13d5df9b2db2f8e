"""Reading order: bands of a page, and the text columns inside a band.

A gutter parts two columns of prose; it does not part the cells of a table. What tells them apart:
columns are filled lines of words; cells are short, or share their baselines with their neighbours.
A fragment that runs across the gutter (a heading over both columns) ends a band.
"""

from typing import NamedTuple

from transforms.parsing.model import Fragment, Rule
from transforms.parsing.prose import MIN_SIDE_LINES, is_number, is_prose_pair

BIN = 1.0
"""Points per bin when looking for gutters."""

MAX_WIDTH = 20_000.0
"""Points: no page is wider (ISO 32000 has 14,400 units); damaged files claim anything."""

MIN_GUTTER = 4.0
"""Points: narrower white space is a gap between words."""

MAX_STRIPS = 6

MAX_CROSSING_SHARE = 0.25
"""Part of the lines that may run across a gutter: headings over both columns, wide tables."""


MAX_DEPTH = 2
"""Times that a side is parted again: two give up to four columns."""


class Region(NamedTuple):
    """Fragments that are read together, top to bottom; column 0 runs across all columns."""

    column: int
    fragments: list[Fragment]


Band = tuple[list[Fragment], bool]
"""Fragments between two heights, and whether a gutter parts them."""


class Gutter(NamedTuple):
    """White space between two columns."""

    x0: float
    x1: float

    @property
    def middle(self) -> float:
        return (self.x0 + self.x1) / 2


def reading_order(
    fragments: list[Fragment], rules: list[Rule], *, is_right_to_left: bool, depth: int = 0
) -> list[Region]:
    """Return the fragments of a page as regions in reading order.

    Each side of a gutter is looked at again, so that three and four columns are found too.
    """
    split = _best_split(fragments, rules) if depth < MAX_DEPTH else None
    if split is None:
        return [Region(1, fragments)] if fragments else []
    gutter, bands = split
    regions: list[Region] = []
    for band, is_split in bands:
        if not is_split:
            regions.append(Region(0, band))
            continue
        n_columns = 0
        sides = _sides(band, gutter)
        for side in reversed(sides) if is_right_to_left else sides:
            inner = reading_order(side, rules, is_right_to_left=is_right_to_left, depth=depth + 1)
            regions.extend(
                region._replace(column=region.column + n_columns if region.column else 0)
                for region in inner
            )
            n_columns += max((region.column for region in inner), default=0)
    return regions


def _sides(fragments: list[Fragment], gutter: Gutter) -> tuple[list[Fragment], list[Fragment]]:
    middle = gutter.middle
    left = [f for f in fragments if (f.x0 + f.x1) / 2 <= middle]
    right = [f for f in fragments if (f.x0 + f.x1) / 2 > middle]
    return left, right


def _best_split(fragments: list[Fragment], rules: list[Rule]) -> tuple[Gutter, list[Band]] | None:
    """Return the white strip that parts most text into columns of prose, and its bands."""
    wordy = [f for f in fragments if len(f.text) > 3 and not is_number(f.text)]
    if len(wordy) < MIN_SIDE_LINES + 2:
        return None
    left, right = min(f.x0 for f in wordy), max(f.x1 for f in wordy)
    width = right - left
    if not 100 <= width <= MAX_WIDTH or sum(1 for f in wordy if f.x0 > left + 0.2 * width) < 2:
        return None
    best: tuple[int, Gutter, list[Band]] | None = None
    for gutter in _white_strips(wordy, left, right):
        n_right = sum(1 for f in wordy if f.x0 > gutter.x0 - 12)
        if n_right < 2 or len(wordy) - n_right < 2:
            continue
        bands = _bands(fragments, gutter, rules)
        n_parted = sum(len(band) for band, is_split in bands if is_split)
        if n_parted and (best is None or n_parted > best[0]):
            best = (n_parted, gutter, bands)
    return best[1:] if best else None


def _white_strips(wordy: list[Fragment], left: float, right: float) -> list[Gutter]:
    """Return the strips inside the text that few fragments cross, widest first."""
    n_bins = int((right - left) / BIN) + 2
    steps = [0] * (n_bins + 1)
    for f in wordy:
        steps[int((f.x0 - left) / BIN)] += 1
        steps[min(n_bins, int((f.x1 - left) / BIN) + 1)] -= 1
    cover: list[int] = []
    total = 0
    for step in steps[:n_bins]:
        total += step
        cover.append(total)
    few = MAX_CROSSING_SHARE * max(cover)
    strips = [
        Gutter(left + a * BIN, left + (b + 1) * BIN)
        for a, b in _low_runs(cover, few)
        if a > 0.06 * n_bins and b < 0.97 * n_bins and (b - a + 1) * BIN >= MIN_GUTTER
    ]
    return sorted(strips, key=lambda strip: strip.x0 - strip.x1)[:MAX_STRIPS]


def _low_runs(cover: list[int], few: float) -> list[tuple[int, int]]:
    """Return runs of bins that few fragments cover, narrowed to where the fewest do."""
    runs: list[tuple[int, int]] = []
    start = None
    for i, n in enumerate([*cover, len(cover) * 1000]):
        if n <= few:
            start = i if start is None else start
        elif start is not None:
            fewest = min(cover[start:i]) + 1
            low = [k for k in range(start, i) if cover[k] <= fewest]
            runs.append((low[0], low[-1]))
            start = None
    return runs


def _bands(fragments: list[Fragment], gutter: Gutter, rules: list[Rule]) -> list[Band]:
    """Part a page into bands, top to bottom; say of each whether the gutter parts it."""
    crossing = _crossing(fragments, gutter)
    cuts = sorted(
        [*((_middle(f), f) for f in crossing), *_rule_cuts(fragments, gutter, rules)],
        key=lambda cut: cut[0],
    )
    if not cuts:
        return [(fragments, _is_parted(fragments, gutter, rules))]
    rest = sorted((f for f in fragments if f not in crossing), key=_middle)
    pieces: list[Band] = []
    start = 0
    for height, cut in (*cuts, (float("inf"), None)):
        stop = start
        while stop < len(rest) and _middle(rest[stop]) < height:
            stop += 1
        if stop > start:
            piece = rest[start:stop]
            pieces.append((piece, _is_parted(piece, gutter, rules)))
        if cut is not None:
            pieces.append(([cut], False))
        start = stop
    return _merged(pieces, gutter)


def _is_parted(piece: list[Fragment], gutter: Gutter, rules: list[Rule]) -> bool:
    n_rules = len(_crossing_rules(piece, gutter, rules)) if rules else 0
    return is_prose_pair(*_sides(piece, gutter), n_rules=n_rules)


def _rule_cuts(
    fragments: list[Fragment], gutter: Gutter, rules: list[Rule]
) -> list[tuple[float, None]]:
    """Return the heights of horizontal rules that run across most of the text."""
    left, right = min(f.x0 for f in fragments), max(f.x1 for f in fragments)
    return [
        (height, None)
        for height in _crossing_rules(fragments, gutter, rules, min_width=0.7 * (right - left))
    ]


def _merged(pieces: list[Band], gutter: Gutter) -> list[Band]:
    """Join neighbouring bands that are not parted; short bands between columns are parted too."""
    is_page_parted = any(is_split for _, is_split in pieces)
    bands: list[Band] = []
    for piece, is_split in pieces:
        parted = is_split or (is_page_parted and _is_short_pair(piece, gutter))
        if bands and not parted and not bands[-1][1]:
            bands[-1] = (bands[-1][0] + piece, False)
        else:
            bands.append((piece, parted))
    return bands


def _is_short_pair(piece: list[Fragment], gutter: Gutter) -> bool:
    """Return whether a few fragments are the end of two columns rather than a row of cells."""
    left, right = _sides(piece, gutter)
    if len(piece) > 2 * MIN_SIDE_LINES + 2 or any(f.x0 < gutter.middle < f.x1 for f in piece):
        return False
    return all(len(f.text) > 30 for f in piece) and bool(left or right)


def _crossing(fragments: list[Fragment], gutter: Gutter) -> set[Fragment]:
    """Return the fragments that run across the gutter with nothing beside them."""
    wide = [f for f in fragments if f.x0 < gutter.x0 - 12 and f.x1 > gutter.x1 + 12]
    return {
        f
        for f in wide
        if not any(
            g is not f and g.y0 < f.baseline < g.y1 and (g.x0 > f.x1 or g.x1 < f.x0)
            and len(g.text) > 12
            for g in fragments
        )
    }  # fmt: skip


def _crossing_rules(
    fragments: list[Fragment], gutter: Gutter, rules: list[Rule], *, min_width: float = 0.0
) -> set[float]:
    """Return the heights of horizontal rules inside the text that run across the gutter."""
    top, bottom = min(f.y0 for f in fragments), max(f.y1 for f in fragments)
    return {
        float(round(rule.y0))
        for rule in rules
        if rule.y1 - rule.y0 < 3
        and rule.x0 < gutter.x0 - 5
        and rule.x1 > gutter.x1 + 5
        and rule.x1 - rule.x0 > min_width
        and top + 5 < rule.y0 < bottom - 5
    }


def _middle(fragment: Fragment) -> float:
    return (fragment.y0 + fragment.y1) / 2

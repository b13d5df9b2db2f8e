"""Figures that are drawn with lines and curves: strokes that lie together beside a caption."""

from collections import defaultdict

from transforms.parsing.model import Picture, PrintedLine, PrintedPage, Rule
from transforms.parsing.roles import CAPTION

CELL = 18.0
"""Points: strokes nearer than this belong to one figure."""

MIN_STROKES = 12
MIN_FIGURE_SIDE = 60.0
MAX_FIGURE_CHARS = 1500
"""A box with more text in it than this is text in a box."""

CAPTION_GAP = 72.0
"""Points between a figure and its caption, at most: labels may stand between them."""

Box = tuple[float, float, float, float]


def drawn_figures(page: PrintedPage) -> list[Picture]:
    """Return the figures that are drawn on a page, as images without pixels, top to bottom.

    Only what stands beside the caption of a figure counts: there are too many rules, frames and
    forms to take any cluster of strokes for a figure.
    """
    if len(page.rules) < MIN_STROKES or not _captions(page):
        return []
    by_caption: dict[int, list[Box]] = defaultdict(list)
    for strokes in _clusters(_strokes(page)):
        box = _union(strokes)
        caption = caption_of(_picture(box), page)
        if caption is not None and len(strokes) >= MIN_STROKES:
            by_caption[id(caption)].append(box)
    figures = [_picture(_union(boxes)) for boxes in by_caption.values()]
    return sorted(
        (figure for figure in figures if _is_figure(figure, page)), key=lambda one: (one.y0, one.x0)
    )


def caption_of(picture: Picture, page: PrintedPage) -> PrintedLine | None:
    """Return the caption that stands above or below an image, the nearest, null without one."""
    near = [
        (gap, number)
        for number, line in enumerate(page.lines)
        if _is_caption(line) and line.x0 < picture.x1 and line.x1 > picture.x0
        if (gap := max(line.y0 - picture.y1, picture.y0 - line.y1)) <= CAPTION_GAP
    ]
    return page.lines[min(near)[1]] if near else None


def lines_within(picture: Picture, page: PrintedPage) -> list[PrintedLine]:
    """Return the lines whose middle lies within an image."""
    return [
        line
        for line in page.lines
        if picture.x0 <= (line.x0 + line.x1) / 2 <= picture.x1
        and picture.y0 <= (line.y0 + line.y1) / 2 <= picture.y1
    ]


def _captions(page: PrintedPage) -> list[PrintedLine]:
    return [line for line in page.lines if _is_caption(line)]


def _is_caption(line: PrintedLine) -> bool:
    """Return whether a line begins as the caption of a figure does, whatever it was taken for."""
    found = CAPTION.match(line.text)
    return found is not None and not found["kind"].lower().startswith(("tab", "表"))


def _strokes(page: PrintedPage) -> list[Rule]:
    """Return the strokes that may make a figure: no frame of the page, no line of a ruled table."""
    tables = [(line.y0, line.y1) for line in page.lines if line.grid is not None]
    return [
        rule
        for rule in page.rules
        if (rule.x1 - rule.x0) * (rule.y1 - rule.y0) < 0.5 * page.width * page.height
        and not any(y0 <= (rule.y0 + rule.y1) / 2 <= y1 for y0, y1 in tables)
    ]


def _clusters(strokes: list[Rule]) -> list[list[Rule]]:
    """Return strokes that lie together: neighbours on a grid of cells are joined."""
    cells: dict[tuple[int, int], list[Rule]] = defaultdict(list)
    for stroke in strokes:
        for x in range(int(stroke.x0 // CELL), int(stroke.x1 // CELL) + 1):
            for y in range(int(stroke.y0 // CELL), int(stroke.y1 // CELL) + 1):
                cells[x, y].append(stroke)
    clusters: list[list[Rule]] = []
    while cells:
        reached, found = [next(iter(cells))], dict[int, Rule]()
        while reached:
            x, y = reached.pop()
            found |= {id(stroke): stroke for stroke in cells.pop((x, y), ())}
            reached += [
                (a, b) for a in (x - 1, x, x + 1) for b in (y - 1, y, y + 1) if (a, b) in cells
            ]
        clusters.append(list(found.values()))
    return clusters


def _is_figure(picture: Picture, page: PrintedPage) -> bool:
    is_large = min(picture.x1 - picture.x0, picture.y1 - picture.y0) >= MIN_FIGURE_SIDE
    is_placed = any(
        _shared(picture, other) > 0.5 * (picture.x1 - picture.x0) * (picture.y1 - picture.y0)
        for other in page.pictures
    )
    n_chars = sum(len(line.text) for line in lines_within(picture, page))
    return is_large and not is_placed and n_chars <= MAX_FIGURE_CHARS


def _shared(one: Picture, other: Picture) -> float:
    """Return the area that two images share."""
    width = min(one.x1, other.x1) - max(one.x0, other.x0)
    height = min(one.y1, other.y1) - max(one.y0, other.y0)
    return max(0.0, width) * max(0.0, height)


def _union(boxes: list[Rule] | list[Box]) -> Box:
    x0s, y0s, x1s, y1s = zip(*(box[:4] for box in boxes), strict=True)
    return min(x0s), min(y0s), max(x1s), max(y1s)


def _picture(box: Box) -> Picture:
    return Picture(*box, width_px=0, height_px=0, n_bytes=0, n_colours=0)

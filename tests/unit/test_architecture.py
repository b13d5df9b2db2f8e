"""What a machine can check of the house rules: imports point one way, transforms are pure."""

import ast
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
BRICKS = ("parsing", "questions", "retrieval", "generation")
SHARED = {"errors", "row", "tables", "text", "values"}

PURE_LIBRARIES = {"bpe_openai", "polars", "pyarrow", "pydantic", "rapidfuzz", "snowballstemmer"}
PARSING_LIBRARIES = {"numpy", "PIL", "py3langid", "pymupdf", "rapidocr"}
HARMLESS_STANDARD_LIBRARY = {
    "__future__", "abc", "base64", "bisect", "collections", "contextlib", "copy", "dataclasses",
    "datetime", "decimal", "enum", "functools", "hashlib", "html", "io", "itertools", "json",
    "math", "operator", "re", "statistics", "string", "textwrap", "types", "typing",
    "unicodedata",
}  # fmt: skip


def modules() -> list[Path]:
    return sorted((ROOT / "transforms").rglob("*.py"))


def imported(path: Path) -> set[str]:
    names: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            names.update(alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            names.add(node.module)
    return names


def place(path: Path) -> str:
    return path.relative_to(ROOT / "transforms").parts[0].removesuffix(".py")


@pytest.mark.parametrize("path", modules(), ids=lambda path: str(path.relative_to(ROOT)))
def test_a_transform_imports_only_what_is_pure(path: Path) -> None:
    allowed = HARMLESS_STANDARD_LIBRARY | PURE_LIBRARIES | {"transforms"}
    if place(path) == "parsing":
        allowed |= PARSING_LIBRARIES
    roots = {name.split(".")[0] for name in imported(path)}
    assert roots <= allowed, f"not pure: {sorted(roots - allowed)}"


@pytest.mark.parametrize("path", modules(), ids=lambda path: str(path.relative_to(ROOT)))
def test_imports_point_one_way(path: Path) -> None:
    places = {name.split(".")[1] for name in imported(path) if name.startswith("transforms.")}
    here = place(path)
    if here == "pipeline":
        allowed = {*SHARED, *BRICKS, "pipeline"}
    elif here in BRICKS:
        allowed = {*SHARED, here}
    else:
        allowed = SHARED
    assert places <= allowed, f"{here} may not import {sorted(places - allowed)}"


@pytest.mark.parametrize(
    ("layer", "above"),
    [
        ("lexicon", ("grammar", "conditions", "cues")),
        ("grammar", ("conditions", "cues")),
        ("conditions", ("cues",)),
    ],
)
def test_the_layers_of_the_question_parser_import_downwards(
    layer: str, above: tuple[str, ...]
) -> None:
    paths = sorted((ROOT / "transforms" / "questions" / layer).glob("*.py"))
    assert paths
    for path in paths:
        used = {name.split(".")[2] for name in imported(path) if "transforms.questions." in name}
        assert used.isdisjoint(above), path.name


def test_every_allowed_standard_module_exists() -> None:
    assert set(sys.stdlib_module_names) >= HARMLESS_STANDARD_LIBRARY

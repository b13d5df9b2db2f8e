"""The views of a warehouse: one per table under its own name, those of sql/views/, the macros.

A part is one file, `<table>/<part>.parquet`. A table view reads only what is committed: parts of
the corpus whose document_df part is there, parts of a run whose run_df part is there.
"""

import re
from collections.abc import Iterator
from graphlib import TopologicalSorter
from hashlib import sha256

from flows.database import quoted, sql_names, statement
from flows.storage.swaps import FOLDER, MERGED
from transforms.row import Row
from transforms.tables import CORPUS_TABLES, TABLES

SCHEMA_VERSION = 3
"""Raised when a table gets a column, which may be null: earlier warehouses are brought up to it."""

COMMITS = {"corpus": "document_df", "runs": "run_df"}
"""Table whose part is written last and commits the part of its area."""

PINNED = {**COMMITS, "calls": "llm_call_df"}
"""Table whose parts tell what counts in an area."""

APPENDED = ("llm_call_df", "verdict_df")
"""Tables whose parts commit themselves: one file, one fact."""

VERSIONED = ("page_df", "line_df", "term_df", "embedding_df")
"""Corpus tables that keep every version of a page: their key names it."""


def area(table: str) -> str:
    """Return corpus, runs or calls: the folder of a table's parts, named after who writes them."""
    if table == "llm_call_df":
        return "calls"
    return "corpus" if TABLES[table] in CORPUS_TABLES else "runs"


def view_statements(root: str) -> Iterator[tuple[str, str]]:
    """Yield (name, select) of all views, in an order in which they can be created; then macros.

    The name of a macro is followed by its parameters in brackets.
    """
    for name, row in TABLES.items():
        yield name, _table_view(root, row)
    texts = {name.rpartition("/")[2]: statement(name) for name in sql_names("views")}
    reads = {name: texts.keys() & set(_header_reads(text)) for name, text in texts.items()}
    for name in TopologicalSorter(reads).static_order():
        yield name, texts[name]
    yield from macro_statements()


def macro_statements() -> Iterator[tuple[str, str]]:
    """Yield (name and parameters, select) of each file in sql/macros/.

    There a parameter is written `$name`, so that the file is a plain select; DuckDB's macros name
    theirs without the sign.
    """
    for name in sql_names("macros"):
        text = statement(name)
        parameters = header_line(text, "Parameters")
        yield f"{name.rpartition('/')[2]}({parameters})", re.sub(r"\$(\w+)", r"\1", text)


def views_hash(root: str) -> str:
    """Return a hash of all view texts: what tells whether a DuckDB file is up to date."""
    texts = "\n".join(text for _, text in view_statements(root))
    return sha256(f"{SCHEMA_VERSION}\n{texts}".encode()).hexdigest()[:16]


def _header_reads(text: str) -> list[str]:
    """Return the tables and views that the header of a file in sql/ names."""
    return header_line(text, "Reads").split(", ")


def header_line(text: str, title: str) -> str:
    """Return what follows `-- <title>:` in the header of a file in sql/."""
    start = f"-- {title}:"
    line = next(line for line in text.splitlines() if line.startswith(start))
    return line.removeprefix(start).strip()


def _table_view(root: str, row: type[Row]) -> str:
    """Return the select of a table: it looks once for what counts, so that it sees one state."""
    columns = ", ".join(row.model_fields)
    parts = _committed(root, row.table)
    every_part = f"from ({_parts(root, row.table)})\n"
    if row.table == "source_df":
        columns = columns.replace("status", f"{_STATUS} as status")
    elif row.table == "document_df":
        parts += _latest("doc_id", "(parsed_at, part)")
    elif row.table == "question_df":
        parts += _latest(", ".join(row.key), "part")
    elif row.table == "table_cell_df":
        pages = _current_part(root, "page_df", "doc_id, page", "(page_version, part)")
        parts = every_part + f"semi join ({pages}) using (doc_id, page, part)\n"
    elif area(row.table) == "corpus" and row.table not in VERSIONED:
        documents = _current_part(root, "document_df", "doc_id", "(parsed_at, part)")
        parts = every_part + f"semi join ({documents}) using (doc_id, part)\n"
    return f"select {columns}\n{parts}"


_STATUS = """case
    when row_number() over (partition by uri order by seen_at desc) = 1 then status
    else 'superseded'
end"""
"""Parts are never changed, so it is the later sighting of a file that supersedes the earlier."""


def snapshot_variable(place: str) -> str:
    """Return the DuckDB variable that pins the committed parts of corpus, runs or calls.

    A statement over several views looks for parts once per view; a commit in between would show
    half a run. Whoever sets the variable first reads one state; unset, each view looks itself.
    """
    return f"compline_{place}_parts"


def _committed(root: str, table: str) -> str:
    """Return the from clause of a table's committed rows, with the column `part` beside them."""
    rows = f"from ({_parts(root, table)})\n"
    if table == "verdict_df":
        return rows
    place = area(table)
    pinned = f"coalesce(getvariable('{snapshot_variable(place)}'), ({_counting(root, place)}))"
    return rows + f"semi join (select unnest({pinned}) as part) using (part)\n"


def _counting(root: str, place: str) -> str:
    """Return a select of the list of parts that count now, as `Swaps.visible` has it."""
    commits = quoted(f"{root}/{place}/{PINNED[place]}/*.parquet")
    swaps = quoted(f"{root}/{place}/{FOLDER}/{MERGED}*/*")
    return (
        f"select list(part) from (select parse_filename(file, true) as part from glob({commits}))"  # noqa: S608
        f" where part not in (select parse_filename(file) from glob({swaps}))"
        f" and (not starts_with(part, '{MERGED}')"
        f" or part in (select regexp_extract(file, '([^/\\\\]+)[/\\\\][^/\\\\]+$', 1)"
        f" from glob({swaps})))"
    )


def _parts(root: str, table: str) -> str:
    files = quoted(f"{root}/{area(table)}/{table}/*.parquet")
    rows = f"read_parquet({files}, filename = true, union_by_name = true)"
    part = "parse_filename(filename, true) as part"
    return f"select * exclude (filename), {part} from {rows}"  # noqa: S608


def _current_part(root: str, table: str, key: str, order: str) -> str:
    return f"select {key}, arg_max(part, {order}) as part\n{_committed(root, table)}group by {key}"


def _latest(key: str, order: str) -> str:
    return f"qualify row_number() over (partition by {key} order by {order} desc) = 1\n"

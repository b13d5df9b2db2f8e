"""Find documents: files, folders, globs and fsspec URLs, and read their bytes."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fnmatch import fnmatch
from hashlib import sha256
from pathlib import Path, PurePosixPath

import fsspec
from fsspec.implementations.local import LocalFileSystem

from transforms.errors import InputError
from transforms.values import Value

NOT_DOCUMENTS = frozenset({
    "csv", "tsv", "json", "jsonl", "yaml", "yml", "toml", "parquet", "duckdb", "sqlite", "db",
    "xlsx", "py", "sql", "log", "tmp", "lock",
})  # fmt: skip
"""Suffixes that folders and globs leave out: data beside documents. A named file is taken."""

CHUNK_BYTES = 1 << 20


@dataclass(frozen=True, slots=True)
class SourceFile:
    """A file that may hold a document."""

    uri: str
    """Absolute path, or URL."""
    n_bytes: int

    @property
    def file_name(self) -> str:
        """Return the last part of the uri."""
        return PurePosixPath(self.uri.replace("\\", "/")).name

    @property
    def folder(self) -> str:
        """Return the uri of the folder that holds the file."""
        return self.uri.replace("\\", "/").rpartition("/")[0]


class FoundSources(Value):
    """What was found at the places given, sorted by uri."""

    files: tuple[SourceFile, ...]
    skipped: tuple[str, ...]
    """Files that are no documents by their suffix."""
    places: tuple[str, ...]
    """Each place as an absolute path, URL or pattern: what `is_under` compares with."""
    empty: tuple[str, ...] = ()
    """Those of them where there is no document."""


def find_sources(places: Sequence[str]) -> FoundSources:
    """Return all files at these places; hidden files and data files of folders are left out.

    Raises InputError when a place cannot be reached.
    """
    files: dict[str, SourceFile] = {}
    skipped: set[str] = set()
    addresses: list[str] = []
    empty: list[str] = []
    for place in places:
        system, path = _reach(place)
        addresses.append(_address(system, path))
        is_empty = True
        for uri, n_bytes, is_named in _files_at(system, path):
            if not is_named and _suffix(uri) in NOT_DOCUMENTS:
                skipped.add(uri)
            else:
                files[uri] = SourceFile(uri=uri, n_bytes=n_bytes)
                is_empty = False
        if is_empty:
            empty.append(addresses[-1])
    return FoundSources(
        files=tuple(files[uri] for uri in sorted(files)),
        skipped=tuple(sorted(skipped - files.keys())),
        places=tuple(addresses),
        empty=tuple(empty),
    )


def is_under(uri: str, places: Iterable[str]) -> bool:
    """Return whether a file would have been found at one of the places, had it been there."""
    return any(
        uri == place or uri.startswith(place.rstrip("/") + "/") or fnmatch(uri, place)
        for place in places
    )


def read_uri(uri: str) -> bytes:
    """Return the bytes of a file. Raises OSError when it cannot be read."""
    system, path = fsspec.core.url_to_fs(uri)
    return system.cat_file(path)


def hash_uri(uri: str) -> str:
    """Return the doc_id of a file without holding it in memory. Raises OSError."""
    digest = sha256()
    system, path = fsspec.core.url_to_fs(uri)
    with system.open(path, "rb") as file:
        while block := file.read(CHUNK_BYTES):
            digest.update(block)
    return digest.hexdigest()[:16]


def _reach(place: str) -> tuple[fsspec.AbstractFileSystem, str]:
    _refuse_password(place)
    try:
        system, path = fsspec.core.url_to_fs(
            str(Path(place).expanduser()) if "://" not in place else place
        )
    except (ImportError, ValueError) as error:
        raise InputError(
            f"{place!r} cannot be reached: {error}",
            hint="give a file, a folder, a glob, or a URL whose fsspec driver is installed",
        ) from error
    return system, path


def _refuse_password(place: str) -> None:
    """Raise InputError for a URL with a password: source_df and messages would show it."""
    scheme, _, rest = place.partition("://")
    user, at, _ = rest.partition("/")[0].rpartition("@")
    if at and ":" in user:
        raise InputError(
            f"{scheme}://… has a password in it, which would be stored",
            hint="configure the file system instead: FSSPEC_* variables or fsspec's config files",
        )


def _files_at(system: fsspec.AbstractFileSystem, path: str) -> Iterable[tuple[str, int, bool]]:
    """Yield uri, size and whether the user named the file itself."""
    if system.isfile(path):
        yield _address(system, path), int(system.size(path) or 0), True
    elif system.isdir(path):
        found = system.find(path, detail=True)
        yield from _listed(system, found, path)
    elif any(sign in path for sign in "*?["):
        found = system.glob(path, detail=True)
        yield from _listed(system, found, path.partition("*")[0].rpartition("/")[0])


def _listed(
    system: fsspec.AbstractFileSystem, found: object, base: str
) -> Iterable[tuple[str, int, bool]]:
    if not isinstance(found, dict):
        return
    for name, details in found.items():
        inside = str(name)[len(base) :].split("/")
        if details["type"] == "file" and not any(part.startswith(".") for part in inside):
            yield _address(system, str(name)), int(details["size"] or 0), False


def _address(system: fsspec.AbstractFileSystem, path: str) -> str:
    return path if isinstance(system, LocalFileSystem) else system.unstrip_protocol(path)


def _suffix(uri: str) -> str:
    name = uri.rpartition("/")[2]
    return name.rpartition(".")[2].lower() if "." in name else ""

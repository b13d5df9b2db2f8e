"""Files of a warehouse, on a local disk or at any fsspec URL: whole files, written atomically."""

import os
from collections.abc import Sequence
from pathlib import Path
from uuid import uuid4

import fsspec
from fsspec.implementations.local import LocalFileSystem

from transforms.errors import CHECK_ROOM, WarehouseError


class Store:
    """Whole files under one root. Paths are relative to it, with forward slashes."""

    def __init__(self, root: str) -> None:
        try:
            self._files, path = fsspec.core.url_to_fs(root)
        except (ImportError, ValueError) as error:
            raise WarehouseError(
                f"warehouse {root!r} cannot be reached: {error}",
                hint="give a folder, or a URL whose fsspec driver is installed",
            ) from error
        self.is_local = isinstance(self._files, LocalFileSystem)
        self.root = str(Path(path).absolute()) if self.is_local else root.rstrip("/")
        self._path = self.root if self.is_local else path.rstrip("/")

    @property
    def files(self) -> fsspec.AbstractFileSystem:
        """Return the fsspec filesystem, for readers that take one."""
        return self._files

    @property
    def spellings(self) -> set[str]:
        """Return the root as it was given, and as the file system itself writes addresses in it."""
        written = self.root if self.is_local else self._files.unstrip_protocol(self._path)
        return {self.root, written}

    def address(self, path: str) -> str:
        """Return the absolute path or URL of a file."""
        return f"{self.root}/{path}"

    def exists(self, path: str = "") -> bool:
        """Return whether the file or folder is there."""
        return self._files.exists(self._inside(path))

    def names(self, folder: str) -> list[str]:
        """Return the names of the files in a folder, sorted; none when there is no folder."""
        try:
            self._files.invalidate_cache(self._inside(folder))
            found = self._files.ls(self._inside(folder), detail=False)
        except FileNotFoundError:
            return []
        return sorted(str(path).rstrip("/").rpartition("/")[2] for path in found)

    def n_bytes(self, path: str) -> int:
        """Return the size of a file."""
        return int(self._files.size(self._inside(path)) or 0)

    def read(self, path: str) -> bytes:
        """Return the content of a file. Raises WarehouseError when it cannot be read."""
        try:
            return self._files.cat_file(self._inside(path))
        except OSError as error:
            raise WarehouseError(f"{self.address(path)} cannot be read: {error}") from error

    def write(self, path: str, content: bytes) -> None:
        """Write a file whole: readers see all of it or nothing, also after a power cut."""
        try:
            if self.is_local:
                _write_local(Path(self._inside(path)), content)
            else:
                self._files.pipe_file(self._inside(path), content)
        except OSError as error:
            raise WarehouseError(
                f"{self.address(path)} cannot be written: {error}",
                hint=CHECK_ROOM,
            ) from error

    def write_folder(self, path: str, names: Sequence[str]) -> None:
        """Write a folder of empty files whole, on a local disk: all of it is there or nothing."""
        folder = Path(self._inside(path))
        unfinished = folder.with_name(f".{folder.name}.{uuid4().hex}.tmp")
        unfinished.mkdir(parents=True)
        for name in names:
            (unfinished / name).touch()
        _sync_folder(unfinished)
        unfinished.rename(folder)
        _sync_folder(folder.parent)

    def delete(self, path: str) -> None:
        """Delete a file; nothing happens when there is none."""
        if self.exists(path):
            self._files.rm_file(self._inside(path))

    def _inside(self, path: str) -> str:
        return f"{self._path}/{path}" if path else self._path


def _write_local(path: Path, content: bytes) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    unfinished = path.with_name(f".{path.name}.{uuid4().hex}.tmp")
    try:
        with unfinished.open("xb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        unfinished.replace(path)
    finally:
        unfinished.unlink(missing_ok=True)
    _sync_folder(path.parent)


def _sync_folder(folder: Path) -> None:
    """Make a rename durable. Windows has no such call and needs none."""
    if os.name == "nt":
        return
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)

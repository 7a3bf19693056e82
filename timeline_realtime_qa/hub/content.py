"""Hashes of rows that do not depend on files, chunks, encodings or library versions, and of what makes the rows.

Rows come in groups that belong together (a lifelog, a week). A group is hashed column by column: names and types, then
for each column which values are null, the lengths of texts and lists, and the values. The hash of many groups is the
sum of theirs modulo 2**256, so that it does not matter how the groups are spread over files and processes.
"""

from __future__ import annotations

import functools
import hashlib
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc


ABOUT = (
    "sum modulo 2**256, as 64 hex digits, of the sha256 of each group of rows, which are adjacent and equal in the "
    "column `group`. See timeline_realtime_qa.hub.content for what of a group is hashed."
)
_MODULUS = 1 << 256
_PROSE = (".md", ".cff")  # what is said about rows; none depends on it


def group_hash(table: pa.Table) -> str:
    """The hash of rows that belong together, as 64 hex digits; that of no rows is 0."""
    if not table.num_rows:
        return total([])
    digest = hashlib.sha256()
    for field, column in zip(table.schema, table.columns, strict=True):
        digest.update(f"{field.name}\0{_kind(field.type)}\0{table.num_rows}\0".encode())
        for part in _parts(column.combine_chunks()):
            digest.update(part)
    return digest.hexdigest()


def total(hashes: Iterable[str]) -> str:
    """The hash of several groups from theirs, or of several files from theirs."""
    return f"{sum(int(one, 16) for one in hashes) % _MODULUS:064x}"


def content_hash(table: pa.Table, group: str) -> str:
    """The hash of a table whose groups are the adjacent rows that are equal in the column `group`."""
    if not table.num_rows:
        return total([])
    key = table[group].combine_chunks()
    changes = pc.not_equal(key[1:], key[:-1]).to_numpy(zero_copy_only=False)
    starts = [0, *(np.flatnonzero(changes) + 1).tolist(), table.num_rows]
    return total(
        group_hash(table.slice(start, stop - start)) for start, stop in zip(starts[:-1], starts[1:], strict=True)
    )


def _kind(of: pa.DataType) -> str:
    """The name of a type, the same for all ways to store its values."""
    if pa.types.is_dictionary(of):
        return _kind(of.value_type)
    if _is_list(of):
        return f"list<{_kind(of.value_type)}>"
    if pa.types.is_struct(of):
        return f"struct<{','.join(f'{field.name}:{_kind(field.type)}' for field in of)}>"
    return str(of).removeprefix("large_")


def _is_list(of: pa.DataType) -> bool:
    return bool(pa.types.is_list(of) or pa.types.is_large_list(of))


def _parts(array: pa.Array) -> Iterator[bytes | memoryview]:
    """The bytes that stand for the values of an array."""
    if pa.types.is_dictionary(array.type):
        array = array.dictionary_decode()
    yield b"\1" if not array.null_count else b"\0" + array.is_valid().cast(pa.uint8()).to_numpy().tobytes()
    if pa.types.is_struct(array.type):
        for child in array.flatten():
            yield from _parts(child)
    elif _is_list(array.type):
        yield _numbers(pc.list_value_length(array), pa.int64())
        yield from _parts(array.flatten())
    elif pa.types.is_string(array.type) or pa.types.is_large_string(array.type):
        yield _numbers(pc.binary_length(array), pa.int64())
        yield _letters(array.fill_null("") if array.null_count else array)
    else:
        yield _numbers(array, _stored(array.type))


def _stored(of: pa.DataType) -> pa.DataType:
    """The numbers that stand for values of a type without parts."""
    if pa.types.is_boolean(of):
        return pa.uint8()
    if pa.types.is_date32(of):
        return pa.int32()
    if pa.types.is_timestamp(of):
        return pa.int64()
    if pa.types.is_integer(of) or pa.types.is_floating(of):
        return of
    raise TypeError(f"expected texts, numbers, dates, flags, or lists and structs of them, found {of}")


def _numbers(array: pa.Array, of: pa.DataType) -> bytes:
    values = array.cast(of)
    numbers = (values.fill_null(0) if values.null_count else values).to_numpy(zero_copy_only=False)
    return bytes(numbers.astype(numbers.dtype.newbyteorder("<"), copy=False).tobytes())


def _letters(array: pa.Array) -> memoryview:
    """The UTF-8 bytes of all texts, one after the other."""
    width = np.int32 if pa.types.is_string(array.type) else np.int64
    _, offsets, letters = array.buffers()
    if not len(array) or letters is None:
        return memoryview(b"")
    ends = np.frombuffer(offsets, width, len(array) + 1, array.offset * np.dtype(width).itemsize)
    return memoryview(letters)[int(ends[0]) : int(ends[-1])]


@functools.cache
def files_hash(root: Path, names: Sequence[str] = (".",)) -> str:
    """Hex sha256 over names and bytes of files and of all files of folders below `root`, but compiled ones and prose.

    Raises:
        FileNotFoundError: if one of `names` is not there.
    """
    digest = hashlib.sha256()
    for path in sorted({path for name in names for path in _files(root / name)}):
        digest.update(f"{path.relative_to(root).as_posix()}\0".encode())
        digest.update(hashlib.sha256(path.read_bytes()).digest())
    return digest.hexdigest()


def _files(path: Path) -> Iterator[Path]:
    if not path.exists():
        raise FileNotFoundError(f"{path} is not there, but decides what rows are: install the package anew")
    for file in path.rglob("*") if path.is_dir() else (path,):
        if file.is_file() and file.suffix not in _PROSE and "__pycache__" not in file.parts:
            yield file

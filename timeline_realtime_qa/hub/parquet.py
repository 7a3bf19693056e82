"""One Parquet file as the Hub likes it: row groups that a viewer can page through, a page index, stable chunks."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType

import pyarrow as pa
import pyarrow.parquet as pq

from .content import group_hash, total


# A row group ends after this many rows or bytes (as Arrow), whichever comes first: the viewer reads at most 300 MB for
# a page of 100 rows, and a reader that filters skips whole row groups.
GROUP_ROWS = 50_000
GROUP_BYTES = 32_000_000


@dataclass(frozen=True)
class Counted:
    """What went into a file.

    Attributes:
        arrow_bytes: size of the rows in memory, which `datasets` calls `num_bytes`.
        content: hash of the rows (see `content`).
    """

    rows: int
    arrow_bytes: int
    content: str


class ParquetFile:
    """A file in the making: `add` groups of rows, then `close`.

    Args:
        path: where to write; the caller moves a finished file to its place.
        schema: what the groups have, with plain types.
        stored: the same where texts come as dictionaries, which are cheaper to write; None if they do not.
        metadata: what the file was made of, kept in the file.
        options: of `pyarrow.parquet.ParquetWriter`, by what the columns hold.
    """

    def __init__(
        self,
        path: Path,
        schema: pa.Schema,
        metadata: Mapping[str, str],
        options: Mapping[str, object],
        stored: pa.Schema | None = None,
    ) -> None:
        self._schema, self._metadata = schema, dict(metadata)
        self._sink = _Sink(path)
        self._writer = pq.ParquetWriter(
            self._sink, stored or schema, use_content_defined_chunking=True, write_page_index=True, **options
        )
        self._waiting: list[pa.Table] = []
        self._hashes: list[str] = []
        self._rows = self._arrow_bytes = 0

    def __enter__(self) -> ParquetFile:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None
    ) -> None:
        try:
            if error is None:
                self._flush()
                self._writer.add_key_value_metadata(self._metadata)
            self._writer.close()
        finally:
            self._sink.close()
        if error is None:
            self._sink.check()

    def add(self, table: pa.Table) -> None:
        """Write the rows of one group, which are hashed together."""
        plain = table.cast(self._schema)
        self._hashes.append(group_hash(plain))
        self._rows += table.num_rows
        self._arrow_bytes += plain.nbytes
        self._waiting.append(table)
        waiting = sum(one.num_rows for one in self._waiting), sum(one.nbytes for one in self._waiting)
        if waiting[0] >= GROUP_ROWS or waiting[1] >= GROUP_BYTES:
            self._flush()

    @property
    def counted(self) -> Counted:
        """Rows, bytes and hash of what was added."""
        return Counted(self._rows, self._arrow_bytes, total(self._hashes))

    def _flush(self) -> None:
        """Write what waits as one row group: groups of rows stay whole, so that one is found by statistics alone."""
        table = pa.concat_tables(self._waiting).unify_dictionaries() if self._waiting else None
        if table is not None and table.num_rows:
            self._writer.write_table(table, row_group_size=table.num_rows)
            self._sink.check()
        self._waiting = []


class _Sink:
    """A file that takes whatever Arrow writes, and keeps an error until it is asked for.

    Where a write fails Arrow may end the whole process; with content-defined chunks it mostly does.
    """

    def __init__(self, path: Path) -> None:
        self._file = open(path, "wb")
        self._written = 0
        self._error: OSError | None = None

    @property
    def closed(self) -> bool:
        return self._file.closed

    def tell(self) -> int:
        return self._written

    def write(self, data: bytes) -> int:
        if self._error is None:
            self._or_later(self._file.write, data)
        self._written += len(data)
        return len(data)

    def close(self) -> None:
        self._or_later(self._file.close)

    def check(self) -> None:
        """Raise what went wrong so far."""
        if self._error is not None:
            raise self._error

    def _or_later(self, call: Callable[..., object], *arguments: object) -> None:
        try:
            call(*arguments)
        except OSError as error:
            error.filename = self._file.name
            self._error = self._error or error

"""Outputs of the original TimelineQA program, read as the dataset that this package else generates.

Data flows from files to rows: folder (which logs and files) -> sheet, jsonfile (strict CSV and JSON) -> entries,
tables, persona, queries and qa (what they say) -> right and faults (what is wrong with it) -> multihop, atomic ->
source (the configs of the dataset). `lifelog` reads one log.
"""

from __future__ import annotations

from .lifelog import lifelog as lifelog

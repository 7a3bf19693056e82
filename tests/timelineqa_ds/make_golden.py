"""Hash the lifelogs named in golden.json anew: ``python -m tests.timelineqa_ds.make_golden``.

The hashes change with every change of a record, which asks for a new major version of the dataset.
"""

from __future__ import annotations

import json
from pathlib import Path

from .made import lifelog_hashes


GOLDEN = Path(__file__).parent / "golden.json"


def main() -> None:
    worlds = json.loads(GOLDEN.read_text())
    for one in worlds:
        one["tables"] = lifelog_hashes(one["density"], one["index"], one["world"])
    GOLDEN.write_text(json.dumps(worlds, indent=1) + "\n")
    print(f"wrote {GOLDEN}")


if __name__ == "__main__":
    main()

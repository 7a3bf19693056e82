"""``python -m realtimeqa_ds``."""

from .commands import main


if __name__ == "__main__":
    main(prog_name="realtimeqa")

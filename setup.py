"""What setup.cfg cannot say: packages are found, and the metrics, which lie apart, belong to the shared one."""

from pathlib import Path

from setuptools import find_packages, setup


SHARED = "timeline_realtime_qa"
metrics = {
    f"{SHARED}.{path.parent.name}": path.parent.as_posix() for path in sorted(Path("metrics").glob("*/__init__.py"))
}
setup(
    packages=[*find_packages(include=["realtimeqa_ds*", "timelineqa_ds*", f"{SHARED}*"]), *metrics],
    package_dir=metrics,
)

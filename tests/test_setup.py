"""What setup.cfg promises of versions is what the workflows, the hooks and the run with the lowest versions try."""

from __future__ import annotations

import configparser
import importlib.metadata
import os
import re
import shlex
from collections.abc import Iterator

import pytest
import yaml
from packaging.requirements import Requirement

from .conftest import ROOT


def requirements(section: str, name: str) -> Iterator[Requirement]:
    """Those of one list in setup.cfg, with the lists that it names."""
    declared = configparser.ConfigParser()
    declared.read(ROOT / "setup.cfg", encoding="utf-8")
    yield from map(Requirement, filter(None, declared[section][name].splitlines()))


ALWAYS = list(requirements("options", "install_requires"))
TEST = list(requirements("options.extras_require", "test"))


@pytest.mark.parametrize("requirement", ALWAYS + TEST, ids=str)
def test_each_dependency_has_a_lowest_version(requirement: Requirement) -> None:
    (bound,) = requirement.specifier
    assert bound.operator == ("==" if requirement.name in ("ruff", "mypy") else ">=")


@pytest.mark.skipif("LOWEST" not in os.environ, reason="LOWEST=1 bash scripts/test installs the lowest versions")
@pytest.mark.parametrize("requirement", ALWAYS + TEST, ids=str)
def test_the_lowest_version_is_installed(requirement: Requirement) -> None:
    """Otherwise some other dependency does not allow it, or a later command has brought another."""
    (bound,) = requirement.specifier
    installed = importlib.metadata.version(requirement.name)
    assert Requirement(f"x=={bound.version}.*").specifier.contains(installed), installed


def test_hooks_take_their_tools_from_the_environment() -> None:
    """So no version stands twice."""
    (local,) = yaml.safe_load((ROOT / ".pre-commit-config.yaml").read_text(encoding="utf-8"))["repos"]
    assert [shlex.split(hook["entry"])[:2] for hook in local["hooks"]] == [["bash", "scripts/run"]] * 3


def test_each_python_is_tried() -> None:
    workflow = yaml.safe_load((ROOT / ".github" / "workflows" / "test.yml").read_text(encoding="utf-8"))
    setup = (ROOT / "setup.cfg").read_text(encoding="utf-8")
    tried = workflow["jobs"]["python"]["strategy"]["matrix"]["python"]
    assert tried == re.findall(r"Python :: (3\.\d+)", setup)
    assert f"python_requires = >={tried[0]}\n" in setup

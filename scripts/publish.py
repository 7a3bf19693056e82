"""Push a built dataset folder, or the metrics as Spaces, to the Hub: only what changed, the card last, then the tag.

A token with the right to write comes from `hf auth login` or HF_TOKEN, as for all of huggingface_hub.
"""

from __future__ import annotations

import functools
import importlib
import tempfile
from pathlib import Path

import click

from timeline_realtime_qa.commands import Errors
from timeline_realtime_qa.hub.folder import MANIFEST, read_manifest
from timeline_realtime_qa.hub.publishing import Local, Push, Remote, finished, listed
from timeline_realtime_qa.names.registered import METRICS
from timeline_realtime_qa.space import assemble


THIRD_PARTY = "realtimeqa"  # news content without a licence, but for the sample

DRY_RUN = click.option("--dry-run", is_flag=True, help="Say what would be pushed, and push nothing.")
PRIVATE = click.option("--private", is_flag=True, help="Make a new repository private.")


@click.group(cls=Errors, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 119})
def main() -> None:
    """Push to the Hub (HF_ENDPOINT, or https://huggingface.co)."""


@main.command(epilog="Example: bash scripts/publish dataset timelineqa my-org/timelineqa --dry-run")
@click.argument("folder", type=click.Path(exists=True, file_okay=False, path_type=Path))
@click.argument("repo")
@click.option("--tag", help="Name of what is pushed.  [default: v and the version of the dataset]")
@PRIVATE
@click.option(
    "--i-may-publish-third-party-content", "rights", is_flag=True,
    help="For RealTime QA in a public repository: its questions and articles belong to others and have no licence.",
)  # fmt: skip
@DRY_RUN
def dataset(folder: Path, repo: str, tag: str | None, private: bool, rights: bool, dry_run: bool) -> None:
    """Push FOLDER, made by `timelineqa build` or `realtimeqa build`, to the dataset repository REPO (ORG/NAME).

    What a tag names stays as it is: rows that differ need a new version of the dataset, or --tag.
    """
    (made_of, shards), remote = read_manifest(folder / MANIFEST), Remote.ask(repo, "dataset")
    name, stays_private = made_of["dataset"], private if remote.private is None else remote.private
    if name == THIRD_PARTY and made_of.get("source") != "sample" and not rights and not stays_private:
        raise ValueError(
            f"{folder} holds questions of others without a licence: push it to a private repository (--private makes "
            "one), or with --i-may-publish-third-party-content if you have the right to publish it"
        )
    files = finished(folder, shards)
    found = sorted(path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file())
    # Hidden folders hold the state of builds.
    if others := [path for path in found if path not in files and "/." not in f"/{path}"]:
        click.echo(f"{len(others)} files of {folder} are not in {MANIFEST} and left out, such as {others[0]}")
    ours = functools.partial(listed, repo, name)
    tag = tag or f"v{made_of['version']}"
    _push(Push(repo, "dataset", files, tag, f"{MANIFEST} of {name}", ours), remote, private, dry_run)


@main.command(epilog="Example: bash scripts/publish metrics my-org --metric nota_accuracy --dry-run")
@click.argument("org")
@click.option("--metric", "names", multiple=True, type=click.Choice(sorted(METRICS)), help="Repeatable; all else.")
@PRIVATE
@DRY_RUN
def metrics(org: str, names: tuple[str, ...], private: bool, dry_run: bool) -> None:
    """Push the metrics as the Spaces ORG/NAME, each complete in itself."""
    for name in names or sorted(METRICS):
        repo, module = f"{org}/{name}", f"{name}.py"
        tag = f"v{importlib.import_module(METRICS[name]).VERSION}"
        with tempfile.TemporaryDirectory() as folder:
            space = assemble(name, Path(folder, name))
            files = {path.name: Local.check(space, path.name) for path in sorted(space.iterdir())}
            push = Push(repo, "space", files, tag, module, functools.partial(_of_space, module))
            _push(push, Remote.ask(repo, "space"), private, dry_run)


def _of_space(module: str, remote: Remote) -> set[str] | None:
    return {*remote.files} if module in remote.files else None


def _push(push: Push, remote: Remote, private: bool, dry_run: bool) -> None:
    add, delete = push.plan(remote)
    size = sum(push.files[path].size for path in add)
    click.echo(f"{push.repo}: {len(add)} of {len(push.files)} files to push ({size:,} bytes), {len(delete)} to delete")
    if (add or delete) and push.tag in remote.tags:
        click.echo(f"  the tag {push.tag} stays where it is, without this")
    if dry_run:
        click.echo("".join([*(f"  + {path}\n" for path in add), *(f"  - {path}\n" for path in delete)]), nl=False)
    else:
        push.make(remote, [*add, *delete], private)


if __name__ == "__main__":
    main()

"""What the documentation shows is true: every Python block runs, and the start is two commands."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import NamedTuple

import pytest

import toolschema

ROOT = Path(__file__).resolve().parents[1]
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("**/*.md"))]
# What a block may read beside it, copied so that a block cannot change the tree.
BESIDE = ["README.md", "LICENSE", "CHANGELOG.md", "pyproject.toml", "examples"]
FENCE = re.compile(r"^```(?P<info>[^\n`]*)\n(?P<text>.*?)^```[ ]*$", re.MULTILINE | re.DOTALL)
PYTHON = re.compile(r"\s*(py\b|python|pycon)")
WHOLE_COMMAND = re.compile(r"[^\s#].*[^\\\s]")  # no comment, and it does not go on in the next line
SECONDS = 60


class Block(NamedTuple):
    """One fenced block: what stands behind its opening fence, its text, and the line it starts in."""

    info: str
    text: str
    line: int


def blocks_of(page: str) -> list[Block]:
    """The fenced blocks of a page, in order."""
    return [
        Block(found["info"], found["text"], page.count("\n", 0, found.start("text")) + 1)
        for found in FENCE.finditer(page)
    ]


def section(page: str, title: str) -> str:
    """The text under a `## title`, up to the next one; fences count as text."""
    parts = re.split(r"^## (.+)$", page, flags=re.MULTILINE)
    return dict(zip(parts[1::2], parts[2::2], strict=True)).get(title, "")


def start_commands(page: str) -> list[str]:
    """The lines of the one sh block under `## Start`; empty when there is not exactly one."""
    texts = [block.text for block in blocks_of(section(page, "Start")) if block.info == "sh"]
    return texts[0].splitlines() if len(texts) == 1 else []


def odd_fences(page: str) -> list[Block]:
    """Blocks of Python that are marked so that nobody would run them."""
    return [block for block in blocks_of(page) if PYTHON.match(block.info) and block.info != "python"]


def python_blocks() -> list[object]:
    """Every Python block of every page, named by its page and line."""
    return [
        pytest.param(block, id=f"{page.relative_to(ROOT)}:{block.line}")
        for page in PAGES
        if page.is_file()
        for block in blocks_of(page.read_text("utf-8"))
        if block.info == "python"
    ]


def run(text: str, folder: Path) -> subprocess.CompletedProcess[str]:
    """Run a block as a program of its own in a folder; a warning is an error."""
    script = folder / "block.py"
    script.write_text(text, "utf-8")
    env = {**os.environ, "PYTHONPATH": str(Path(toolschema.__file__).parents[1])}
    return subprocess.run(
        [sys.executable, "-W", "error", str(script)],
        cwd=folder,
        env=env,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=SECONDS,
        check=False,
    )


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder of its own, with copies of what a block may read."""
    for source in filter(Path.exists, (ROOT / name for name in BESIDE)):
        copy = shutil.copytree if source.is_dir() else shutil.copy
        copy(source, tmp_path / source.name)
    return tmp_path


@pytest.mark.parametrize("block", python_blocks())
def test_block_runs(block: Block, folder: Path) -> None:
    """A Python block runs from top to bottom, by itself."""
    ran = run(block.text, folder)
    assert ran.returncode == 0, ran.stderr


def test_blocks_type_check(tmp_path: Path) -> None:
    """What a reader copies is clean under mypy, strict."""
    pytest.importorskip("mypy")
    for page in PAGES:
        for block in blocks_of(page.read_text("utf-8")):
            if block.info == "python":
                (tmp_path / f"{page.stem.lower()}_{block.line}.py").write_text(block.text, "utf-8")
    ran = subprocess.run(
        [sys.executable, "-m", "mypy", "--strict", "--config-file=", *map(str, sorted(tmp_path.glob("*.py")))],
        env={**os.environ, "MYPYPATH": str(Path(toolschema.__file__).parents[1])},
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
    )
    assert ran.returncode == 0, ran.stdout + ran.stderr


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_no_block_is_left_out(page: Path) -> None:
    """A block of Python is marked ```python and nothing else, so that it is run."""
    assert odd_fences(page.read_text("utf-8")) == []


def test_the_start_is_two_commands() -> None:
    """`## Start` holds one sh block of two lines, each a whole command."""
    commands = start_commands((ROOT / "README.md").read_text("utf-8"))
    assert len(commands) == 2
    assert [line for line in commands if not WHOLE_COMMAND.fullmatch(line)] == []


PAGE = """# A page
## Start
```sh
one
two
```
## Use
```sh
three
```
```python
x = 1
```
```python no-run
x = 2
```
```py
x = 3
```
"""


def test_a_page_is_read() -> None:
    """The reader sees each block, the start's commands, and the blocks that hide from being run."""
    assert [block.line for block in blocks_of(PAGE)] == [4, 9, 12, 15, 18]
    assert start_commands(PAGE) == ["one", "two"]
    assert start_commands(PAGE.replace("## Use", "")) == []
    assert start_commands("# Nothing\n") == []
    assert [block.info for block in odd_fences(PAGE)] == ["python no-run", "py"]


@pytest.mark.parametrize(
    ("text", "fine"),
    [
        pytest.param("import toolschema\nopen('README.md').close()", True, id="reads-what-lies-beside"),
        pytest.param("raise SystemExit(1)", False, id="fails"),
        pytest.param("import warnings\nwarnings.warn('old')", False, id="warns"),
    ],
)
def test_running_a_block_can_fail(text: str, folder: Path, *, fine: bool) -> None:
    """A block that fails or warns is seen to."""
    assert (run(text, folder).returncode == 0) is fine

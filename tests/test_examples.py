"""Every example runs, in a pipe and on a terminal; the file reader keeps to its folder; the guide's table is true."""

from __future__ import annotations

import importlib.util
import json
import os
import re
import subprocess
import sys
import typing
from collections.abc import Iterator, Mapping
from pathlib import Path
from types import ModuleType
from typing import Any

import annotated_types
import pytest
import typing_extensions

import toolschema
from toolschema import ToolContext, ToolFailure, ToolSuccess

ROOT = Path(__file__).resolve().parents[1]
EXAMPLES = sorted((ROOT / "examples").glob("*.py"))
READ_FILE = ROOT / "examples" / "read_file.py"
ESCAPE = "\x1b["
SECONDS = 60


def environment(**extra: str) -> dict[str, str]:
    """What an example runs in: this package, and no wish about colour but those given."""
    ours = {name: value for name, value in os.environ.items() if name != "NO_COLOR"}
    return {**ours, "PYTHONPATH": str(Path(toolschema.__file__).parents[1]), **extra}


def piped(example: Path, **extra: str) -> str:
    """The output of an example in a pipe; it has to end well, and a warning is an error."""
    ran = subprocess.run(
        [sys.executable, "-W", "error", str(example)],
        env=environment(**extra),
        stdin=subprocess.DEVNULL,
        capture_output=True,
        encoding="utf-8",
        timeout=SECONDS,
        check=False,
    )
    assert (ran.returncode, ran.stderr) == (0, "")
    return ran.stdout


def on_a_terminal(example: Path, env: Mapping[str, str]) -> str:
    """The output of an example on a terminal."""
    ours, theirs = os.openpty()
    with subprocess.Popen(
        [sys.executable, "-W", "error", str(example)],
        env=env,
        stdin=subprocess.DEVNULL,
        stdout=theirs,
        stderr=theirs,
    ) as running:
        os.close(theirs)
        said = b"".join(chunks(ours))
        os.close(ours)
        assert running.wait(SECONDS) == 0, said.decode()
    return said.decode().replace("\r\n", "\n")


def chunks(terminal: int) -> Iterator[bytes]:
    """What comes out of a terminal until nobody writes to it any more: Linux says so by an error, others by nothing."""
    while True:
        try:
            chunk = os.read(terminal, 65_536)
        except OSError:
            return
        if not chunk:
            return
        yield chunk


# ------------------------------------------------------------------ every example
@pytest.mark.parametrize("example", EXAMPLES, ids=lambda path: path.name)
def test_an_example_runs_in_a_pipe(example: Path) -> None:
    """It ends well, says something, and sends no colour where nobody could see it."""
    said = piped(example)
    assert said.strip()
    assert ESCAPE not in said


def test_there_are_examples() -> None:
    """The table above is not empty."""
    assert READ_FILE in EXAMPLES


# ------------------------------------------------------------------ read_file.py
def test_read_file_shows_the_four_calls() -> None:
    """The schema, then the call that fits, the repaired one, the refused one and the corrected one, in that order."""
    shown = [
        'schema {\n         "type": "object"',
        '"additionalProperties": false',
        'call read {"path": "examples/read_file.py", "limit": 20}',
        'result """A tool that reads files',
        '"offset": null, "limit": "6"}',
        "repair /offset: null-dropped, was null",
        'repair /limit: text-to-integer, was "6"',
        'result """A tool that reads files',
        'call read {"offset"',
        'error Invalid arguments for tool "read":\n       - path: missing',
        'call read {"path": "examples/read_file.py", "offset"',
        "result class ReadArgs(TypedDict):",
        "answer I have read enough.",
        "end answered",
    ]
    rest = piped(READ_FILE)
    for text in shown:
        _, found, rest = rest.partition(text)
        assert found, text


def test_read_file_repairs_only_what_does_not_fit() -> None:
    """Two repairs, one refusal, three results."""
    kinds = [line.split()[0] for line in piped(READ_FILE).splitlines() if line[:6].strip() and line[6:7] == " "]
    counts = {kind: kinds.count(kind) for kind in ("call", "repair", "error", "result")}
    assert counts == {"call": 4, "repair": 2, "error": 1, "result": 3}


@pytest.mark.skipif(not hasattr(os, "openpty"), reason="there are no such terminals here")
def test_read_file_is_coloured_on_a_terminal() -> None:
    """Every kind of line has its own colour; without the codes it says what it says in a pipe."""
    said = on_a_terminal(READ_FILE, environment())
    plain = piped(READ_FILE)
    assert {f"{ESCAPE}{code}m" in said for code in (31, 32, 33, 36)} == {True}
    assert without_codes(said) == plain


@pytest.mark.skipif(not hasattr(os, "openpty"), reason="there are no such terminals here")
def test_no_color_is_heeded() -> None:
    """NO_COLOR keeps a terminal plain; an empty one says nothing (https://no-color.org)."""
    assert ESCAPE not in on_a_terminal(READ_FILE, environment(NO_COLOR="1"))
    assert ESCAPE in on_a_terminal(READ_FILE, environment(NO_COLOR=""))


def without_codes(text: str) -> str:
    """A text without its colours."""
    first, *rest = text.split(ESCAPE)
    return first + "".join(part.partition("m")[2] for part in rest)


def test_read_file_runs_beside_a_readme_alone(tmp_path: Path) -> None:
    """A copy in a folder of its own finds its root there: the nearest folder above it that has a README."""
    copy = tmp_path / "examples" / "read_file.py"
    copy.parent.mkdir()
    copy.write_bytes(READ_FILE.read_bytes())
    assert '"path": "read_file.py"' in piped(copy)
    (tmp_path / "README.md").write_text("# Here\n", "utf-8")
    assert '"path": "examples/read_file.py"' in piped(copy)


@pytest.fixture(scope="module")
def example() -> Iterator[ModuleType]:
    """The example as a module; its run is not started."""
    spec = importlib.util.spec_from_file_location("read_file_example", READ_FILE)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module  # where the names in its annotations are looked up
    spec.loader.exec_module(module)
    yield module
    del sys.modules[spec.name]


@pytest.mark.parametrize(
    "path",
    [
        pytest.param("../secret", id="up"),
        pytest.param("inner/../../secret", id="down-and-up"),
        pytest.param("{folder}/secret", id="absolute"),
        pytest.param("link", id="through-a-link"),
    ],
)
def test_the_reader_keeps_to_its_folder(example: ModuleType, tmp_path: Path, path: str) -> None:
    """Whatever way a path leads out of the root folder, the model is told so and reads nothing."""
    (tmp_path / "secret").write_text("secret", "utf-8")
    root = tmp_path / "root"
    (root / "inner").mkdir(parents=True)
    (root / "link").symlink_to(tmp_path / "secret")
    outcome = example.read.call_sync({"path": path.format(folder=tmp_path)}, ToolContext(root))
    assert isinstance(outcome, ToolFailure)
    assert outcome.message.endswith("is not inside the root folder")


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        pytest.param({}, "one\ntwo\nthree", id="all"),
        pytest.param({"offset": 2}, "two\nthree", id="from-a-line"),
        pytest.param({"offset": 2, "limit": 1}, "two", id="one-line"),
        pytest.param({"offset": 9}, "", id="behind-the-end"),
        pytest.param({"limit": 10**30}, "one\ntwo\nthree", id="more-than-there-is"),
    ],
)
def test_the_reader_reads_lines(example: ModuleType, tmp_path: Path, arguments: dict[str, int], expected: str) -> None:
    """Lines are counted from 1, and no more are read than were asked for."""
    (tmp_path / "file").write_text("one\ntwo\nthree\n", "utf-8")
    outcome = example.read.call_sync({"path": "file", **arguments}, ToolContext(tmp_path))
    assert outcome == ToolSuccess(expected)


# ------------------------------------------------------------------ the guide
FORM = re.compile(r"^\| `(?P<form>.+?)` \| `(?P<schema>\{.*\})` \|$", re.MULTILINE)
GUIDE = (ROOT / "docs" / "guide.md").read_text("utf-8").replace("\\|", "|")
WRITTEN = [pytest.param(found["form"], found["schema"], id=found["form"]) for found in FORM.finditer(GUIDE)]
NAMES = vars(annotated_types) | vars(typing_extensions) | vars(typing) | vars(toolschema)


@pytest.mark.parametrize(("form", "schema"), WRITTEN)
def test_the_guide_lists_what_is_published(form: str, schema: str) -> None:
    """Each row of the table of forms is true."""
    written: Any = eval(form, dict(NAMES))  # noqa: S307 - our own page
    assert toolschema.schema_of(written) == json.loads(schema)


def test_the_table_of_forms_is_read() -> None:
    """The table above is not empty."""
    assert len(WRITTEN) > 20

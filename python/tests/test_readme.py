"""The blocks of the documents, and the figures of the README."""

import doctest
import importlib.util
import pathlib
import re

import posenc
import pytest

ROOT = pathlib.Path(__file__).parents[2]
README = (ROOT / "python/README.md").read_text()
DOCUMENTS = ["python/README.md", "README.md", "src/guide/interop.md"]


def blocks(document):
    """Returns the language and the text of each block."""
    return re.findall(r"^```(\w+)\n(.*?)^```$", (ROOT / document).read_text(), re.DOTALL | re.MULTILINE)


PYTHON = [(document, text) for document in DOCUMENTS for language, text in blocks(document) if language == "pycon"]


@pytest.mark.parametrize(("document", "block"), PYTHON)
def test_block(document, block):
    for package in ["numpy", "torch"]:
        if package in block and importlib.util.find_spec(package) is None:
            pytest.skip(f"a block of {document} needs {package}")
    runner = doctest.DocTestRunner()
    runner.run(doctest.DocTestParser().get_doctest(block, {}, document, None, None))
    failed, attempted = runner.summarize()
    assert failed == 0
    assert attempted > 1


def test_every_block_is_tested():
    others = [block for block in blocks("python/README.md") if block[0] != "pycon"]
    # The command of the console has installed the package that is tested here.
    command = ("console", "$ pip install ./python\n")
    call = posenc.sinusoidal(1500, 384, preset="whisper").macro
    assert others == [command, ("rust", f"static PE: [[f32; 384]; 1500] = {call};\n")]
    assert {document for document, _ in PYTHON} == set(DOCUMENTS)


def test_the_error_is_quoted():
    with pytest.raises(TypeError) as error:
        posenc.sinusoidal(128, 64, theta=500.0)
    assert f'"{error.value}"' in README


def test_presets_are_counted():
    assert f"{len(posenc.presets())} presets name the tables of models" in README


def rows(text):
    """Yields the cells of each row of the tables, with those that a group has only once."""
    group = ""
    for line in text.splitlines():
        if line.startswith("| "):
            first, *rest = (cell.strip() for cell in line.strip("|").split("|"))
            group = first or group
            yield [group, *rest]


def test_times_are_copied():
    own = README.split("## What it costs")[1].split("## More")[0]
    section = (
        (ROOT / "BENCHMARKS.md").read_text().split("<!-- cargo xtask bench --python -->")[1].split("<!-- end -->")[0]
    )
    date, machine = section.split(", ")[:2]
    assert f"({machine.strip()}, {date.strip()})" in " ".join(own.split())
    measured = list(rows(section))
    copied = list(rows(own))[1:]
    assert len(copied) > 5
    assert not [row for row in copied if row not in measured]
    (call,) = [row[1] for row in measured if row[0] == "`sinusoidal(1, 2)`"]
    assert f"A new table of one row takes {int(call.removesuffix(' ns')) / 1000:.1f} µs." in own

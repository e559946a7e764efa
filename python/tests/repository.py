"""Files of the repository that the tests read."""

from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
RECORDED = ROOT / "tests" / "hashes" / "recorded.txt"
BAD_INPUT = ROOT / "docs" / "bad_input.md"

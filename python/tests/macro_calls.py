"""Macro calls of `docs/bad_input.md` as calls of Python."""

import re
from collections.abc import Iterator
from typing import Any, NamedTuple

import posenc
from repository import BAD_INPUT

FUNCTIONS = {"sinusoidal_table": "sinusoidal", "grid_table": "grid", "rotary_table": "rotary"}
CALL = re.compile(r"(\w+)!\((.*)\)")
QUOTIENTS = ("unit", "freq_offset", "extent")


class NotInPythonError(Exception):
    """A macro call that no call in Python means; the text says why."""


class Row(NamedTuple):
    """A row of the document: a call, or a spec and a macro call, and what it answers."""

    call: str
    answer: str


def rows() -> Iterator[Row]:
    for line in BAD_INPUT.read_text(encoding="utf-8").splitlines():
        if line.startswith("| `"):
            *calls, answer = (cell.strip().replace(r"\|", "|") for cell in re.split(r"(?<!\\)\|", line)[1:-1])
            yield from (Row(call[1:-1], answer) for call in calls if call)


def split(text: str) -> list[str]:
    """Splits arguments at the commas that are not in brackets."""
    parts, depth = [""], 0
    for character in text:
        depth += (character in "([") - (character in ")]")
        if character == "," and depth == 0:
            parts.append("")
        else:
            parts[-1] += character
    return [part.strip() for part in parts]


def value(key: str, text: str) -> Any:
    """Returns the value of a key, as in Python."""
    if key in ("scaling", "dtype", "preset"):
        is_tuple = text.startswith("(") and text.endswith(")")
        return tuple(split(text[1:-1])) if is_tuple else text
    if text.startswith("[") and text.endswith("]"):
        return [value(key, part) for part in split(text[1:-1]) if part]
    if text.startswith("(") and text.endswith(")"):
        return tuple(value(key, part) for part in split(text[1:-1]) if part)
    if re.fullmatch(r"-?\d+", text):
        return int(text)
    if re.fullmatch(r"-?\d[\d.]*(e-?\d+)?", text):
        if float(text) == 0 and text.strip("-0.") != "":
            raise NotInPythonError("a float that Python rounds to 0 itself")
        return float(text)
    if text in ("true", "false"):
        return text == "true"
    if re.fullmatch(r"1 << \d+", text):
        return 1 << int(text[5:])
    if key in QUOTIENTS and re.fullmatch(r"[-\d/ ]+", text):
        return text.replace(" ", "")
    if re.fullmatch(r'[a-z_]\w*|"\d"', text):
        return text.strip('"')
    raise NotInPythonError("an expression of Rust")


def python_call(macro: str) -> tuple[str, list[Any], dict[str, Any]]:
    """Returns the function, the arguments and the keys that mean the same as a macro call."""
    matched = CALL.fullmatch(macro)
    if not matched or matched[1] not in FUNCTIONS:
        raise NotInPythonError("items of Rust" if "_table! {" in macro else "a call of Rust")
    function, arguments = FUNCTIONS[matched[1]], split(matched[2]) if matched[2] else []
    if not all(arguments) or any(re.search(r"=\s*(=|$)|^\w+:", argument) for argument in arguments):
        raise NotInPythonError("the syntax of macros")
    positional = [value("", argument) for argument in arguments if "=" not in re.sub(r"\(.*", "", argument)]
    named = [argument.split("=", 1) for argument in arguments if "=" in re.sub(r"\(.*", "", argument)]
    keys = {key.strip(): value(key.strip(), text.strip()) for key, text in named}
    if len(keys) < len(named) or "=" in re.sub(r"\(.*", "", arguments[0]) if arguments else False:
        raise NotInPythonError("the syntax of calls, which Python checks itself")
    if {"file", "max_bytes"} & keys.keys():
        raise NotInPythonError("keys of the macros alone")
    if function == "rotary" and positional and isinstance(positional[0], tuple):
        function = "rotary_grid"
    return function, positional, keys


def called(function: str, positional: list[Any], keys: dict[str, Any]) -> Any:
    return getattr(posenc, function)(*positional, **keys)

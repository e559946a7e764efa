"""The examples in the documentation of the functions and classes."""

import doctest
import inspect

import posenc


def documented():
    """Yields every public object and every method, each with its documentation."""
    yield "posenc", posenc.__doc__
    for name in posenc.__all__:
        value = getattr(posenc, name)
        if name == "__version__":
            continue
        yield name, value.__doc__
        if inspect.isclass(value):
            for member, of_member in vars(value).items():
                if not member.startswith("_"):
                    yield f"{name}.{member}", of_member.__doc__


def test_everything_is_documented():
    assert not [name for name, text in documented() if not (text or "").strip()]


def test_examples():
    parser, runner = doctest.DocTestParser(), doctest.DocTestRunner(optionflags=doctest.NORMALIZE_WHITESPACE)
    for name, text in documented():
        runner.run(parser.get_doctest(inspect.cleandoc(text), {}, name, None, None))
    failed, attempted = runner.summarize()
    assert failed == 0
    assert attempted >= 25


def test_each_function_has_an_example_and_says_what_it_raises():
    functions = [name for name in posenc.__all__ if inspect.isroutine(getattr(posenc, name))]
    assert len(functions) == 10
    for name in functions:
        text = getattr(posenc, name).__doc__
        assert "Example:" in text and "Raises:" in text, name

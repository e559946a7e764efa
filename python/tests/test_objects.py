"""Tables and answers as objects: equality, hashes, pickles, and what cannot be changed."""

import copy
import pickle

import pytest

import posenc

SMALL = posenc.sinusoidal(3, 4)
TABLES = [
    SMALL,
    posenc.sinusoidal(0, 4),
    posenc.sinusoidal(3, 4, dtype="bfloat16"),
    posenc.sinusoidal(3, 4, dtype="q15"),
    posenc.sinusoidal(3, 4, dtype="i8(1/127, -1)"),
    posenc.encode([0.5, 2], 4),
    posenc.rotary(3, 8)[1],
    posenc.grid((2, 3), 8),
    posenc.rotary_grid((2, 3), 8, packing="complex"),
    posenc.inv_freq(8),
    posenc.inv_freq(8, vector="periods", dtype="float64"),
]
ANSWERS = [
    posenc.compare(SMALL, SMALL),
    posenc.identify(posenc.sinusoidal(40, 16)),
    posenc.identify(posenc.sinusoidal(40, 16))[0],
    posenc.explain(1, 2, 4),
    posenc.presets()["mae"],
]


@pytest.mark.parametrize("table", TABLES, ids=repr)
@pytest.mark.parametrize("protocol", range(pickle.HIGHEST_PROTOCOL + 1))
def test_pickles(table, protocol):
    again = pickle.loads(pickle.dumps(table, protocol))
    assert again == table
    assert again is not table
    assert hash(again) == hash(table)
    assert repr(again) == repr(table)
    for name in ("shape", "dtype_name", "macro", "nbytes", "size"):
        assert getattr(again, name) == getattr(table, name)
    assert again.tobytes() == table.tobytes()
    assert again.tolist() == table.tolist()


@pytest.mark.parametrize("table", TABLES, ids=repr)
def test_copies_are_the_object(table):
    assert copy.copy(table) is table
    assert copy.deepcopy(table) is table
    assert copy.deepcopy([table])[0] is table


def test_equality_is_of_shape_dtype_and_bits():
    assert SMALL == posenc.sinusoidal(3, 4)
    assert SMALL == posenc.sinusoidal(3, 4, preset="keras_hub")
    assert hash(SMALL) == hash(posenc.sinusoidal(3, 4, preset="keras_hub"))
    differing = [
        posenc.sinusoidal(3, 4, base=9_999),
        posenc.sinusoidal(3, 4, dtype="float64"),
        posenc.sinusoidal(4, 4),
        posenc.sinusoidal(3, 6),
        posenc.sinusoidal(0, 4),
        SMALL.tolist(),
        SMALL.tobytes(),
        None,
        3,
    ]
    for other in differing:
        assert (SMALL == other) is False
        assert (SMALL != other) is True
    # Equal entries in another shape, and equal bytes of another type.
    assert posenc.sinusoidal(2, 4, scale=0) != posenc.sinusoidal(4, 2, scale=0)
    assert posenc.sinusoidal(1, 2, amplitude=0, dtype="float16") != posenc.sinusoidal(
        1, 2, amplitude=0, dtype="bfloat16"
    )
    assert posenc.sinusoidal(1, 2, dtype="i8(1/127)", amplitude=0) != posenc.sinusoidal(1, 2, dtype="q7", amplitude=0)
    # Bits, not values: -0 is not 0.
    positive, negative = (posenc.encode([p], 1, dtype="float16") for p in (5e-324, -5e-324))
    assert positive.tolist() == negative.tolist()
    assert positive != negative


class Equal:
    def __eq__(self, other):
        return "equal"

    __hash__ = None


def test_other_objects_may_say_whether_they_are_equal():
    assert (SMALL == Equal()) == "equal"
    assert SMALL.__eq__(3) is NotImplemented


def test_the_scale_of_integers_is_a_part_of_their_type():
    """The entries are the same numbers of steps, but not the same numbers."""
    assert posenc.sinusoidal(1, 2, dtype="i8(1/127)", amplitude=0) != posenc.sinusoidal(
        1, 2, dtype="i8(1/100)", amplitude=0
    )


def test_hashes_are_for_sets():
    assert len({SMALL, posenc.sinusoidal(3, 4), posenc.sinusoidal(4, 4)}) == 2
    assert len(set(map(hash, TABLES))) == len(TABLES)


@pytest.mark.parametrize("value", [*TABLES, *ANSWERS], ids=lambda value: type(value).__name__)
def test_nothing_can_be_changed(value):
    for name in ("shape", "dtype_name", "matches", "result", "name", "macro", "new"):
        with pytest.raises(AttributeError):
            setattr(value, name, 1)
        with pytest.raises(AttributeError):
            delattr(value, name)
    with pytest.raises(TypeError, match="cannot create"):
        type(value)()
    with pytest.raises(TypeError):
        type("Derived", (type(value),), {})


def test_lists_in_answers_are_copies():
    answer = posenc.identify(posenc.sinusoidal(40, 16))
    for value, name in ((answer, "matches"), (answer, "lines"), (answer[0], "presets"), (ANSWERS[0], "histogram")):
        before = list(map(str, getattr(value, name)))
        getattr(value, name).append(1)
        assert list(map(str, getattr(value, name))) == before
    posenc.presets().clear()
    assert posenc.presets()


def test_reprs():
    assert repr(SMALL) == "<posenc.Table 3 x 4 float32: sinusoidal_table!(3, 4)>"
    assert repr(posenc.sinusoidal(2, 4, dtype="bf16")) == (
        "<posenc.Table 2 x 4 bfloat16: sinusoidal_table!(2, 4, dtype = bf16)>"
    )
    assert repr(posenc.inv_freq(8)) == "<posenc.Table 4 float32: inv_freq of rotary_table!(seq_len, 8)>"
    assert repr(ANSWERS[0]) == "<posenc.Report 3 x 4: 0 of 12 entries differ>"
    assert repr(ANSWERS[1]) == "<posenc.Answer identified: sinusoidal_table!(40, 16)>"
    assert repr(ANSWERS[2]) == "<posenc.Match sinusoidal_table!(40, 16)>"
    assert repr(ANSWERS[3]) == "<posenc.Explanation position 1, column 2 of 4, float32: 0.009999833069741726>"
    assert repr(ANSWERS[4]).startswith("<posenc.PresetInfo mae (grid): ")


def test_macros():
    assert SMALL.macro == "sinusoidal_table!(3, 4)"
    assert posenc.rotary(3, 8)[1].macro == "rotary_table!(3, 8, packing = sin)"
    assert posenc.grid((2, 3), 8, dtype="bf16").macro == "grid_table!((2, 3), 8, dtype = bf16)"
    for table in (posenc.inv_freq(8), posenc.encode([0.5], 4), posenc.rotary(head_dim=8, positions=[1])[0]):
        assert table.macro is None


def test_an_answer_is_a_sequence():
    answer = posenc.identify(posenc.sinusoidal(40, 16))
    assert [match.macro for match in answer] == [match.macro for match in answer.matches]
    assert answer[-1].macro == answer.matches[-1].macro
    for index in (len(answer), -len(answer) - 1):
        with pytest.raises(IndexError):
            answer[index]


def test_tables_are_true_if_they_have_rows():
    assert posenc.sinusoidal(1, 1)
    assert not posenc.sinusoidal(0, 1)


@pytest.mark.parametrize(
    ("dtype", "shape", "entries"),
    [
        ("f32", (3, 4), b""),
        ("f32", (3, 4), bytes(49)),
        ("f32", (), bytes(4)),
        ("f32", (1, 1, 1), bytes(4)),
        ("f32", (2**40, 2**40), b""),
        ("f32", (2**33, 2**31), b""),
        ("f32", (-1, -1), bytes(4)),
        ("f32", (0, 0), b""),
        ("f8", (1, 1), bytes(4)),
        ("i8", (1, 1), bytes(1)),
        ("f32", "ab", bytes(4)),
        ("f32", (1, 1), "abcd"),
        (3, (1, 1), bytes(4)),
    ],
)
def test_pickles_of_others_are_checked(dtype, shape, entries):
    with pytest.raises((ValueError, TypeError, OverflowError)):
        posenc._posenc._restore(dtype, shape, "sinusoidal_table!(1, 1)", True, entries)

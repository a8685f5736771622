"""What whereof.attention refuses: messages name the argument, what it is and what was wanted."""

import pickle
import re

import numpy as np
import pytest

import materialised
import whereof

QUERY, KEY, VALUE = materialised.random_arrays(1)


def call(query=QUERY, key=KEY, value=VALUE, **options):
    return whereof.attention(query, key, value, **options)


def read_only(shape):
    array = np.empty(shape, np.float32)
    array.flags.writeable = False
    return array


REFUSED = {
    "rank of query": ({"query": QUERY[0]}, "query has shape (33, 4, 16); wanted 4 dimensions"),
    "rank of key": ({"key": KEY[0]}, "key has shape (40, 2, 16); wanted 4 dimensions"),
    "dim": ({"key": KEY[..., :8]}, "key has shape (1, 40, 2, 8) as [batch, length, heads, dim]: "
            "dim is 8; wanted 16, as query has"),
    "length": ({"value": VALUE[:, :7]}, "length is 7; wanted 40, as key has"),
    "heads": ({"query": QUERY[:, :, :3]}, "heads is 2; wanted a divisor of the 3 heads of query"),
    "batch": ({"key": np.concatenate([KEY, KEY])}, "batch is 2; wanted 1, as query has"),
    "layout": ({"layout": "thbd"}, "layout is 'thbd'; wanted \"bthd\""),
    "empty": ({"key": KEY[:, :0], "value": VALUE[:, :0]}, "key has shape (1, 0, 2, 16); wanted no "
              "dimension of 0"),
    "not contiguous": ({"query": np.repeat(QUERY, 2, 3)[..., ::2]}, "query has shape "
                       "(1, 33, 4, 16) and stride 2 along its last dimension; wanted contiguous"),
    "span beyond the end": ({"spans": [(0, 4), (30, 41)]}, "spans[1] is (30, 41); wanted a span "
                            "within the 40 positions of key"),
    "spans that overlap": ({"spans": [(0, 4), (3, 9)]}, "spans[1] is (3, 9); wanted spans that "
                           "ascend"),
    "an empty span": ({"spans": [(4, 4)]}, "spans[0] is (4, 4); wanted begin < end"),
    "spans that are no pairs": ({"spans": [1, 2, 3]}, "spans has shape (3,) and type int64; wanted "
                                "pairs"),
    "ragged spans": ({"spans": [(1, 2), (3,)]}, "spans has shape"),
    "spans of floats": ({"spans": [(0.0, 1.5)]}, "wanted pairs of whole numbers"),
    "hidden": ({"hidden": [(0, 99)]}, "hidden[0] is (0, 99)"),
    "rows beyond the end": ({"rows": [1, 33]}, "rows[1] is 33; wanted indices that ascend within "
                            "the 33 rows of query"),
    "rows by name": ({"rows": "some"}, 'rows is "some"; wanted None, "each"'),
    "row spans": ({"rows": [(0, 99)]}, "rows[0] is (0, 99); wanted a span within the 33 rows"),
    "scale": ({"scale": float("nan")}, "scale is nan; wanted a finite number"),
    "threads": ({"threads": -1}, "threads is -1; wanted a whole number"),
    "instruction set": ({"instruction_set": "mmx"}, 'instruction_set is "mmx"; wanted one of'),
    "window": ({"window": -1}, "window is -1"),
    "out is read-only": ({"out": read_only((1, 33, 4, 16))}, "out is"),
    "out of another shape": ({"out": np.empty((1, 33, 4, 8), np.float32)}, "out has shape "
                             "(1, 33, 4, 8) as [batch, length, heads, dim]: dim is 8; wanted 16"),
    "out is query": ({"out": QUERY.copy()[:, :, :2]}, "heads is 2; wanted 4, as query has"),
}


@pytest.mark.parametrize("case", REFUSED)
def test_refused(case):
    arguments, words = REFUSED[case]
    with pytest.raises(whereof.Error, match=re.escape(words)) as caught:
        call(**arguments)
    assert "\n" not in str(caught.value)
    assert isinstance(caught.value, (whereof.ArgumentError, whereof.UnsupportedError))


UNSUPPORTED = {
    "complex": (QUERY.astype(np.complex64), "query has shape (1, 33, 4, 16) and type complex64; "
                "wanted float32, float16, bfloat16 or float64"),
    "double with floats": (QUERY.astype(np.float64), "key is f32 and query f64; f64 goes with f64"),
    "integers": (QUERY.astype(np.uint16), "type uint16; wanted float32"),
    "swapped bytes": (QUERY.astype(">f4"), "type >f4; wanted float32"),
    "objects": (QUERY.astype(object), "type object; wanted float32"),
    "a list": ([[1.0]], "query is list; wanted an array of NumPy"),
    "None": (None, "query is NoneType; wanted an array"),
    "a set": ({1.0}, "query"),
}


@pytest.mark.parametrize("case", UNSUPPORTED)
def test_of_an_unsupported_type(case):
    query, words = UNSUPPORTED[case]
    with pytest.raises((whereof.UnsupportedError, whereof.ArgumentError), match=re.escape(words)):
        call(query=query)


def test_an_output_that_overlaps_an_input():
    with pytest.raises(whereof.ArgumentError, match="overlaps query"):
        array = QUERY.copy()
        call(query=array, out=array)


@pytest.mark.parametrize("name", ["query", "key", "value"])
@pytest.mark.parametrize("poison", [np.nan, np.inf])
def test_numbers_that_are_not_finite(name, poison):
    arrays = {"query": QUERY.copy(), "key": KEY.copy(), "value": VALUE.copy()}
    arrays[name][0, 5, 1, 7] = poison
    with pytest.raises(whereof.ArgumentError, match=f"{name} has shape .* NaN or infinity at batch "
                                                    "0, position 5, head 1, element 7"):
        call(**arrays, check_finite=True)
    call(check_finite=True)


def test_the_hierarchy():
    assert issubclass(whereof.Error, Exception)
    for name in whereof.__all__:
        thing = getattr(whereof, name)
        if name.endswith("Error"):
            assert issubclass(thing, whereof.Error)
    assert issubclass(whereof.ArgumentError, ValueError)
    assert issubclass(whereof.UnsupportedError, TypeError)
    with pytest.raises(ValueError) as caught:
        call(window=-1)
    assert caught.value.kind == "invalid_argument"


def test_evidence_is_not_pickled_but_its_arrays_are():
    _, evidence = call(spans=[(0, 40)])
    with pytest.raises(TypeError, match="Evidence holds memory of the library and cannot be "
                                        r"pickled; pickle the dictionary that arrays\(\) gives"):
        pickle.dumps(evidence)
    arrays = pickle.loads(pickle.dumps(evidence.arrays()))
    np.testing.assert_array_equal(arrays["span_mass"], evidence.span_mass)
    np.testing.assert_array_equal(arrays["spans"], [[0, 40]])


def test_what_backward_refuses():
    output, evidence = call()
    figures = evidence.row_log_sum_exp
    with pytest.raises(whereof.ArgumentError, match=r"grad_output has shape \(1, 32, 4, 16\)"):
        whereof.attention_backward(output[:, 1:], QUERY, KEY, VALUE, output, figures)
    with pytest.raises(whereof.ArgumentError, match=r"log_sum_exp has shape \(1, 4, 32\); wanted "
                                                    r"\(1, 4, 33\)"):
        whereof.attention_backward(output, QUERY, KEY, VALUE, output, figures[..., 1:])
    halves = [array.astype(np.float16) for array in (output, QUERY, KEY, VALUE, output)]
    with pytest.raises(whereof.UnsupportedError, match="f16; wanted one of f32 bf16"):
        whereof.attention_backward(*halves, figures)

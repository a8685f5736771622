"""KVCache and decode against attention over all tokens at once."""

import pickle

import numpy as np
import pytest

import materialised
import whereof

ml_dtypes = pytest.importorskip("ml_dtypes")
DTYPES = {"float32": (np.float32, 1e-6), "float16": (np.float16, 2e-3),
          "bfloat16": (ml_dtypes.bfloat16, 2e-2)}


def filled(arrays, dtype, layout="bthd"):
    """A cache to which the tokens were added a few at a time, and grew."""
    _, key, value = arrays
    cache = whereof.KVCache(key.shape[0], key.shape[2], key.shape[3], value_dim=value.shape[3],
                            dtype=dtype, capacity=4)
    for begin, end in ((0, 3), (3, 4), (4, 20), (20, 40)):
        parts = [array[:, begin:end] for array in (key, value)]
        cache.append(*(part.swapaxes(1, 2) if layout == "bhtd" else part for part in parts),
                     layout=layout)
    return cache


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("layout", ["bthd", "bhtd"])
def test_decode_is_attention_of_the_last_rows(dtype, layout):
    kind, tolerance = DTYPES[dtype]
    arrays = materialised.random_arrays(1, batch=2, rows=3, value_dim=24, dtype=kind)
    cache = filled(arrays, dtype, layout)
    assert len(cache) == 40 and cache.capacity == 64 and cache.dtype == dtype
    query = arrays[0].swapaxes(1, 2) if layout == "bhtd" else arrays[0]
    output, evidence = whereof.decode(query, cache, layout=layout, spans=[(0, 10)], rows="each")
    weights = materialised.weights(*arrays[:2], causal=True)
    output = output.swapaxes(1, 2) if layout == "bhtd" else output
    wanted = materialised.output(weights, arrays[2])
    assert np.abs(output.astype(np.float64) - wanted).max() < tolerance
    masses = materialised.span_mass(weights, [(0, 10)])
    np.testing.assert_allclose(evidence.span_mass, masses, rtol=1e-4, atol=tolerance)


def test_int8_is_off_by_its_rounding_only():
    arrays = materialised.random_arrays(2, rows=1)
    cache = filled(arrays, "int8")
    output, _ = whereof.decode(arrays[0], cache)
    wanted = materialised.output(materialised.weights(*arrays[:2]), arrays[2])
    np.testing.assert_allclose(output, wanted, atol=2e-2)
    whole = filled(arrays, "float32")
    assert cache.nbytes < 0.4 * whole.nbytes


def test_truncate_goes_back():
    arrays = materialised.random_arrays(3, rows=1)
    cache = filled(arrays, "float32")
    cache.truncate(7)
    output, _ = whereof.decode(arrays[0], cache, evidence=False)
    wanted, _ = whereof.attention(arrays[0], arrays[1][:, :7], arrays[2][:, :7])
    np.testing.assert_allclose(output, wanted, atol=1e-6)


def test_what_it_refuses():
    query, key, value = materialised.random_arrays(4)
    cache = whereof.KVCache(1, 2, 16)
    with pytest.raises(whereof.ArgumentError, match="cache holds no token"):
        whereof.decode(query, cache)
    with pytest.raises(whereof.ArgumentError, match=r"key has shape \(1, 40, 2, 8\).*wanted 1, 2"):
        cache.append(key[..., :8], value)
    with pytest.raises(whereof.ArgumentError, match="key has type float16; wanted float32"):
        cache.append(key.astype(np.float16), value)
    with pytest.raises(whereof.ArgumentError, match="value has 39 tokens; wanted 40, as key has"):
        cache.append(key, value[:, 1:])
    with pytest.raises(whereof.ArgumentError, match=r"key has shape \(40, 2, 16\); wanted 4"):
        cache.append(key[0], value)
    assert len(cache) == 0
    cache.append(key, value)
    with pytest.raises(whereof.ArgumentError, match="length is 41; wanted 0 to 40"):
        cache.truncate(41)
    with pytest.raises(whereof.ArgumentError, match=r"spans\[0\] is \(0, 41\)"):
        whereof.decode(query, cache, spans=[(0, 41)])
    with pytest.raises(whereof.ArgumentError, match="dtype is 'int4'"):
        whereof.KVCache(1, 2, 16, dtype="int4")
    with pytest.raises(whereof.ArgumentError, match="batch is 0"):
        whereof.KVCache(0, 2, 16)
    poisoned = key.copy()
    poisoned[0, 3] = np.nan
    with pytest.raises(whereof.ArgumentError, match="NaN"):
        whereof.KVCache(1, 2, 16, dtype="int8").append(poisoned, value)


def test_a_cache_is_not_pickled():
    with pytest.raises(TypeError, match="KVCache holds memory of the library and cannot"):
        pickle.dumps(whereof.KVCache(1, 2, 16))

"""The scoring forms and rotary positions against their formulas in double."""

import pickle

import numpy as np
import pytest

import materialised
import whereof

FORMS = ["dot", "general", "concat", "additive"]


def arrays_of(form, seed, is_shared):
    random = np.random.default_rng(seed)
    heads, width, query_dim = 2, 5, 6
    key_dim = query_dim if form == "dot" else 4
    shapes = {"query": (1, 3, heads, query_dim), "key": (1, 7, heads, key_dim),
              "value": (1, 7, heads, 3)}
    parameters = {"general": {"weight": (key_dim, query_dim)},
                  "concat": {"weight": (width, query_dim + key_dim), "score_vector": (width,)},
                  "additive": {"weight": (width, query_dim), "key_weight": (width, key_dim),
                               "score_vector": (width,)}}.get(form, {})
    if not is_shared:
        parameters = {name: (heads, *shape) for name, shape in parameters.items()}
    return {name: random.standard_normal(shape).astype(np.float32)
            for name, shape in {**shapes, **parameters}.items()}


def scores_of(form, query, key, weight=None, key_weight=None, score_vector=None):
    """[rows, keys] of one head."""
    if form == "dot":
        return query @ key.T
    if form == "general":
        return (query @ weight.T) @ key.T
    if form == "concat":
        weight, key_weight = weight[:, :query.shape[1]], weight[:, query.shape[1]:]
    hidden = (query @ weight.T)[:, None] + (key @ key_weight.T)[None]
    return np.tanh(hidden) @ score_vector


def output_of(form, arrays, causal):
    outputs = []
    for head in range(2):
        own = {name: array[0, :, head] for name, array in arrays.items()
               if name in ("query", "key", "value")}
        for name, array in arrays.items():
            if name not in own:
                is_shared = array.ndim == (1 if name == "score_vector" else 2)
                own[name] = array if is_shared else array[head]
        value = own.pop("value")
        scores = scores_of(form, **own)
        if causal:
            rows, keys = scores.shape
            scores[np.arange(keys)[None] > np.arange(rows)[:, None] + keys - rows] = -np.inf
        weights = np.exp(scores - scores.max(1, keepdims=True))
        outputs.append(weights / weights.sum(1, keepdims=True) @ value)
    return np.stack(outputs, axis=1)[None]


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("is_shared", [True, False], ids=["shared", "by head"])
@pytest.mark.parametrize("causal", [False, True], ids=["full", "causal"])
def test_output_and_gradients(form, is_shared, causal):
    arrays = arrays_of(form, 1, is_shared)
    doubles = {name: array.astype(np.float64) for name, array in arrays.items()}
    output, figures = whereof.scored_attention(form, **arrays, causal=causal)
    np.testing.assert_allclose(output, output_of(form, doubles, causal), atol=3e-6)
    assert figures.shape == (1, 2, 3)
    grad_output = np.random.default_rng(2).standard_normal(output.shape).astype(np.float32)
    gradients = whereof.scored_attention_backward(form, grad_output, **arrays, output=output,
                                                  log_sum_exp=figures, causal=causal)
    for name in gradients._fields:
        gradient = getattr(gradients, name)
        if name not in arrays:
            assert gradient is None
            continue
        assert gradient.shape == arrays[name].shape
        for at in np.ndindex(gradient.shape):
            moved = []
            for step in (1e-5, -1e-5):
                changed = {**doubles, name: doubles[name].copy()}
                changed[name][at] += step
                moved.append((output_of(form, changed, causal) * grad_output).sum())
            assert gradient[at] == pytest.approx((moved[0] - moved[1]) / 2e-5, abs=1e-5), name


def test_heads_before_length():
    arrays = arrays_of("additive", 3, True)
    wanted, _ = whereof.scored_attention("additive", **arrays)
    for name in ("query", "key", "value"):
        arrays[name] = np.ascontiguousarray(arrays[name].swapaxes(1, 2))
    output, _ = whereof.scored_attention("additive", **arrays, layout="bhtd")
    np.testing.assert_array_equal(output.swapaxes(1, 2), wanted)


@pytest.mark.parametrize("change, words", [
    ({"score_vector": None}, "score_vector is missing; form 'additive' takes it"),
    ({"weight": np.zeros((5, 9), np.float32)}, "weight has shape"),
    ({"weight": np.zeros(5, np.float32)}, r"weight has shape \(5,\); wanted \[rows, columns\], or"),
    ({"form": "cosine"}, "form is 'cosine'; wanted one of dot, general"),
    ({"form": "general"}, "key_weight was given; form 'general' takes none"),
    ({"query": np.zeros((3, 2, 6), np.float32)}, r"query has shape \(3, 2, 6\); wanted 4"),
])
def test_refused(change, words):
    arrays = {"form": "additive", **arrays_of("additive", 4, True), **change}
    with pytest.raises(whereof.ArgumentError, match=words):
        whereof.scored_attention(arrays.pop("form"), **arrays)


@pytest.mark.parametrize("pairing", ["halves", "interleaved"])
def test_rotary_turns_each_pair_by_its_angle(pairing):
    rows = np.random.default_rng(5).standard_normal((2, 4, 3, 8)).astype(np.float32)
    positions = [0, 3, 17, 99]
    table = whereof.RotaryTable(8, 100, theta=500.0, pairing=pairing)
    assert len(table) == 100 and table.dim == 8
    rotated = rows.copy()
    assert table.rotate(rotated, positions) is rotated
    angles = np.outer(positions, 500.0 ** (-2 * np.arange(4) / 8))[None, :, None]
    first, second = ((slice(0, 4), slice(4, 8)) if pairing == "halves"
                     else (slice(0, 8, 2), slice(1, 8, 2)))
    a, b = rows[..., first], rows[..., second]
    np.testing.assert_allclose(rotated[..., first], a * np.cos(angles) - b * np.sin(angles),
                               atol=1e-6)
    np.testing.assert_allclose(rotated[..., second], a * np.sin(angles) + b * np.cos(angles),
                               atol=1e-6)
    turned = np.ascontiguousarray(rows.swapaxes(1, 2))
    table.rotate(turned, positions, layout="bhtd")
    np.testing.assert_array_equal(turned.swapaxes(1, 2), rotated)


def test_what_rotary_refuses():
    table = whereof.RotaryTable(8, 10)
    rows = np.zeros((1, 2, 1, 8), np.float32)
    with pytest.raises(whereof.ArgumentError, match="position"):
        table.rotate(rows, [3, 10])
    with pytest.raises(whereof.ArgumentError, match="positions has 3 entries; wanted 2"):
        table.rotate(rows, [1, 2, 3])
    rows.flags.writeable = False
    with pytest.raises(whereof.UnsupportedError, match="rows is ndarray; wanted an array that"):
        table.rotate(rows)
    with pytest.raises(TypeError, match="RotaryTable holds memory of the library"):
        pickle.dumps(table)


def test_materialised_weights_sum_to_one():
    query, key, _ = materialised.random_arrays(6)
    np.testing.assert_allclose(materialised.weights(query, key, causal=True).sum(-1), 1.0)

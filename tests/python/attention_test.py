"""whereof.attention against the materialised computation, on arrays of NumPy."""

import multiprocessing
import threading

import numpy as np
import pytest

import materialised
import whereof

ml_dtypes = pytest.importorskip("ml_dtypes")

# Of an output, against double: what rounding inputs and outputs to the type leaves.
TOLERANCE = {np.dtype(np.float64): 1e-13, np.dtype(np.float32): 2e-6, np.dtype(np.float16): 2e-3,
             np.dtype(ml_dtypes.bfloat16): 2e-2}
MASKS = [{}, {"causal": True}, {"causal": True, "window": 7}, {"hidden": [(3, 9), (20, 21)]},
         {"scale": 0.3, "soft_cap": 2.0}]


@pytest.mark.parametrize("dtype", TOLERANCE, ids=str)
@pytest.mark.parametrize("mask", MASKS, ids=str)
def test_output_is_that_of_all_weights(dtype, mask):
    query, key, value = materialised.random_arrays(1, batch=2, value_dim=24, dtype=dtype)
    output, evidence = whereof.attention(query, key, value, **mask)
    wanted = materialised.output(materialised.weights(query, key, **mask), value)
    assert output.dtype == dtype and output.shape == (2, 33, 4, 24)
    assert np.abs(output.astype(np.float64) - wanted).max() < TOLERANCE[dtype]
    assert np.all(evidence.row_count == 33)


@pytest.mark.parametrize("mask", MASKS, ids=str)
def test_evidence_is_that_of_all_weights(mask):
    query, key, value = materialised.random_arrays(2, batch=2)
    spans = [(0, 5), (5, 6), (10, 40)]
    _, evidence = whereof.attention(query, key, value, spans=spans, rows="each", sink_length=2,
                                    top_keys=3, column_sums=True, **mask)
    weights = materialised.weights(query, key, **mask)
    masses = materialised.span_mass(weights, spans)
    close = {"rtol": 1e-5, "atol": 1e-5}
    np.testing.assert_allclose(evidence.max_weight, weights.max(-1), **close)
    np.testing.assert_allclose(evidence.entropy, materialised.entropy(weights), **close)
    np.testing.assert_allclose(evidence.sink_mass, weights[..., :2].sum(-1), **close)
    np.testing.assert_allclose(evidence.span_mass, masses, **close)
    np.testing.assert_allclose(evidence.unassigned_mass, weights[..., 6:10].sum(-1), **close)
    np.testing.assert_allclose(evidence.column_mass, masses.sum(2), rtol=1e-5, atol=1e-4)
    sorted_weights = -np.sort(-weights, axis=-1)[..., :3]
    np.testing.assert_allclose(evidence.top_weight, sorted_weights, **close)
    at_top = np.take_along_axis(weights, np.maximum(evidence.top_key, 0), -1)
    np.testing.assert_allclose(evidence.top_weight, at_top, **close)
    assert evidence.log_sum_exp.shape == evidence.row_log_sum_exp.shape == (2, 4, 33)
    np.testing.assert_array_equal(evidence.log_sum_exp, evidence.row_log_sum_exp)


def test_rows_are_summed_together_by_spans_or_singly():
    query, key, value = materialised.random_arrays(3)
    masses = materialised.span_mass(materialised.weights(query, key), [(0, 20), (20, 40)])

    def measured(rows):
        return whereof.attention(query, key, value, spans=[(0, 20), (20, 40)], rows=rows)[1]

    np.testing.assert_allclose(measured(None).span_mass[:, :, 0], masses.sum(2), rtol=1e-5)
    np.testing.assert_allclose(measured([2, 30]).span_mass, masses[:, :, [2, 30]], rtol=1e-5)
    by_spans = measured([(0, 3), (10, 33)])
    np.testing.assert_allclose(by_spans.span_mass[:, :, 0], masses[:, :, :3].sum(2), rtol=1e-5)
    np.testing.assert_allclose(by_spans.span_mass[:, :, 1], masses[:, :, 10:].sum(2), rtol=1e-5)
    assert by_spans.row_count.tolist() == [[3, 23]]


def test_layouts_and_strides_give_the_same_bits():
    query, key, value = materialised.random_arrays(4)
    wanted, evidence = whereof.attention(query, key, value, causal=True, spans=[(0, 9)])
    turned = [np.ascontiguousarray(array.swapaxes(1, 2)) for array in (query, key, value)]
    output, turned_evidence = whereof.attention(*turned, causal=True, spans=[(0, 9)],
                                                layout="bhtd")
    np.testing.assert_array_equal(output.swapaxes(1, 2), wanted)
    np.testing.assert_array_equal(turned_evidence.span_mass, evidence.span_mass)

    def attended(*arrays):
        return whereof.attention(*arrays, causal=True, spans=[(0, 9)])[0]

    views = [array.swapaxes(1, 2) for array in turned]  # heads outside length
    assert not views[0].flags.c_contiguous
    np.testing.assert_array_equal(attended(*views), wanted)
    joined = np.concatenate([key, value], axis=3)  # rows of a wider array
    np.testing.assert_array_equal(attended(query, joined[..., :16], joined[..., 16:]), wanted)
    reverse = [array[:, ::-1] for array in (np.ascontiguousarray(a[:, ::-1])
                                            for a in (query, key, value))]
    np.testing.assert_array_equal(attended(*reverse), wanted)


def test_read_only_arrays_are_read():
    arrays = materialised.random_arrays(5)
    wanted, _ = whereof.attention(*arrays)
    for array in arrays:
        array.flags.writeable = False
    np.testing.assert_array_equal(whereof.attention(*arrays)[0], wanted)


def test_what_has_the_buffer_protocol_is_read():
    arrays = materialised.random_arrays(6)
    wanted, _ = whereof.attention(*arrays)
    output, _ = whereof.attention(*map(memoryview, arrays))
    np.testing.assert_array_equal(output, wanted)


def test_out_is_written_and_returned():
    query, key, value = materialised.random_arrays(7)
    out = np.empty((1, 33, 4, 16), np.float32)
    output, _ = whereof.attention(query, key, value, out=out)
    assert output is out
    np.testing.assert_array_equal(out, whereof.attention(query, key, value)[0])


def test_without_evidence_the_output_is_the_same():
    arrays = materialised.random_arrays(8)
    output, evidence = whereof.attention(*arrays, causal=True, evidence=False)
    assert evidence is None
    # To rounding: tiles of keys are cut where the sink and spans end.
    np.testing.assert_allclose(output, whereof.attention(*arrays, causal=True)[0], atol=1e-6)


def test_lengths_and_documents():
    query, key, value = materialised.random_arrays(9, batch=2, rows=40)
    output, _ = whereof.attention(query, key, value, query_lengths=[40, 10], key_lengths=[40, 10])
    alone, _ = whereof.attention(query[1:, :10], key[1:, :10], value[1:, :10])
    np.testing.assert_allclose(output[1:, :10], alone, atol=1e-6)
    assert not output[1, 10:].any()
    packed, _ = whereof.attention(query, key, value, document_starts=[0, 25])
    second, _ = whereof.attention(query[:, 25:], key[:, 25:], value[:, 25:])
    np.testing.assert_allclose(packed[:, 25:], second, atol=1e-6)


def test_a_row_that_is_not_a_number_stays_alone():
    query, key, value = materialised.random_arrays(10)
    wanted, _ = whereof.attention(query, key, value)
    query[0, 3, 1] = np.nan
    output, evidence = whereof.attention(query, key, value)
    assert np.isnan(output[0, 3, 1]).all() and np.isnan(evidence.entropy[0, 1]).all()
    output[0, 3, 1] = wanted[0, 3, 1]
    np.testing.assert_array_equal(output, wanted)


def test_bits_do_not_depend_on_threads():
    arrays = materialised.random_arrays(11, rows=300, keys=300)
    outputs = []
    before = whereof.get_threads()
    try:
        for threads in (1, 2, 0):
            whereof.set_threads(threads)
            assert whereof.get_threads() == threads
            outputs.append(whereof.attention(*arrays, causal=True)[0])
    finally:
        whereof.set_threads(before)
    np.testing.assert_array_equal(outputs[0], outputs[1])
    np.testing.assert_array_equal(outputs[0], outputs[2])
    np.testing.assert_array_equal(outputs[0], whereof.attention(*arrays, causal=True,
                                                                threads=1)[0])


def attended_in_a_child(arrays):
    return whereof.attention(*arrays, causal=True)[0]


@pytest.mark.parametrize("method", ["fork", "spawn"])
@pytest.mark.filterwarnings("ignore:.*multi-threaded.*fork:DeprecationWarning")
def test_a_child_process_computes_too(method):
    """After fork() the threads of the pool are gone: nobody may wait for them."""
    arrays = materialised.random_arrays(16, rows=300, keys=300)
    wanted, _ = whereof.attention(*arrays, causal=True)  # the pool has started
    with multiprocessing.get_context(method).Pool(1) as pool:
        found = pool.apply_async(attended_in_a_child, (arrays,)).get(timeout=100)
    np.testing.assert_array_equal(found, wanted)


def test_every_instruction_set_by_name():
    query, key, value = materialised.random_arrays(12)
    wanted = materialised.output(materialised.weights(query, key), value)
    assert "portable" in whereof.instruction_sets()
    for name in whereof.instruction_sets():
        output, _ = whereof.attention(query, key, value, instruction_set=name)
        np.testing.assert_allclose(output, wanted, atol=2e-6)


def test_calls_from_several_threads():
    arrays = materialised.random_arrays(13, rows=200, keys=200)
    wanted, _ = whereof.attention(*arrays)
    found = []
    threads = [threading.Thread(target=lambda: found.append(whereof.attention(*arrays)[0]))
               for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(found) == 8
    for output in found:
        np.testing.assert_array_equal(output, wanted)


def test_arrays_of_the_evidence_outlive_it():
    query, key, value = materialised.random_arrays(14)
    mass = whereof.attention(query, key, value, spans=[(0, 40)])[1].span_mass
    np.testing.assert_allclose(mass, 33.0, rtol=1e-5)


@pytest.mark.parametrize("mask", MASKS[:3], ids=str)
def test_gradients_are_those_of_central_differences(mask):
    arrays = materialised.random_arrays(15, rows=6, keys=8, dim=4)
    output, evidence = whereof.attention(*arrays, **mask)
    grad_output = np.random.default_rng(1).standard_normal(output.shape).astype(np.float32)
    gradients = whereof.attention_backward(grad_output, *arrays, output,
                                           evidence.row_log_sum_exp, **mask)

    def loss(doubles):
        weights = materialised.weights(*doubles[:2], **mask)
        return (materialised.output(weights, doubles[2]) * grad_output).sum()

    for which, gradient in enumerate(gradients):
        assert gradient.shape == arrays[which].shape and gradient.dtype == np.float32
        for at in np.ndindex(gradient.shape):
            moved = []
            for step in (1e-5, -1e-5):
                doubles = [array.astype(np.float64) for array in arrays]
                doubles[which][at] += step
                moved.append(loss(doubles))
            assert gradient[at] == pytest.approx((moved[0] - moved[1]) / 2e-5, abs=3e-6)

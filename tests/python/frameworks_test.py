"""Arrays of PyTorch and JAX: read as they lie, answered in kind."""

import numpy as np
import pytest

import materialised
import whereof


@pytest.fixture(name="torch")
def _torch():
    return pytest.importorskip("torch")


@pytest.mark.parametrize("dtype, tolerance", [("float32", 2e-6), ("float16", 2e-3),
                                              ("bfloat16", 2e-2)])
def test_tensors(torch, dtype, tolerance):
    arrays = materialised.random_arrays(1, batch=2)
    tensors = [torch.from_numpy(array).to(getattr(torch, dtype)) for array in arrays]
    output, evidence = whereof.attention(*tensors, causal=True, spans=[(0, 40)])
    assert isinstance(output, torch.Tensor) and output.dtype == tensors[0].dtype
    arrays = [tensor.double().numpy() for tensor in tensors]
    wanted = materialised.output(materialised.weights(*arrays[:2], causal=True), arrays[2])
    np.testing.assert_allclose(output.double().numpy(), wanted, atol=tolerance)
    np.testing.assert_allclose(evidence.span_mass, 33.0, rtol=1e-5)
    turned = [tensor.transpose(1, 2) for tensor in tensors]  # views; nothing is copied
    again, _ = whereof.attention(*turned, causal=True, layout="bhtd", spans=[(0, 40)])
    assert torch.equal(again.transpose(1, 2), output)
    out = torch.empty_like(output)
    assert whereof.attention(*tensors, out=out)[0] is out


def test_tensors_that_are_refused(torch):
    tensor = torch.zeros(1, 3, 2, 4)
    with pytest.raises(whereof.ArgumentError, match=r"query has shape \(1, 3, 2, 4\) on device "
                                                    r"meta; wanted a tensor on the CPU"):
        whereof.attention(tensor.to("meta"), tensor, tensor)
    with pytest.raises(whereof.UnsupportedError, match="type complex64; wanted float32"):
        whereof.attention(tensor.to(torch.complex64), tensor, tensor)
    with pytest.raises(whereof.UnsupportedError, match="layout torch.sparse_coo"):
        whereof.attention(tensor, tensor.to_sparse(), tensor)


def test_a_cache_of_tensors(torch):
    arrays = materialised.random_arrays(2, rows=2)
    tensors = [torch.from_numpy(array).bfloat16() for array in arrays]
    cache = whereof.KVCache(1, 2, 16, dtype="bfloat16")
    cache.append(*tensors[1:])
    output, _ = whereof.decode(tensors[0], cache, evidence=False)
    wanted, _ = whereof.attention(*tensors, causal=True, evidence=False)
    assert output.dtype == torch.bfloat16
    assert (output - wanted).abs().max() <= 2 ** -6


def test_scoring_of_tensors(torch):
    torch.manual_seed(1)
    query, key, value = (torch.randn(1, length, 2, 4) for length in (3, 5, 5))
    weight = torch.randn(4, 4)
    output, figures = whereof.scored_attention("general", query, key, value, weight=weight)
    wanted, _ = whereof.scored_attention("dot", query @ weight.T, key, value)
    assert isinstance(output, torch.Tensor) and torch.allclose(output, wanted, atol=1e-5)
    gradients = whereof.scored_attention_backward("general", output, query, key, value, output,
                                                  figures, weight=weight)
    assert isinstance(gradients.weight, torch.Tensor) and gradients.weight.shape == (4, 4)


def test_jax():
    jax = pytest.importorskip("jax")
    arrays = materialised.random_arrays(3)
    wanted, _ = whereof.attention(*arrays, causal=True)
    output, evidence = whereof.attention(*map(jax.numpy.asarray, arrays), causal=True)
    assert isinstance(output, jax.Array) and evidence.entropy.shape == (1, 4, 1)
    np.testing.assert_array_equal(np.asarray(output), wanted)
    halves = [jax.numpy.asarray(array, jax.numpy.bfloat16) for array in arrays]
    output, _ = whereof.attention(*halves, causal=True)
    assert output.dtype == jax.numpy.bfloat16
    np.testing.assert_allclose(np.asarray(output, np.float32), wanted, atol=0.05)

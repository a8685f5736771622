"""whereof.torch: a function that trains."""

import numpy as np
import pytest

torch = pytest.importorskip("torch")

import whereof.torch  # noqa: E402  (where torch is missing this is never reached)


def tensors(dtype=torch.float32, layout="bthd", rows=7, keys=9, dim=8):
    torch.manual_seed(3)
    made = [torch.randn(2, length, heads, dim).to(dtype)
            for length, heads in ((rows, 4), (keys, 2), (keys, 2))]
    if layout == "bhtd":
        made = [tensor.transpose(1, 2).contiguous() for tensor in made]
    return [tensor.requires_grad_() for tensor in made]


def in_double(query, key, value, causal=True):
    """Attention of leaves in double, [batch, length, heads, dim]."""
    query, key, value = (tensor.transpose(1, 2) for tensor in (query, key, value))
    rows, keys = query.shape[2], key.shape[2]
    scores = query @ key.repeat_interleave(2, 1).transpose(2, 3) * query.shape[3] ** -0.5
    if causal:
        hidden = torch.ones(rows, keys).triu(1 + keys - rows).bool()
        scores = scores.masked_fill(hidden, float("-inf"))
    return (scores.softmax(-1) @ value.repeat_interleave(2, 1)).transpose(1, 2)


@pytest.mark.parametrize("dtype, tolerance", [(torch.float32, 1e-5), (torch.bfloat16, 4e-2),
                                              (torch.float16, 5e-3)], ids=str)
def test_gradients_are_those_in_double(dtype, tolerance):
    leaves = tensors(dtype)
    output, evidence = whereof.torch.attention(*leaves, causal=True, spans=[(0, 9)])
    assert evidence.span_mass.shape == (2, 4, 1, 1)
    doubles = [leaf.detach().double().requires_grad_() for leaf in leaves]
    wanted = in_double(*doubles)
    weighing = torch.randn(wanted.shape, dtype=torch.double)
    (output.double() * weighing).sum().backward()
    (wanted * weighing).sum().backward()
    assert torch.allclose(output.double(), wanted, atol=tolerance)
    for leaf, double in zip(leaves, doubles):
        assert leaf.grad.dtype == dtype
        scale = max(1.0, float(double.grad.abs().max()))
        assert (leaf.grad.double() - double.grad).abs().max() < tolerance * scale


MASKS = [{}, {"causal": True, "window": 4}, {"soft_cap": 3.0}, {"causal": True, "hidden": [(2, 4)]}]


def attends(layout, mask, **options):
    return lambda *leaves: whereof.torch.attention(*leaves, layout=layout, evidence=False, **mask,
                                                   **options)[0]


@pytest.mark.parametrize("layout", ["bthd", "bhtd"])
@pytest.mark.parametrize("mask", MASKS, ids=str)
def test_gradcheck_in_double(layout, mask):
    leaves = tensors(torch.double, layout)
    assert torch.autograd.gradcheck(attends(layout, mask), leaves, atol=1e-9, rtol=1e-6)


@pytest.mark.parametrize("name", whereof.instruction_sets())
@pytest.mark.parametrize("mask", MASKS, ids=str)
def test_every_derivative_of_the_tiles_is_that_in_double(name, mask):
    """The whole Jacobian in float32, within what gradcheck allows in double by default."""
    leaves = tuple(tensors())
    doubles = tuple(leaf.detach().double().requires_grad_() for leaf in leaves)
    found = torch.autograd.functional.jacobian(attends("bthd", mask, instruction_set=name), leaves)
    wanted = torch.autograd.functional.jacobian(attends("bthd", mask), doubles)
    for of_leaf, of_double in zip(found, wanted):
        assert torch.allclose(of_leaf.double(), of_double, atol=1e-5, rtol=1e-3)


def test_a_gradient_that_is_no_dense_tensor():
    leaves = tensors()
    whereof.torch.attention(*leaves)[0].sum().backward()  # an expanded scalar comes back
    assert torch.allclose(leaves[2].grad.sum(), torch.tensor(2.0 * 7 * 4 * 8), rtol=1e-4)


def test_it_trains():
    """One row learns to look at the key that holds what is wanted."""
    torch.manual_seed(4)
    key, value = torch.randn(1, 50, 1, 8), torch.randn(1, 50, 1, 8)
    query = torch.zeros(1, 1, 1, 8, requires_grad=True)
    optimiser = torch.optim.Adam([query], lr=0.3)
    for _ in range(100):
        optimiser.zero_grad()
        output, evidence = whereof.torch.attention(query, key, value, top_keys=1)
        (output - value[:, 7]).square().sum().backward()
        optimiser.step()
    assert evidence.top_key.item() == 7 and evidence.top_weight.item() > 0.9


def test_without_evidence_and_twice():
    leaves = tensors()
    output, evidence = whereof.torch.attention(*leaves, evidence=False)
    assert evidence is None
    gradient, = torch.autograd.grad(output.square().sum(), leaves[0], create_graph=True)
    with pytest.raises(RuntimeError, match="once_differentiable"):
        gradient.sum().backward()


def test_what_is_refused():
    query, key, value = tensors()
    with pytest.raises(whereof.ArgumentError, match="key is f32 and query f64; f64 goes with f64"):
        whereof.torch.attention(query.double(), key, value)
    with pytest.raises(whereof.UnsupportedError, match="query has shape .* complex64; wanted"):
        whereof.torch.attention(query.to(torch.complex64), key, value)
    with pytest.raises(whereof.ArgumentError, match="query has shape .* wanted 4 dimensions"):
        whereof.torch.attention(query[0], key, value)


def test_of_no_leaf_that_wants_a_gradient():
    query, key, value = (tensor.detach() for tensor in tensors())
    output, evidence = whereof.torch.attention(query, key, value, rows=[6])
    assert not output.requires_grad
    assert np.isfinite(evidence.entropy).all()

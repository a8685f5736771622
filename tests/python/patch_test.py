"""Tiny random models of transformers, patched: equal to eager attention, with its evidence."""

import numpy as np
import pytest

torch = pytest.importorskip("torch")
transformers = pytest.importorskip("transformers")

import materialised  # noqa: E402  (where torch is missing none of this is reached)
import whereof.torch  # noqa: E402

SIZES = {"vocab_size": 128, "hidden_size": 64, "intermediate_size": 96, "num_hidden_layers": 3,
         "num_attention_heads": 4, "num_key_value_heads": 2, "max_position_embeddings": 256,
         "pad_token_id": 0, "bos_token_id": 1, "eos_token_id": 2}
MODELS = {
    "llama": lambda: transformers.LlamaForCausalLM(transformers.LlamaConfig(**SIZES)),
    "qwen2": lambda: transformers.Qwen2ForCausalLM(transformers.Qwen2Config(
        **SIZES, use_sliding_window=True, sliding_window=9, max_window_layers=1)),
    "gemma2": lambda: transformers.Gemma2ForCausalLM(transformers.Gemma2Config(
        **SIZES, head_dim=16, sliding_window=8, attn_logit_softcapping=5.0)),
    "gemma3": lambda: transformers.Gemma3ForCausalLM(transformers.Gemma3TextConfig(
        **SIZES, head_dim=16, sliding_window=8)),
}
SPANS = [(0, 4), (4, 11), (20, 30)]


@pytest.fixture(name="model", params=MODELS)
def _model(request):
    torch.manual_seed(1)
    model = MODELS[request.param]().eval()
    model.set_attn_implementation("eager")
    return model


def ids(length=30, batch=2):
    return torch.randint(3, 128, (batch, length), generator=torch.Generator().manual_seed(2))


@torch.no_grad()
def test_logits_and_evidence_are_those_of_eager_attention(model):
    wanted = model(ids(), output_attentions=True)
    with whereof.torch.patch(model) as patched:
        patched.measure(spans=SPANS, rows="each", top_keys=2)
        found = model(ids())
        assert torch.allclose(found.logits, wanted.logits, atol=2e-5)
        assert sorted(patched.evidence) == [0, 1, 2] and len(patched.passes) == 1
        for layer, weights in enumerate(wanted.attentions):
            weights = weights.double().numpy()
            evidence = patched.evidence[layer]
            np.testing.assert_allclose(evidence.span_mass, materialised.span_mass(weights, SPANS),
                                       atol=1e-5)
            np.testing.assert_allclose(evidence.entropy, materialised.entropy(weights), atol=1e-4)
        assert patched.span_mass().shape == (3, 2, 4, 30, 3)
        assert patched.entropy().shape == (3, 2, 4, 30)
    assert model.config._attn_implementation == "eager"
    assert torch.equal(model(ids()).logits, wanted.logits)


@torch.no_grad()
def test_generation_is_the_same_and_every_step_is_measured(model):
    options = {"max_new_tokens": 6, "do_sample": False, "eos_token_id": None}
    wanted = model.generate(ids(batch=1), attention_mask=torch.ones(1, 30), **options)
    with whereof.torch.patch(model) as patched:
        patched.measure(spans=SPANS, rows=[(0, 15), (15, 30)])
        found = model.generate(ids(batch=1), attention_mask=torch.ones(1, 30), **options)
        assert torch.equal(found, wanted)
        assert len(patched.passes) == 6
        assert patched.passes[0][0].row_count.tolist() == [[15, 15]]
        for step in patched.passes[1:]:
            for evidence in step.values():
                assert evidence.row_count.tolist() == [[1]]
                assert np.all(evidence.spans[:, 0] < evidence.spans[:, 1])
        patched.clear()
        with pytest.raises(whereof.ArgumentError, match="no forward pass was measured"):
            _ = patched.evidence


@torch.no_grad()
@pytest.mark.parametrize("side", ["right", "left"])
def test_padding(model, side):
    tokens, padding = ids(batch=1), torch.zeros(1, 5, dtype=torch.long)
    parts = [tokens, padding] if side == "right" else [padding, tokens]
    mask = torch.cat([part != 0 for part in parts], 1).long()
    given = {"input_ids": torch.cat(parts, 1), "attention_mask": mask}
    wanted = model(**given).logits[mask.bool()]
    with whereof.torch.patch(model):
        assert torch.allclose(model(**given).logits[mask.bool()], wanted, atol=2e-5)


@torch.no_grad()
def test_sequences_of_a_batch_padded_on_the_right(model):
    tokens = ids()
    mask = torch.ones_like(tokens)
    mask[1, 20:] = 0
    wanted = model(tokens, attention_mask=mask).logits
    with whereof.torch.patch(model) as patched:
        found = model(tokens, attention_mask=mask).logits
        assert torch.allclose(found[mask.bool()], wanted[mask.bool()], atol=2e-5)
        assert patched.evidence[0].row_count[:, 0].tolist() == [30, 20]
        with pytest.raises(whereof.UnsupportedError, match=r"attention_mask of shape \(2, 30\)"):
            model(tokens, attention_mask=mask.flip(1))


@torch.no_grad()
def test_bfloat16(model):
    wanted = model(ids()).logits
    model = model.bfloat16()
    eager_error = (model(ids()).logits.float() - wanted).abs().max()
    with whereof.torch.patch(model):
        error = (model(ids()).logits.float() - wanted).abs().max()
    assert error <= 2 * eager_error


def test_a_patched_model_trains(model):
    def gradients():
        model.zero_grad()
        model(ids(), labels=ids()).loss.backward()
        return [parameter.grad.clone() for parameter in model.parameters()]

    wanted = gradients()
    with whereof.torch.patch(model):
        for found, gradient in zip(gradients(), wanted):
            assert torch.allclose(found, gradient, atol=1e-5)


def test_what_is_refused():
    with pytest.raises(whereof.UnsupportedError, match="model is Linear; wanted a transf"):
        whereof.torch.patch(torch.nn.Linear(2, 2))
    state_space = transformers.MambaConfig(vocab_size=64, hidden_size=16, num_hidden_layers=1)
    with pytest.raises(whereof.UnsupportedError, match="MambaForCausalLM does not take its"):
        whereof.torch.patch(transformers.MambaForCausalLM(state_space))
    sizes = {"vocab_size": 128, "d_model": 16, "d_kv": 8, "d_ff": 16, "num_layers": 1,
             "num_heads": 2}
    biased = transformers.T5ForConditionalGeneration(transformers.T5Config(**sizes)).eval()
    with whereof.torch.patch(biased):
        with pytest.raises(whereof.UnsupportedError, match="T5Attention uses position_bias"):
            biased(ids(4, 1), decoder_input_ids=ids(4, 1))
    model = MODELS["llama"]().eval()
    with whereof.torch.patch(model):
        with pytest.raises(whereof.UnsupportedError, match=r"attention_mask has shape \(1, 1, 4"):
            model(ids(4, 1), attention_mask=torch.zeros(1, 1, 4, 4))
    dropping = transformers.LlamaForCausalLM(transformers.LlamaConfig(**SIZES,
                                                                      attention_dropout=0.5))
    with whereof.torch.patch(dropping.train()):
        with pytest.raises(whereof.UnsupportedError, match="drops out 0.5 of the weights"):
            dropping(ids())

"""Each signal over evidence against the same from all weights, as its paper writes it."""

import numpy as np
import pytest

import materialised
import whereof
from whereof import signals

LAYERS, HEADS, ROWS, KEYS = 3, 4, 6, 40


def layers(seed, **measured):
    """Evidence and weights [layers, heads, rows, keys] of the last rows of some layers."""
    evidence, weights = [], []
    for layer in range(LAYERS):
        query, key, value = materialised.random_arrays(seed + layer, rows=ROWS, keys=KEYS)
        evidence.append(whereof.attention(query, key, value, causal=True, **measured)[1])
        weights.append(materialised.weights(query, key, causal=True)[0])
    return evidence, np.stack(weights)


def stacked(evidence, name):
    return np.stack([getattr(layer, name)[0] for layer in evidence])


def test_lookback_ratio():
    context = KEYS - ROWS  # the rows are those of generated tokens
    evidence, weights = layers(1, rows="each", spans=[(0, context), (context, KEYS)])
    seen = np.arange(1, ROWS + 1)
    found = signals.lookback_ratio(stacked(evidence, "span_mass"), context, seen)
    for row in range(ROWS):
        of_context = weights[:, :, row, :context].mean(-1)
        of_new = weights[:, :, row, context:context + row + 1].mean(-1)
        np.testing.assert_allclose(found[..., row], of_context / (of_context + of_new), rtol=1e-5)
    alone = signals.lookback_ratio(np.array([[0.5, 0.0]]), 10, [0])
    np.testing.assert_array_equal(alone, [1.0])


TOKENS = [(key, key + 1) for key in range(30)]
DOCUMENTS = [(0, 9), (9, 20), (20, 30)]


def token_mass(seed):
    evidence, weights = layers(seed, spans=TOKENS)
    return stacked(evidence, "span_mass")[:, :, 0] / ROWS, weights[..., :30].mean(2)


def calibrated_by_hand(question, content_free, heads):
    """The paper's sums, a token at a time."""
    scores = []
    for begin, end in DOCUMENTS:
        tokens = [sum(question[layer, head, token] - content_free[layer, head, token]
                      for layer, head in heads) for token in range(begin, end)]
        bound = np.mean(tokens) - 2 * np.std(tokens)
        scores.append(sum(token for token in tokens if token >= bound))
    return scores


def test_icr_and_qrhead():
    question, question_weights = token_mass(10)
    content_free, free_weights = token_mass(20)
    everywhere = [(layer, head) for layer in range(LAYERS) for head in range(HEADS)]
    np.testing.assert_allclose(signals.icr_scores(question, content_free, DOCUMENTS),
                               calibrated_by_hand(question_weights, free_weights, everywhere),
                               rtol=1e-4, atol=1e-6)
    gold = question[..., 9:20].sum(-1)
    heads = signals.qr_heads(gold[None], 3)
    by_hand = sorted(everywhere, key=lambda at: -question_weights[at][9:20].sum())[:3]
    assert heads == by_hand
    np.testing.assert_allclose(signals.qrhead_scores(question, content_free, DOCUMENTS, heads),
                               calibrated_by_hand(question_weights, free_weights, heads),
                               rtol=1e-4, atol=1e-6)


def test_a_token_that_is_abnormally_low_is_left_out():
    question = np.zeros((1, 1, 10))
    question[0, 0, :] = 0.1
    question[0, 0, 4] = -5.0
    found = signals.icr_scores(question, np.zeros_like(question), [(0, 10)])
    np.testing.assert_allclose(found, [0.9])


def test_retrieval_head_scores():
    random = np.random.default_rng(30)
    prompt = random.integers(0, 6, KEYS).tolist()
    generated, needle = prompt[10:10 + ROWS], (10, 16)
    evidence, weights = layers(31, rows="each", top_keys=1)
    found = signals.retrieval_head_scores(stacked(evidence, "top_key")[..., 0], prompt, generated,
                                          needle)
    tokens = set(prompt[10:16])
    for layer in range(LAYERS):
        for head in range(HEADS):
            copied = set()
            for row, token in enumerate(generated):
                key = int(weights[layer, head, row].argmax())
                if 10 <= key < 16 and prompt[key] == token:
                    copied.add(token)
            assert found[layer, head] == pytest.approx(len(copied & tokens) / len(tokens))
    perfect = np.arange(10, 16)[None]
    np.testing.assert_array_equal(
        signals.retrieval_head_scores(perfect, prompt, generated, needle), [1.0])


def test_weighted_attribution():
    spans = [(0, 10), (10, 25), (25, 30)]
    evidence, weights = layers(40, spans=spans)
    head_weights = np.random.default_rng(41).standard_normal((LAYERS, HEADS))
    mass = stacked(evidence, "span_mass")[:, :, 0]
    by_hand = [sum(head_weights[layer, head] * weights[layer, head, :, begin:end].sum()
                   for layer in range(LAYERS) for head in range(HEADS)) for begin, end in spans]
    np.testing.assert_allclose(signals.weighted_attribution(mass, head_weights), by_hand, rtol=1e-4,
                               atol=1e-5)


def test_head_weights_are_found_again():
    random = np.random.default_rng(50)
    masses = random.random((60, LAYERS, HEADS, 8))
    head_weights = random.standard_normal((LAYERS, HEADS))
    effects = np.einsum("lh,elhs->es", head_weights, masses) + 3.0  # a constant tells nothing
    np.testing.assert_allclose(signals.fit_head_weights(masses, effects, ridge=1e-9), head_weights,
                               atol=1e-6)

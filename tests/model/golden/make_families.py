#!/usr/bin/env python3
"""Tiny random models of each family and their logits by llama-cpp-python: golden values.

    LLAMA_CPP_LIB_PATH=... python make_families.py

Writes to families/: NAME.gguf with bf16 matrices; for each run a RUN.bin with float32 logits
[positions, vocabulary] of the same model with float32 matrices and cache; runs.json with what was
read and how far a run with bf16 matrices and cache is from that (the yardstick); and strings.jsonl
with token ids by the vocabulary that the models share, which asks for a space before a text.
Needs the packages gguf, llama-cpp-python and numpy.
"""

import json
import pathlib
import random
import tempfile

import gguf
import llama_cpp
import numpy

FOLDER = pathlib.Path(__file__).parent / "families"
PIECES = ["▁", "t", "h", "e", "a", "n", "i", "g", "d", "s", "r", "甲", "乙", "▁t", "th", "he", "in",
          "an", "nd", "er", "▁th", "▁the", "the", "ing", "▁a", "▁an", "▁and", "ss", "甲乙", "▁▁"]
NORMAL, UNKNOWN, CONTROL, BYTE = 1, 2, 3, 6
TOKENS = ["<unk>", "<s>", "</s>"] + [f"<0x{byte:02X}>" for byte in range(256)] + PIECES
KINDS = [UNKNOWN, CONTROL, CONTROL] + [BYTE] * 256 + [NORMAL] * len(PIECES)
SCORES = [0.0] * 259 + [-float(i // 2) for i in range(len(PIECES))]  # pairs of equal scores
GGML_TYPE_BF16 = 30  # no name in the package
LENGTH = 96
POSITIONS = [0, 1, 2, 7, 8, 15, 16, 31, 32, 63, 79, 95]


class Builder:
    """One model's keys and tensors, written with matrices of a type."""

    def __init__(self, architecture, layers, width, heads, kv_heads, head_dim, wide, context):
        self.architecture, self.layers, self.width = architecture, layers, width
        self.heads, self.kv_heads, self.head_dim, self.wide = heads, kv_heads, head_dim, wide
        self.context = context
        self.calls = []  # of GGUFWriter: method, arguments
        self.tensors = {}
        self.random = numpy.random.default_rng(len(architecture) * 1000 + layers * 100 + wide)

    def key(self, method, *arguments):
        self.calls.append((method, arguments))
        return self

    def normal(self, shape, spread):
        """Representable in bf16: float32 with the lower half of its bits zero."""
        values = self.random.normal(0, spread, shape).astype(numpy.float32)
        return (values.view(numpy.uint32) & 0xFFFF0000).view(numpy.float32)

    def matrix(self, name, rows, columns, gain=1.0):
        self.tensors[name + ".weight"] = self.normal((rows, columns), gain / columns ** 0.5)

    def vector(self, name, size, about=0.0, spread=0.3):
        self.tensors[name] = (about + self.random.normal(0, spread, size)).astype(numpy.float32)

    def norm(self, name, size):
        self.vector(name + ".weight", size, about=1.0)

    def common(self, is_tied=False, is_fused=False, has_biases=False, has_head_norms=False,
               has_post_norms=False):
        query, kv = self.heads * self.head_dim, self.kv_heads * self.head_dim
        self.matrix("token_embd", len(TOKENS), self.width, gain=4.0)
        self.norm("output_norm", self.width)
        if not is_tied:
            self.matrix("output", len(TOKENS), self.width)
        for layer in range(self.layers):
            name = f"blk.{layer}."
            self.norm(name + "attn_norm", self.width)
            self.norm(name + "ffn_norm", self.width)
            if is_fused:
                self.matrix(name + "attn_qkv", query + 2 * kv, self.width, gain=2.0)
                self.matrix(name + "ffn_up", 2 * self.wide, self.width)
            else:
                self.matrix(name + "attn_q", query, self.width, gain=2.0)
                self.matrix(name + "attn_k", kv, self.width, gain=2.0)
                self.matrix(name + "attn_v", kv, self.width)
                self.matrix(name + "ffn_gate", self.wide, self.width)
                self.matrix(name + "ffn_up", self.wide, self.width)
            self.matrix(name + "attn_output", self.width, query)
            self.matrix(name + "ffn_down", self.width, self.wide)
            if has_biases:
                for part, size in (("q", query), ("k", kv), ("v", kv)):
                    self.vector(f"{name}attn_{part}.bias", size)
            if has_head_norms:
                self.norm(name + "attn_q_norm", self.head_dim)
                self.norm(name + "attn_k_norm", self.head_dim)
            if has_post_norms:
                self.norm(name + "post_attention_norm", self.width)
                self.norm(name + "post_ffw_norm", self.width)
        return self

    def write(self, path, matrix_type):
        writer = gguf.GGUFWriter(path, self.architecture)
        writer.add_context_length(self.context)
        writer.add_embedding_length(self.width)
        writer.add_block_count(self.layers)
        writer.add_feed_forward_length(self.wide)
        writer.add_head_count(self.heads)
        writer.add_head_count_kv(self.kv_heads)
        writer.add_layer_norm_rms_eps(1e-6)
        if self.head_dim * self.heads != self.width:
            writer.add_key_length(self.head_dim)
            writer.add_value_length(self.head_dim)
        for method, arguments in self.calls:
            getattr(writer, method)(*arguments)
        writer.add_tokenizer_model("llama")
        writer.add_token_list(TOKENS)
        writer.add_token_scores(SCORES)
        writer.add_token_types(KINDS)
        writer.add_bos_token_id(1)
        writer.add_eos_token_id(2)
        writer.add_unk_token_id(0)
        for name, values in self.tensors.items():
            if values.ndim == 1 or matrix_type == gguf.GGMLQuantizationType.F32:
                writer.add_tensor(name, values)
            else:
                data = gguf.quants.quantize(values, matrix_type)
                writer.add_tensor(name, data, raw_dtype=matrix_type)
        writer.write_header_to_file()
        writer.write_kv_data_to_file()
        writer.write_tensors_to_file()
        writer.close()


def models():
    linear, yarn = gguf.RopeScalingType.LINEAR, gguf.RopeScalingType.YARN
    yield "llama", Builder("llama", 2, 32, 4, 2, 8, 64, 256).common()
    yield "llama_wide_heads", Builder("llama", 2, 32, 4, 1, 16, 48, 256).common(is_tied=True)
    yield "llama_linear", (Builder("llama", 2, 32, 2, 2, 16, 40, 256).common(is_tied=True)
                           .key("add_rope_scaling_type", linear)
                           .key("add_rope_scaling_factor", 4.0))
    llama3 = Builder("llama", 2, 32, 2, 1, 16, 56, 256).common(is_tied=True)
    llama3.tensors["rope_freqs.weight"] = numpy.array([1, 1, 1.5, 2.75, 4, 8, 8, 8], numpy.float32)
    yield "llama3", llama3
    yield "qwen2_yarn", (Builder("qwen2", 2, 32, 2, 1, 16, 40, 64)
                         .common(is_tied=True, has_biases=True)
                         .key("add_rope_freq_base", 1000.0)
                         .key("add_rope_scaling_type", yarn)
                         .key("add_rope_scaling_factor", 4.0)
                         .key("add_rope_scaling_orig_ctx_len", 64))
    yield "qwen3", Builder("qwen3", 2, 32, 4, 2, 16, 48, 256).common(has_head_norms=True)
    yield "gemma2", (Builder("gemma2", 3, 32, 4, 2, 16, 48, 256)
                     .common(is_tied=True, has_post_norms=True)
                     .key("add_sliding_window", 8)
                     .key("add_attn_logit_softcapping", 2.0)
                     .key("add_final_logit_softcapping", 3.0))
    yield "gemma3", (Builder("gemma3", 4, 32, 4, 1, 16, 48, 256)
                     .common(is_tied=True, has_head_norms=True, has_post_norms=True)
                     .key("add_sliding_window", 8)
                     .key("add_sliding_window_pattern", [True, True, False, True])
                     .key("add_rope_freq_base", 1000000.0)
                     .key("add_rope_scaling_type", linear)
                     .key("add_rope_scaling_factor", 8.0))
    phi3 = Builder("phi3", 2, 48, 3, 1, 16, 48, 1024).common(is_fused=True)
    phi3.tensors["rope_factors_short.weight"] = numpy.linspace(1, 2, 6, dtype=numpy.float32)
    phi3.tensors["rope_factors_long.weight"] = numpy.linspace(1, 16, 6, dtype=numpy.float32)
    yield "phi3", (phi3.key("add_rope_dimension_count", 12)
                   .key("add_rope_scaling_type", gguf.RopeScalingType.LONGROPE)
                   .key("add_rope_scaling_orig_ctx_len", 512)
                   .key("add_rope_scaling_attn_factors", 1.19)
                   .key("add_sliding_window", 0))


def logits_of(path, tokens, context, cache_type):
    model = llama_cpp.Llama(model_path=str(path), n_ctx=context, n_batch=128, n_ubatch=128,
                            n_threads=1, n_threads_batch=1, logits_all=True, flash_attn=False,
                            type_k=cache_type, type_v=cache_type, verbose=False)
    model.eval(tokens)
    return model.scores[POSITIONS].astype("<f4")


def strings():
    draw = random.Random(7)
    parts = ["the", "and", "ing", " ", " ", "  ", "a", "s", "er", "甲", "乙", "é", "\n", "<s>", "X",
             "<unk>", "🙂", "<0x41>", "in"]
    yield from ("", " ", "the", " the", "<s>the", "the<s>the", "甲乙", "ss sss ssss")
    for _ in range(192):
        yield "".join(draw.choice(parts) for _ in range(draw.randrange(1, 24)))


def write_strings(path):
    model = llama_cpp.Llama(model_path=str(path), vocab_only=True, verbose=False)
    with open(FOLDER / "strings.jsonl", "w", encoding="utf-8", newline="\n") as output:
        for text in strings():
            for special in (False, True):
                ids = model.tokenize(text.encode(), add_bos=False, special=special)
                output.write(json.dumps({"text": text, "special": special, "ids": ids},
                                        separators=(",", ":")) + "\n")


def main():
    FOLDER.mkdir(exist_ok=True)
    kinds = gguf.GGMLQuantizationType
    runs = {}
    for name, model in models():
        path = FOLDER / f"{name}.gguf"
        model.write(path, kinds.BF16)
        tokens = numpy.random.default_rng(5).integers(0, len(TOKENS), LENGTH).tolist()
        contexts = (512, 1024) if name == "phi3" else (256,)
        for context in contexts:
            run = name if len(contexts) == 1 else f"{name}_{context}"
            with tempfile.TemporaryDirectory() as folder:
                wide = pathlib.Path(folder) / "f32.gguf"
                model.write(wide, kinds.F32)
                exact = logits_of(wide, tokens, context, llama_cpp.GGML_TYPE_F32)
            rough = logits_of(path, tokens, context, GGML_TYPE_BF16)
            (FOLDER / f"{run}.bin").write_bytes(exact.tobytes())
            runs[run] = {"file": path.name, "context": context, "tokens": tokens,
                         "positions": POSITIONS, "spread": float(exact.std()),
                         "bf16_mean_difference": float(numpy.abs(rough - exact).mean())}
            print(run, {key: runs[run][key] for key in ("spread", "bf16_mean_difference")})
    text = json.dumps(runs, separators=(",", ":")).replace('},"', '},\n"')
    (FOLDER / "runs.json").write_text(text + "\n")
    write_strings(FOLDER / "llama.gguf")


if __name__ == "__main__":
    main()

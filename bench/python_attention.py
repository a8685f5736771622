#!/usr/bin/env python3
"""Attention from Python: what a call costs, and beside PyTorch.

    python3 tests/python/run.py wheel FOLDER        installs the module
    python3 tests/python/run.py peers FOLDER -k padding   installs transformers
    python3 bench/python_attention.py FOLDER [CASE...]

CASE: call, overhead, sdpa, eager, model; all of them if none is named. Runs itself again under
PyTorch's Python (bench/torch_environment.py). Times are medians of rounds in which both sides run
in turn; memory is the highest resident size during a run above that before it, the output included.
"""

import os
import pathlib
import statistics
import subprocess
import sys
import time

from resident_memory import status_bytes

BENCH = pathlib.Path(__file__).resolve().parent
ROUNDS = 5
CALLS = 400  # of one kind, where a few microseconds are looked for
SPANS = 200


def median_seconds(actions, rounds=ROUNDS):
    """The median of each action, run in turn."""
    taken = {name: [] for name in actions}
    for _ in range(rounds):
        for name, action in actions.items():
            begin = time.perf_counter()
            action()
            taken[name].append(time.perf_counter() - begin)
    return {name: statistics.median(seconds) for name, seconds in taken.items()}


def peak_growth(action):
    pathlib.Path("/proc/self/clear_refs").write_text("5", encoding="utf-8")
    before = status_bytes("VmRSS")
    result = action()
    assert result is not None
    return status_bytes("VmHWM") - before


def spans_of(length):
    edges = [length * i // SPANS for i in range(SPANS + 1)]
    return list(zip(edges, edges[1:]))


def call():
    """The fixed cost of a call: with a single row and key there is next to nothing else. Time of
    the calling thread, which does all of it, so that other programs do not count."""
    import numpy as np
    import whereof

    one = np.ones((1, 1, 1, 16), np.float32)
    out = np.empty_like(one)
    many = np.ones((1, 1024, 8, 64), np.float32)
    out_of_many = np.empty_like(many)

    def microseconds_of_a_call(**options):
        begin = time.thread_time()
        for _ in range(1000):
            whereof.attention(one, one, one, causal=True, out=out, threads=1, **options)
        return (time.thread_time() - begin) * 1e6 / 1000

    with_evidence = statistics.median(microseconds_of_a_call() for _ in range(ROUNDS))
    without = statistics.median(microseconds_of_a_call(evidence=False) for _ in range(ROUNDS))
    print(f"call, one row: {with_evidence:.1f} us with evidence, {without:.1f} us without, the "
          "library's own work included")
    seconds = median_seconds({
        "given": lambda: whereof.attention(many, many, many, causal=True, out=out_of_many),
        "made": lambda: whereof.attention(many, many, many, causal=True)}, 15)
    print(f"call, T 1,024, 8 heads, f32: {1000 * seconds['given']:.2f} ms into a given output, "
          f"{1000 * seconds['made']:.2f} ms into a new one")


def overhead():
    """A call beside the same call of the C++ API, in turn in this process, into given outputs:
    processor time of the calling thread, which does all of it."""
    import ctypes
    import ml_dtypes
    import numpy as np
    import whereof
    from attention import PROGRAM, build_program

    build_program("attention_call")
    library = ctypes.CDLL(PROGRAM.parent / "libattention_call.so")
    library.attention_call_seconds.restype = ctypes.c_double
    pointer = ctypes.c_void_p
    spans = np.array([(0, 100), (100, 600), (600, 1024)], np.int64)
    for dtype in (ml_dtypes.bfloat16, np.float32):
        arrays = [np.random.default_rng(i).standard_normal((1, 1024, 8, 64)).astype(dtype)
                  for i in range(3)]
        out = np.empty_like(arrays[0])
        taken = {"Python": [], "C++": []}
        for _ in range(CALLS):
            begin = time.thread_time()
            whereof.attention(*arrays, causal=True, spans=spans, out=out, threads=1)
            between = time.thread_time()
            library.attention_call_seconds(
                *(pointer(array.ctypes.data) for array in (*arrays, out)), dtype != np.float32,
                *map(ctypes.c_int64, (1024, 8, 64)), pointer(spans.ctypes.data),
                ctypes.c_int64(len(spans)), 1)
            taken["Python"].append(between - begin)
            taken["C++"].append(time.thread_time() - between)
        microseconds = {name: [1e6 * statistics.median(seconds), 1e6 * min(seconds)]
                        for name, seconds in taken.items()}
        (median, least), (median_of_cpp, least_of_cpp) = microseconds.values()
        print(f"call, T 1,024, 8 heads, d 64, {np.dtype(dtype)}: median {median:.0f} us, C++ API "
              f"{median_of_cpp:.0f} us: {median - median_of_cpp:+.0f} us; least {least:.0f} and "
              f"{least_of_cpp:.0f}: {least - least_of_cpp:+.0f} us")


def tensors(torch, heads, length, dim=128):
    torch.manual_seed(1)
    return [torch.empty(1, heads, length, dim).uniform_(-2, 2).bfloat16() for _ in range(3)]


def sdpa():
    import torch
    import whereof

    query, key, value = tensors(torch, 32, 4096)
    seconds = median_seconds({
        "ours": lambda: whereof.attention(query, key, value, causal=True, layout="bhtd",
                                          spans=spans_of(4096)),
        "sdpa": lambda: torch.nn.functional.scaled_dot_product_attention(query, key, value,
                                                                         is_causal=True)})
    print(f"bf16 causal, 32 heads, d 128, T 4,096, evidence on: {seconds['ours']:.3f} s, SDPA "
          f"{seconds['sdpa']:.3f} s, {seconds['sdpa'] / seconds['ours']:.2f} x faster")


def eager():
    import torch
    import whereof

    query, key, value = tensors(torch, 8, 4096)
    mask = torch.full((4096, 4096), float("-inf"), dtype=torch.bfloat16).triu_(1)[None, None]

    def with_weights():
        scores = torch.matmul(query, key.transpose(2, 3)) * 128 ** -0.5 + mask
        weights = torch.softmax(scores, dim=-1, dtype=torch.float32).to(query.dtype)
        return torch.matmul(weights, value), weights

    def ours():
        return whereof.attention(query, key, value, causal=True, layout="bhtd",
                                 spans=spans_of(4096))

    memory = {"ours": peak_growth(ours), "eager": peak_growth(with_weights)}
    seconds = median_seconds({"ours": ours, "eager": with_weights})
    print(f"bf16 causal, 8 heads, T 4,096: {seconds['ours']:.4f} s and "
          f"{memory['ours'] / 2**20:.1f} MiB, eager with weights {seconds['eager']:.3f} s and "
          f"{memory['eager'] / 2**20:.0f} MiB: {seconds['eager'] / seconds['ours']:.1f} x faster, "
          f"1/{memory['eager'] / max(memory['ours'], 1):.0f} of the memory")


def model():
    """A random model of SmolLM2-135M's shape: 30 layers, 9 query heads, 3 kv heads, d 64."""
    import torch
    import transformers
    import whereof.torch

    config = transformers.LlamaConfig(
        vocab_size=49152, hidden_size=576, intermediate_size=1536, num_hidden_layers=30,
        num_attention_heads=9, num_key_value_heads=3, max_position_embeddings=32768,
        dtype="bfloat16")
    torch.set_default_dtype(torch.bfloat16)
    llama = transformers.LlamaModel(config).eval()
    ids = torch.randint(0, 49152, (1, 32768))
    with torch.no_grad(), whereof.torch.patch(llama) as patched:
        patched.measure(spans=spans_of(32768))
        begin = time.perf_counter()
        llama(ids, use_cache=False)
        seconds = time.perf_counter() - begin
        assert patched.span_mass().shape == (30, 1, 9, 1, SPANS)
    print(f"32,768 tokens, SmolLM2-135M's shape, evidence of all layers: {seconds:.0f} s, process "
          f"peak {status_bytes('VmHWM') / 2**30:.2f} GiB, PyTorch and the model included")


CASES = {"call": call, "overhead": overhead, "sdpa": sdpa, "eager": eager, "model": model}


def main():
    folder, *cases = sys.argv[1:]
    if folder != "-":
        sys.path.insert(0, str(BENCH.parent / "tools"))
        sys.path.insert(0, str(BENCH))
        from python_environment import environment_python
        from torch_environment import torch_python

        folder = pathlib.Path(folder).resolve()
        ours, = (environment_python().parents[1] / "lib").glob("python*/site-packages")
        path = os.pathsep.join(map(str, [folder / "site", folder / "peers", ours]))
        environment = dict(os.environ, PYTHONPATH=path, HF_HUB_OFFLINE="1")
        sys.exit(subprocess.run([torch_python(), __file__, "-", *cases], check=False,
                                env=environment).returncode)
    import torch

    torch.set_num_threads(len(os.sched_getaffinity(0)))
    torch.set_grad_enabled(False)
    for case in cases or CASES:
        CASES[case]()


if __name__ == "__main__":
    main()

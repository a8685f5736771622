"""One case of attention_bench in PyTorch: the other half of bench/attention.py.

    PYTHON bench/torch_attention.py CASE    CASE: a line of attention_bench --list

Says what it measures, then does one round for each line of standard input; lines of JSON. Runs
under the Python of torch_environment.py, which has nothing but PyTorch. A case has one or more
ways of asking PyTorch for the same thing; bench/attention.py takes the fastest.
"""

import json
import pathlib
import statistics
import sys
import time
import warnings

from resident_memory import status_bytes

# PyTorch warns that NumPy, which nothing here uses, is not there.
warnings.filterwarnings("ignore", message="Failed to initialize NumPy")
import torch  # noqa: E402  (the filter comes first)
from torch.nn.functional import scaled_dot_product_attention  # noqa: E402

DTYPES = {"bf16": torch.bfloat16, "fp32": torch.float32}
# As in attention_bench: a round of short runs is the median of several.
SECONDS_OF_A_ROUND = 1.5
MOST_REPEATS = 20


def random_tensor(case, heads, length):
    values = torch.empty(1, heads, length, case["head_dim"]).uniform_(-2, 2)
    return values.to(DTYPES[case["dtype"]])


def inputs(case):
    """query, key, value, each [1, heads, length, head_dim] and dense, as SDPA prefers them."""
    torch.manual_seed(1)
    return (random_tensor(case, case["query_heads"], case["query_length"]),
            random_tensor(case, case["kv_heads"], case["key_length"]),
            random_tensor(case, case["kv_heads"], case["key_length"]))


def prefill_ways(case):
    query, key, value = inputs(case)
    group_size = case["query_heads"] // case["kv_heads"]
    if group_size == 1:
        return {"sdpa": lambda: scaled_dot_product_attention(query, key, value, is_causal=True)}

    def repeated():
        return scaled_dot_product_attention(query, key.repeat_interleave(group_size, 1),
                                            value.repeat_interleave(group_size, 1), is_causal=True)

    return {"sdpa enable_gqa": lambda: scaled_dot_product_attention(
                query, key, value, is_causal=True, enable_gqa=True),
            "sdpa, heads repeated": repeated}


def decode_ways(case):
    """The single row sees all keys, so the query heads of a group may stand as rows of one head."""
    query, key, value = inputs(case)
    group_size = case["query_heads"] // case["kv_heads"]
    folded = query.view(1, case["kv_heads"], group_size, case["head_dim"])
    return {"sdpa enable_gqa": lambda: scaled_dot_product_attention(query, key, value,
                                                                    enable_gqa=True),
            "sdpa, group folded into rows": lambda: scaled_dot_product_attention(folded, key,
                                                                                 value)}


def eager_ways(case):
    """The path that gives the weights today: scores, softmax in fp32, cast, as transformers does
    it (modeling_llama.py, eager_attention_forward). The mask is an input."""
    query, key, value = inputs(case)
    scale = case["head_dim"] ** -0.5
    shape = (case["query_length"], case["key_length"])
    mask = torch.full(shape, float("-inf"), dtype=query.dtype).triu_(1)[None, None]

    def eager():
        scores = torch.matmul(query, key.transpose(2, 3)) * scale
        scores = scores + mask
        weights = torch.softmax(scores, dim=-1, dtype=torch.float32).to(query.dtype)
        return torch.matmul(weights, value)  # the weights live until here, as for a caller

    return {"eager": eager}


def backward_ways(case):
    """The gradients alone: the graph of one forward pass is kept and walked again."""
    leaves = [tensor.requires_grad_() for tensor in inputs(case)]
    output = scaled_dot_product_attention(*leaves, is_causal=True)
    grad_output = random_tensor(case, case["query_heads"], case["query_length"])
    return {"sdpa backward": lambda: torch.autograd.grad(output, leaves, grad_output,
                                                         retain_graph=True)}


def ways(case):
    if case["peer"] == "eager":
        return eager_ways(case)
    return {"prefill": prefill_ways, "decode": decode_ways,
            "backward": backward_ways}[case["work"]](case)


def peak_growth(action):
    """What `action` adds to the resident memory at its highest, less what it returns as output."""
    pathlib.Path("/proc/self/clear_refs").write_text("5", encoding="utf-8")
    before = status_bytes("VmRSS")
    result = action()
    highest = status_bytes("VmHWM")
    outputs = result if isinstance(result, tuple) else (result,)
    return highest - before - sum(output.numel() * output.element_size() for output in outputs)


def seconds_of(action):
    taken = []
    while not taken or (sum(taken) < SECONDS_OF_A_ROUND and len(taken) < MOST_REPEATS):
        begin = time.perf_counter()
        action()
        taken.append(time.perf_counter() - begin)
    return statistics.median(taken)


def main():
    case = json.loads(sys.argv[1])
    torch.set_num_threads(case["threads"])
    torch.set_grad_enabled(case["work"] == "backward")
    small = dict(case, query_length=min(64, case["query_length"]), key_length=64)
    for action in ways(small).values():
        action()  # loads what the first call loads, so that its memory does not count below
    actions = ways(case)
    extra = {name: peak_growth(action) for name, action in actions.items()}
    print(json.dumps({"peer": f"PyTorch {torch.__version__}",
                      "threads": torch.get_num_threads(),
                      "capability": torch.backends.cpu.get_cpu_capability(),
                      "extra_bytes": extra}), flush=True)
    for _ in sys.stdin:
        print(json.dumps({name: seconds_of(action) for name, action in actions.items()}),
              flush=True)


if __name__ == "__main__":
    main()

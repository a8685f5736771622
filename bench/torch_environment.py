#!/usr/bin/env python3
"""PyTorch, the program that attention is measured against, in an environment of its own.

    cache folder/peers/torch-VERSION/bin/python

    python3 bench/torch_environment.py        makes it if need be, prints the path of its Python

PyPI has PyTorch for Linux with CUDA only: it needs the CUDA libraries to be imported, though
nothing here uses a GPU. The libraries come as the wheels that it asks for, at the versions it was
built with, since a toolkit that a machine may have is seldom the same; its compiler (triton) is
left out. About 2.2 GiB to download, 4.5 GiB on disk.
"""

import os
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "tools"))
from fetching import FetchError, store  # noqa: E402  (the path comes first)
from fetching.environment import made_environment  # noqa: E402

VERSION = "2.15.0"
# What `import torch` loads, no more; pip checks each file against the index's SHA-256.
PACKAGES = (
    f"torch=={VERSION}",
    "filelock==4.3.1", "fsspec==2026.9.0", "jinja2==3.1.6", "markupsafe==3.0.4", "mpmath==1.3.0",
    "networkx==3.6.1", "setuptools==84.2.1", "sympy==1.14.0", "typing-extensions==4.16.0",
    "nvidia-cublas==13.4.1.3", "nvidia-cuda-cupti==13.2.86", "nvidia-cuda-nvrtc==13.2.86",
    "nvidia-cuda-runtime==13.2.86", "nvidia-cudnn-cu13==9.26.0.51", "nvidia-cufft==12.2.0.57",
    "nvidia-cufile==1.17.1.22", "nvidia-cusolver==12.2.0.11", "nvidia-cusparse==12.7.10.12",
    "nvidia-cusparselt-cu13==0.8.1", "nvidia-nccl-cu13==2.30.7", "nvidia-nvjitlink==13.5.37",
    "nvidia-nvshmem-cu13==3.7.2",
)
NEEDED_BYTES = 8 << 30  # the environment and the wheels that it is unpacked from
CHECK = (f"import torch; assert torch.__version__.split('+')[0] == '{VERSION}', torch.__version__; "
         "q = torch.ones(1, 2, 4, 8, dtype=torch.bfloat16); "
         "o = torch.nn.functional.scaled_dot_product_attention(q, q, q, is_causal=True); "
         "assert o.float().sub(1).abs().max() < 1e-6, o")


def torch_python():
    """The path of a Python that imports the pinned PyTorch; installed first if need be."""
    folder = store.cache_folder(os.environ) / "peers" / f"torch-{VERSION}"
    log_path = folder.parent / f"torch-{VERSION}.log"
    return made_environment(
        folder, sys.executable, PACKAGES, CHECK, NEEDED_BYTES, log_path,
        notice=f"installing PyTorch {VERSION} in {folder} (once; log: {log_path})")


if __name__ == "__main__":
    try:
        print(torch_python())
    except FetchError as error:
        sys.exit(f"torch_environment.py: {error}")

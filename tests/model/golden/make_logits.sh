#!/usr/bin/env bash
# Makes logits_*.json, logits_*.bin and logits_yardstick.json. Needs two builds of the reference:
#   NATIVE, AVX2  folders with libllama.so, configured with GGML_NATIVE=ON and OFF
#   QUANTIZE      the program llama-quantize of the first
#   MODELS        the folder of the models      SCRATCH  a folder with 8 GB free
#   PYTHON        a Python with llama-cpp-python 0.3.36 and numpy
set -eu
cd "$(dirname "$0")"
reference() { LLAMA_CPP_LIB_PATH=$1 "$PYTHON" make_logits.py run "${@:2}" 2>/dev/null; }
compare() { # NAME VARIANT: how far the variant is from the reference; then the variant goes
  LLAMA_CPP_LIB_PATH=$NATIVE "$PYTHON" make_logits.py compare "$SCRATCH/reference" \
    "$SCRATCH/variant" --json logits_yardstick.json --key "$1 $2"
  rm -r "$SCRATCH/variant"
}

one_model() { # NAME FILE
  reference "$NATIVE" "$MODELS/$2" "$SCRATCH/reference"
  LLAMA_CPP_LIB_PATH=$NATIVE "$PYTHON" make_logits.py golden "$SCRATCH/reference" "logits_$1"
  reference "$NATIVE" "$MODELS/$2" "$SCRATCH/variant" --flash
  compare "$1" "flash attention"
  reference "$NATIVE" "$MODELS/$2" "$SCRATCH/variant" --float32-cache
  compare "$1" "float32 cache"
  reference "$NATIVE" "$MODELS/$2" "$SCRATCH/variant" --ubatch 64
  compare "$1" "blocks of 64"
  reference "$AVX2" "$MODELS/$2" "$SCRATCH/variant"
  compare "$1" "avx2 build"
}

# The same weights, dequantised; activations are not rounded either: what both programs approximate.
float32_weights() { # NAME FILE
  "$QUANTIZE" --allow-requantize "$MODELS/$2" "$SCRATCH/float32.gguf" F32 >/dev/null 2>&1
  reference "$NATIVE" "$SCRATCH/float32.gguf" "$SCRATCH/variant" --float32-cache
  rm "$SCRATCH/float32.gguf"
  LLAMA_CPP_LIB_PATH=$NATIVE "$PYTHON" make_logits.py golden "$SCRATCH/variant" "logits_$1_float32"
  compare "$1" "float32 weights, activations and cache"
}

# All of it, or the models that are named.
models="${*:-smollm2_135m qwen2.5_0.5b qwen2.5_1.5b gemma3_270m}"
for model in $models; do
  case $model in
    smollm2_135m) file=smollm2-135m-instruct-q4_1.gguf ;;
    qwen2.5_0.5b) file=qwen2.5-coder-0.5b-instruct-q4_k_m.gguf ;;
    qwen2.5_1.5b) file=qwen2.5-coder-1.5b-instruct-q4_k_m.gguf ;;
    gemma3_270m) file=gemma-3-270m-q4_k_m.gguf ;;
    *) echo "make_logits.sh: no model $model" >&2; exit 2 ;;
  esac
  one_model "$model" $file
  case $model in smollm2_135m | qwen2.5_0.5b) float32_weights "$model" $file ;; esac
  rm -r "$SCRATCH/reference"
done

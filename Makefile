# The short way in: set-up, build, question, tests. CMakePresets.json stands behind all of it.
#
#   make ask      installs what is missing, builds, asks about the example agreement
#                   DOC=FILE  Q="question"  MODEL=qwen-0.5b or FILE.gguf  BUDGET=seconds
#   make test     installs what tests need; the whole suite, then again with ASan and UBSan
#   make test-tsan   the service under the thread sanitizer: its tests, any race is an error
#   make test-arm64  the attention library for 64-bit Arm: cross-compiled, tested under qemu
#   make model    fetches a model: MODEL=qwen-1.5b, qwen-0.5b, smollm2-135m or gemma-3-270m
#   make build    builds the program: build/release/apps/cli/whereof
#   make install  PREFIX=/usr/local DESTDIR=
#   make bench-model  speed of the models beside llama.cpp
#   make bench-attention  speed of attention beside PyTorch: ONLY=part of a case's name ROUNDS=5
#   make clean    deletes build/ (downloads stay in the cache folder)

DOC    ?= examples/acquisition-agreement.pdf
Q      ?= Does the liability cap in clause 3 conflict with the termination right in clause 11?
# A file, or a name that tools/fetch.py knows; empty: the program's default.
MODEL  ?=
BUDGET ?=
PREFIX ?= /usr/local
JOBS   ?= $(shell nproc)

WHEREOF := build/release/apps/cli/whereof
# The program, and the process that reads documents for it.
PROGRAM_TARGETS := whereof_cli whereof_document_worker
export NINJA_STATUS = [%f of %t, %e s] 
# Free text reaches the shell through the environment, and make does not expand it: quotes and
# dollar signs in it do no harm.
override DOC := $(value DOC)
override Q := $(value Q)
override MODEL := $(value MODEL)
export DOC Q MODEL BUDGET ONLY ROUNDS

.DEFAULT_GOAL := help
.PHONY: help ask test test-tsan test-arm64 model build install bench-model bench-attention clean \
        setup-ask setup-build setup-test setup-arm64 program release-tests asan-tests

help:
	@sed -n '3,14s/^# \{0,1\}//p' $(firstword $(MAKEFILE_LIST))

setup-ask setup-build setup-test setup-arm64: setup-%:
	@tools/setup.sh $* $(if $(filter ask,$*),"$$MODEL")

# Configuring runs once; afterwards Ninja itself repeats it when a CMakeLists.txt changes.
build/release/build.ninja:
	@cmake --preset release -DWHEREOF_BUILD_TESTS=OFF

# Only what the program needs, and not a word if no source has changed since: Ninja would always
# report that it looked. The stamp is as old as the start of the build, so that a change made
# while it ran counts. Without a stamp find complains, which counts too.
STAMP := build/release/program.stamp
program: build/release/build.ninja
	@if find CMakeLists.txt CMakePresets.json cmake include src apps -newer $(STAMP) 2>&1 | \
	    grep -q . || [ ! -x $(WHEREOF) ]; then \
	  touch $(STAMP).new && ninja -C build/release -j $(JOBS) $(PROGRAM_TARGETS) && \
	  mv $(STAMP).new $(STAMP); \
	fi

ask: setup-ask
	@$(MAKE) --no-print-directory program
	@set --; \
	  [ -z "$$BUDGET" ] || set -- "$$@" --budget-seconds "$$BUDGET"; \
	  [ -z "$$MODEL" ] || set -- "$$@" --model "$$(tools/fetch.py path "$$MODEL")"; \
	  exec $(WHEREOF) ask "$$@" -- "$$DOC" "$$Q"

model:
	@tools/fetch.py model "$${MODEL:-qwen-1.5b}"

build: setup-build
	@$(MAKE) --no-print-directory program

test: setup-test
	@$(MAKE) --no-print-directory release-tests
	@$(MAKE) --no-print-directory asan-tests

# The sanitized suite runs last and repeats the first with each memory access checked.
release-tests:
	@cmake --preset release -DWHEREOF_BUILD_TESTS=ON
	@cmake --build --preset release -j $(JOBS)
	@ctest --preset release -j $(JOBS)

asan-tests:
	@cmake --preset asan
	@cmake --build --preset asan -j $(JOBS)
# The golden logits of the larger models, and sixty documents asked twice, are the same code again, and
# take minutes here.
	@ctest --preset asan -j $(JOBS) -E 'TransformerGolden.(Qwen|Gemma)|Sixty/PlantedInstructions'

# A race is written to a file, since the standard error of a server is not read while it runs. The
# process that reads documents has one thread and limits that the sanitizer cannot live with.
RACES := $(CURDIR)/build/tsan/races
test-tsan: setup-test
	@$(MAKE) --no-print-directory program
	@cmake --preset tsan
	@cmake --build --preset tsan -j $(JOBS) --target whereof_cli server_test
	@rm -rf $(RACES) && mkdir $(RACES)
	@export TSAN_OPTIONS="log_path=$(RACES)/race $$TSAN_OPTIONS"; \
	  export WHEREOF_WORKER=$(CURDIR)/build/release/libexec/whereof/whereof-document-worker; \
	  build/tsan/tests/server/server_test --gtest_brief=1 && ctest --preset tsan -R '^server/'
	@find $(RACES) -type f -exec cat {} + | grep . && exit 1 || true

# Structure and benchmark arithmetic are the same on every processor.
test-arm64: setup-arm64
	@cmake --preset arm64
	@cmake --build --preset arm64 -j $(JOBS)
	@ctest --preset arm64 -j $(JOBS) -E '^(structure|bench)/'

install: setup-build build/release/build.ninja
	@cmake --build --preset release -j $(JOBS)
	@cmake --install build/release --prefix "$(PREFIX)"

bench-model: setup-ask
	@python3 bench/model.py

bench-attention: setup-build
	@python3 bench/attention.py $${ONLY:+--only "$$ONLY"} $${ROUNDS:+--rounds "$$ROUNDS"}

clean:
	@rm -rf build

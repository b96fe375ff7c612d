# The commands of a working day. Everything else is CMake: see CMakePresets.json.

SHELL := /bin/bash

# `cuda` where a CUDA 13 toolkit is, `host` elsewhere; `make test PRESET=host` overrides it.
CUDA_ARCH := $(shell .ci/cuda-arch)
PRESET ?= $(if $(CUDA_ARCH),cuda,host)
CLANG_FORMAT ?= $(or $(shell command -v clang-format-14),clang-format)
JOBS ?= $(shell nproc)
BUILD := build/$(PRESET)

CONFIGURE := cmake --preset $(PRESET)
ifeq ($(PRESET),cuda)
CONFIGURE += -DCMAKE_CUDA_ARCHITECTURES=$(CUDA_ARCH)
HOST_TESTS := cuda-host
else
HOST_TESTS := $(PRESET)
endif

SOURCES = find analyzers capture cli db examples kernels report stats tests cmake \
	'(' -name '*.h' -o -name '*.cuh' -o -name '*.cpp' -o -name '*.cu' ')' -print0

# What callbacks of several threads write to.
TSAN_TESTS := activity_test $(if $(filter cuda,$(PRESET)),cupti_session_test)

.PHONY: help demo test consumers lint asan tsan mutations bench fuzz
.DEFAULT_GOAL := help

help: ## Say what each target does
	@awk -F ':.*## ' '/^[a-z]+:.*## / {printf "  make %-9s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

demo: ## Build, then run the headline comparison on the GPU, or on the host without one
	.ci/install-packages build
	$(CONFIGURE) -DBUILD_TESTING=OFF
	cmake --build $(BUILD) --target kvprof -j $(JOBS)
	examples/demo.sh $(BUILD)/cli/kvprof

test: ## Build everything and run every test that this machine can run
	.ci/install-packages build
	$(CONFIGURE) -DBUILD_TESTING=ON
	cmake --build $(BUILD) -j $(JOBS)
	ctest --preset $(HOST_TESTS) -j $(JOBS)
ifeq ($(PRESET),cuda)
	@if nvidia-smi -L > /dev/null 2>&1; then \
		echo "ctest --preset gpu"; ctest --preset gpu; \
	else \
		echo "No GPU here: the gpu tests were built and not run."; \
	fi
endif

lint: ## Check the format, the layers, the size caps and that each header compiles alone
	.ci/install-packages build lint
	$(SOURCES) | xargs -0 $(CLANG_FORMAT) --dry-run -Werror
	python3 tests/lint/check_layers.py
	python3 tests/lint/check_caps.py
	python3 tests/lint/check_headers.py

consumers: ## Give what kvprof writes to the programs that read it: browser, parsers, shells
	.ci/install-packages build consumers
	$(CONFIGURE) -DBUILD_TESTING=ON
	cmake --build $(BUILD) -j $(JOBS)
	ctest --test-dir $(BUILD) -L consumer --output-on-failure --no-tests=error -j $(JOBS)

asan: ## Build with clang's address and undefined-behaviour sanitizers and run the host tests
	.ci/install-packages build clang
	cmake --preset host-asan
	cmake --build build/host-asan -j $(JOBS)
	ctest --preset host-asan -j $(JOBS)

tsan: ## Build the recorder with the thread sanitizer and run its tests
	.ci/install-packages build
	# No device code runs: one architecture is enough to link.
	$(CONFIGURE) -B build/tsan -DBUILD_TESTING=ON -DKVPROF_SANITIZE=thread -DCMAKE_CUDA_ARCHITECTURES=90-real
	cmake --build build/tsan --target $(TSAN_TESTS) -j $(JOBS)
	for test in $(TSAN_TESTS); do build/tsan/tests/*/$$test --gtest_brief=1 || exit 1; done

mutations: ## Break each guard of the kernels in a copy of the tree and expect a test to notice
	.ci/install-packages build
	python3 tests/lint/mutation_check.py
ifeq ($(PRESET),cuda)
	@if nvidia-smi -L > /dev/null 2>&1; then \
		python3 tests/lint/mutation_check.py --gpu; \
	else \
		echo "No GPU here: the guards in device code were not tried."; \
	fi
endif

bench: ## Time the host code of kvprof itself and imports, try its verdicts on synthetic noise
	.ci/install-packages build bench
	$(CONFIGURE) -DBUILD_TESTING=ON
	cmake --build $(BUILD) --target kvprof kvprof_bench kvprof_verdict_simulation -j $(JOBS)
	$(BUILD)/tests/bench/kvprof_bench
	$(BUILD)/tests/bench/kvprof_verdict_simulation
	python3 tests/bench/import_speed.py $(BUILD)/cli/kvprof

FUZZ_SECONDS ?= 60
fuzz: ## Feed the readers of profiles with broken ones, a minute each (FUZZ_SECONDS=600: ten)
	.ci/install-packages build clang
	cmake -S . -B build/fuzz -G Ninja -DCMAKE_CXX_COMPILER=clang++ -DCMAKE_BUILD_TYPE=RelWithDebInfo \
		-DBUILD_TESTING=OFF -DKVPROF_FUZZ=ON -DKVPROF_SANITIZE=address,undefined,fuzzer-no-link
	cmake --build build/fuzz --target fuzz_kineto fuzz_nsys -j $(JOBS)
	tests/fuzz/run.sh build/fuzz/tests/fuzz $(FUZZ_SECONDS)

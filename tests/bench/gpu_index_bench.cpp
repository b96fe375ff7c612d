// Times the index kernels against the reference implementation's figures on an H200, and sweeps
// compile-time variants of the batch-grid kernels. Checks every output against the host twin first.
// Usage: kvprof_gpu_index_bench [--no-sweep] [--l2-fetch BYTES]
#include "kernels/cuda/read_index.h"
#include "tests/bench/graph_time.h"
#include "tests/bench/index_data.h"
#include "tests/bench/index_variants.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <string>
#include <string_view>
#include <vector>

namespace kvprof::bench {
namespace {

using kernels::GridRule;
using kernels::IndexType;
namespace cuda = kernels::cuda;

constexpr int kSamples = 51;
constexpr int kSweepSamples = 21;
// Fetching and comparing a larger output for every variant would take most of the run.
constexpr std::int64_t kMostCheckedTokens = 10'000'000;

struct Ratios {
    std::vector<double> all;

    void add(double ratio) { all.push_back(ratio); }

    [[nodiscard]] double worst() const { return *std::max_element(all.begin(), all.end()); }

    [[nodiscard]] double geomean() const {
        double sum = 0;
        for (const double ratio : all) {
            sum += std::log(ratio);
        }
        return std::exp(sum / static_cast<double>(all.size()));
    }
};

struct SweepRow {
    Ratios table[2]; // [IndexType]
    Ratios stream[2];
    std::string times;
};

std::size_t place(IndexType type) {
    return type == IndexType::i32 ? 0 : 1;
}

const char* name_of(IndexType type) {
    return type == IndexType::i32 ? "int32" : "int64";
}

class Bench {
  public:
    void run(bool sweep) {
        const auto first = warm_up_call();
        warm_up([&](cudaStream_t s) { return cuda::launch(first, s); }, 500);
        std::printf("kernel          v2p    batch  length ids       us  reference  ratio\n");
        for (const IndexShape& shape : kIndexShapes) {
            data_.fill(shape);
            for (const auto type : {IndexType::i64, IndexType::i32}) {
                time_shipped(shape, type);
                if (sweep) {
                    time_variants(shape, type);
                }
            }
            std::fflush(stdout);
        }
        if (sweep) {
            print_sweep();
        }
        print_worst();
    }

  private:
    kernels::PageTableCall warm_up_call() {
        data_.fill(kIndexShapes.front());
        return data_.table_call(GridRule::bs, IndexType::i64);
    }

    void print(const char* kernel, const IndexShape& shape, IndexType type, double us, double ref) {
        std::printf(
            "%-15s %-6s %5lld %7lld %-4s %9.2f %9.2f %7.3f\n",
            kernel,
            name_of(type),
            static_cast<long long>(shape.batch),
            static_cast<long long>(shape.length),
            shape.in_order ? "seq" : "rand",
            us,
            ref,
            us / ref
        );
    }

    void time_shipped(const IndexShape& shape, IndexType type) {
        const auto ctx = data_.table_call(GridRule::ctx, type);
        const auto bs = data_.table_call(GridRule::bs, type);
        const auto stream = data_.stream_call(type);
        const auto repack = data_.repack_call();
        const Launch table_ctx = [&](cudaStream_t s) { return cuda::launch(ctx, s); };
        const Launch table_bs = [&](cudaStream_t s) { return cuda::launch(bs, s); };
        const Launch stream_bs = [&](cudaStream_t s) { return cuda::launch(stream, s); };
        const Launch repack_only = [&](cudaStream_t s) { return cuda::launch(repack, s); };
        const Launch both = [&](cudaStream_t s) {
            const auto status = cuda::launch(bs, s);
            return status == cudaSuccess ? cuda::launch(repack, s) : status;
        };
        check(table_ctx, true, false);
        check(stream_bs, false, true);
        check(both, true, true);

        print("table ctx", shape, type, median_us(table_ctx, kSamples), shape.table_ctx_us);
        const double table_us = median_us(table_bs, kSamples);
        const double stream_us = median_us(stream_bs, kSamples);
        print("table bs", shape, type, table_us, shape.table_bs_us);
        print("stream bs", shape, type, stream_us, shape.stream_us);
        print("repack", shape, type, median_us(repack_only, kSamples), shape.repack_us);
        print("table + repack", shape, type, median_us(both, kSamples), shape.table_and_repack_us);
        shipped_[shape.in_order ? 0 : 1][place(type)].add(table_us / shape.table_bs_us);
        shipped_[shape.in_order ? 0 : 1][place(type)].add(stream_us / shape.stream_us);
    }

    void check(const Launch& launch, bool table, bool stream) {
        data_.clear_outputs();
        test::require_cuda(launch(nullptr), "launch the kernel under test");
        if (table) {
            data_.check_table();
        }
        if (stream) {
            data_.check_stream();
        }
    }

    void time_variants(const IndexShape& shape, IndexType type) {
        const auto table = data_.table_call(GridRule::bs, type);
        const auto stream = data_.stream_call(type);
        sweep_.resize(index_variants().size());
        for (std::size_t v = 0; v < sweep_.size(); ++v) {
            const IndexVariant& variant = index_variants()[v];
            const Launch table_launch = [&](cudaStream_t s) { return variant.table(table, s); };
            const Launch stream_launch = [&](cudaStream_t s) { return variant.stream(stream, s); };
            if (shape.batch * shape.length <= kMostCheckedTokens) {
                check(table_launch, true, false);
                check(stream_launch, false, true);
            }
            const double table_us = median_us(table_launch, kSweepSamples);
            const double stream_us = median_us(stream_launch, kSweepSamples);
            sweep_[v].table[place(type)].add(table_us / shape.table_bs_us);
            sweep_[v].stream[place(type)].add(stream_us / shape.stream_us);
            char text[64];
            std::snprintf(text, sizeof text, " %.2f/%.2f", table_us, stream_us);
            sweep_[v].times += text;
        }
    }

    void print_sweep() const {
        std::printf("\ntimes by variant: table/stream us, per shape int64 then int32\n");
        for (std::size_t v = 0; v < sweep_.size(); ++v) {
            std::printf("%-28s%s\n", index_variants()[v].name, sweep_[v].times.c_str());
        }
        std::printf("\nvariant, ratio to the reference (worst, geometric mean)\n");
        std::printf("%-28s", "");
        for (const auto* column : {"table int64", "table int32", "stream int64", "stream int32"}) {
            std::printf(" %15s", column);
        }
        std::printf("\n");
        for (std::size_t v = 0; v < sweep_.size(); ++v) {
            std::printf("%-28s", index_variants()[v].name);
            const SweepRow& row = sweep_[v];
            for (const Ratios* r : {&row.table[1], &row.table[0], &row.stream[1], &row.stream[0]}) {
                std::printf("   %6.3f %6.3f", r->worst(), r->geomean());
            }
            std::printf("\n");
        }
    }

    void print_worst() const {
        std::printf("\nshipped kernels, ratio to the reference (worst, geometric mean)\n");
        for (std::size_t order = 0; order < 2; ++order) {
            for (const auto type : {IndexType::i64, IndexType::i32}) {
                const Ratios& ratios = shipped_[order][place(type)];
                std::printf(
                    "%-6s v2p %s: worst %.3f, mean %.3f\n",
                    order == 0 ? "seq" : "rand",
                    name_of(type),
                    ratios.worst(),
                    ratios.geomean()
                );
            }
        }
    }

    IndexData data_;
    std::vector<SweepRow> sweep_;
    Ratios shipped_[2][2]; // [in order, random][IndexType]
};

int main_with(int argc, char** argv) {
    bool sweep = true;
    for (int i = 1; i < argc; ++i) {
        const std::string_view option = argv[i];
        if (option == "--no-sweep") {
            sweep = false;
        } else if (option == "--l2-fetch" && i + 1 < argc) {
            const auto bytes = static_cast<std::size_t>(std::atoi(argv[++i]));
            test::require_cuda(
                cudaDeviceSetLimit(cudaLimitMaxL2FetchGranularity, bytes), "set the L2 granularity"
            );
        } else {
            std::fprintf(stderr, "unknown option %s\n", argv[i]);
            return 2;
        }
    }
    Bench().run(sweep);
    return 0;
}

} // namespace
} // namespace kvprof::bench

int main(int argc, char** argv) {
    try {
        return kvprof::bench::main_with(argc, argv);
    } catch (const std::exception& error) {
        std::fprintf(stderr, "kvprof_gpu_index_bench: %s\n", error.what());
        return 1;
    }
}

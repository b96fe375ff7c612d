// Times the index kernels under graph replay beside the reference implementation's figures on an
// H200, with every split of the batch, and beside what their bytes take at the bandwidth of a copy.
// Checks every output first. Usage:
// kvprof_gpu_index_bench [MOST_TOKENS [THREADS ITEMS BLOCKS]]: leaves out shapes of more tokens,
// and takes another tuning than the shipped one.
#include "kernels/cuda/launch.h"
#include "tests/bench/graph_time.h"
#include "tests/bench/index_data.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <vector>

namespace kvprof::bench {
namespace {

using kernels::GridRule;
using kernels::IndexType;
using kernels::Split;
namespace cuda = kernels::cuda;

constexpr int kSamples = 51;
/// req_to_token, v2p in int32, and the id: each once.
constexpr double kBytesOfToken = 12.0;

struct Ratios {
    std::vector<double> all;

    [[nodiscard]] double worst() const { return *std::max_element(all.begin(), all.end()); }

    [[nodiscard]] double geomean() const {
        double sum = 0;
        for (const double ratio : all) {
            sum += std::log(ratio);
        }
        return std::exp(sum / static_cast<double>(all.size()));
    }
};

class Bench {
  public:
    Bench(std::int64_t most_tokens, const kernels::Tuning& tuning)
        : most_tokens_(most_tokens),
          tuning_(tuning) {}

    void run() {
        data_.fill(kIndexShapes.front());
        const auto first = data_.table_call(GridRule::bs, IndexType::i64);
        warm_up([&](cudaStream_t s) { return cuda::launch(first, s); }, 500);
        bytes_per_us_ = copy_bytes_per_us(kSamples);
        std::printf("copy of 192 MiB: %.3f TB/s\n", bytes_per_us_ / 1e6);
        std::printf(
            "kernel  v2p    shape               ids      rows    flat shipped no-early reference"
            "  ratio  floor  over\n"
        );
        for (const IndexShape& shape : kIndexShapes) {
            time_shape(shape);
        }
        for (const IndexShape& shape : kSkewedShapes) {
            time_shape(shape);
        }
        for (const auto& [name, ratios] :
             {std::pair{"table", &table_}, std::pair{"stream", &stream_}}) {
            std::printf(
                "%s, v2p int32: ratio to the reference at worst %.3f, geometric mean %.3f\n",
                name,
                ratios->worst(),
                ratios->geomean()
            );
        }
    }

  private:
    void time_shape(const IndexShape& shape) {
        if (shape.tokens() > most_tokens_) {
            return;
        }
        data_.fill(shape);
        for (const auto type : {IndexType::i32, IndexType::i64}) {
            const auto table = data_.table_call(GridRule::bs, type);
            const auto stream = data_.stream_call(type);
            const double table_us = time_splits("table", shape, table, shape.table_bs_us);
            const double stream_us = time_splits("stream", shape, stream, shape.stream_us);
            if (type == IndexType::i32 && shape.long_length == 0) {
                table_.all.push_back(table_us / shape.table_bs_us);
                stream_.all.push_back(stream_us / shape.stream_us);
            }
        }
        std::fflush(stdout);
    }

    template<typename Call>
    double time_once(Call call, Split split, bool starts_early) {
        call.tuning = tuning_;
        call.tuning.split = split;
        call.tuning.starts_early = starts_early;
        const Launch launch = [&](cudaStream_t s) { return cuda::launch(call, s); };
        data_.clear_outputs();
        test::require_cuda(launch(nullptr), "launch the kernel under test");
        if constexpr (std::is_same_v<Call, kernels::PageTableCall>) {
            data_.check_table();
        } else {
            data_.check_stream();
        }
        return median_us(launch, kSamples);
    }

    /// @return the shipped split's time
    template<typename Call>
    double
    time_splits(const char* kernel, const IndexShape& shape, const Call& call, double reference) {
        const bool is_narrow = call.lanes.v2p.type == IndexType::i32;
        const double rows = is_narrow ? time_once(call, Split::rows, true) : 0;
        const double flat = is_narrow ? time_once(call, Split::flat, true) : 0;
        const double shipped = time_once(call, call.tuning.split, true);
        const double late = is_narrow ? time_once(call, call.tuning.split, false) : 0;
        const double bytes = static_cast<double>(shape.tokens()) * kBytesOfToken;
        std::printf(
            "%-7s %-6s %4lld x %7lld %8lld %-4s %8.2f %7.2f %7.2f %8.2f %9.2f %6.3f %6.2f %5.2f\n",
            kernel,
            is_narrow ? "int32" : "int64",
            static_cast<long long>(shape.batch),
            static_cast<long long>(shape.length),
            static_cast<long long>(shape.long_length),
            shape.in_order ? "seq" : "rand",
            rows,
            flat,
            shipped,
            late,
            reference,
            reference > 0 ? shipped / reference : 0,
            bytes / bytes_per_us_,
            shipped / (bytes / bytes_per_us_)
        );
        return shipped;
    }

    std::int64_t most_tokens_;
    kernels::Tuning tuning_;
    IndexData data_;
    double bytes_per_us_ = 1;
    Ratios table_;
    Ratios stream_;
};

} // namespace
} // namespace kvprof::bench

int main(int argc, char** argv) {
    const auto number = [&](int place, int otherwise) {
        return argc > place ? std::atoi(argv[place]) : otherwise;
    };
    kvprof::kernels::Tuning tuning;
    tuning.threads = number(2, tuning.threads);
    tuning.items = number(3, tuning.items);
    tuning.target_blocks = number(4, tuning.target_blocks);
    try {
        kvprof::bench::Bench(number(1, INT32_MAX), tuning).run();
    } catch (const std::exception& error) {
        std::fprintf(stderr, "kvprof_gpu_index_bench: %s\n", error.what());
        return 1;
    }
    return 0;
}

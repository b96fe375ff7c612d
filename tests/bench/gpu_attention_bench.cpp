// Times the attention reader under graph replay, alone and with the merge of its splits, beside
// what the bytes of K and V take at the bandwidth of a copy: 64 lanes of 8,224 tokens, page size 1,
// random ids. Usage:
// kvprof_gpu_attention_bench [NAME]: cases whose name contains it.
#include "kernels/content.h"
#include "kernels/cuda/launch.h"
#include "kernels/launch_geometry_attention.h"
#include "tests/bench/graph_time.h"
#include "tests/support/device_vector.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <exception>
#include <numeric>
#include <random>
#include <string_view>
#include <vector>

namespace kvprof::bench {
namespace {

using test::DeviceVector;
namespace cuda = kernels::cuda;

constexpr int kSamples = 21;
constexpr std::int64_t kBatch = 64;
constexpr std::int64_t kLength = 8224;
constexpr std::int64_t kTokens = kBatch * kLength;

struct Case {
    const char* name;
    kernels::HeadShape heads;
    bool is_mla = false;
};

constexpr Case kCases[] = {
    {"mla_16", {16, 1, 576, 512}, true},
    {"mla_32", {32, 1, 576, 512}, true},
    {"mla_128", {128, 1, 576, 512}, true},
    {"gqa_32_8_x128", {32, 8, 128, 128}},
    {"gqa_16_4_x128", {16, 4, 128, 128}},
    {"gqa_4_1_x128", {4, 1, 128, 128}},
    {"gqa_40_8_x64", {40, 8, 64, 64}},
    {"gqa_32_2_x256", {32, 2, 256, 256}},
};

/// Rows of content, of which 16 MiB repeat: zeros would draw less power than a model's rows do.
std::vector<std::uint8_t> pool(std::int64_t bytes) {
    constexpr std::size_t kPattern = 16U << 20U;
    std::vector<std::uint8_t> rows(static_cast<std::size_t>(bytes));
    for (std::size_t at = 0; at < std::min(kPattern, rows.size()); at += 2) {
        const auto bits = kernels::content_bf16(1, 0, static_cast<std::int64_t>(at));
        std::memcpy(rows.data() + at, &bits, sizeof bits);
    }
    for (std::size_t at = kPattern; at < rows.size(); at += kPattern) {
        std::memcpy(rows.data() + at, rows.data(), std::min(kPattern, rows.size() - at));
    }
    return rows;
}

/// Row 0 is the sink.
std::vector<std::int32_t> random_ids() {
    std::vector<std::int32_t> ids(kTokens);
    std::iota(ids.begin(), ids.end(), 1);
    std::shuffle(ids.begin(), ids.end(), std::mt19937(3)); // NOLINT(cert-msc51-cpp): repeatable
    return ids;
}

template<typename T>
std::vector<T> multiples(std::int64_t count, std::int64_t of) {
    std::vector<T> values;
    for (std::int64_t i = 0; i < count; ++i) {
        values.push_back(static_cast<T>(i * of));
    }
    return values;
}

class Bench {
  public:
    void run(std::string_view part) {
        const double copy = copy_bytes_per_us(kSamples);
        std::printf("copy of 192 MiB: %.3f TB/s; K and V at its rate: floor\n", copy / 1e6);
        std::printf("case            splits    MB   floor |  reader  TB/s of copy | merged  TB/s "
                    "of copy\n");
        for (const Case& one : kCases) {
            if (std::string_view(one.name).find(part) != std::string_view::npos) {
                time_case(one, copy);
            }
        }
    }

  private:
    void time_case(const Case& one, double copy) {
        const std::int64_t row_bytes =
            2 * one.heads.kv_heads * std::max(one.heads.dim_k, one.heads.dim_v);
        const DeviceVector<std::uint8_t> k(pool((kTokens + 1) * row_bytes));
        const DeviceVector<std::uint8_t> v(pool(one.is_mla ? 0 : (kTokens + 1) * row_bytes));
        const auto splits = kernels::attention_splits(kBatch, one.heads, one.is_mla);
        const auto rows = kBatch * one.heads.query_heads;
        const DeviceVector partial(
            std::vector<float>(static_cast<std::size_t>(rows * splits * (one.heads.dim_v + 1)))
        );
        const DeviceVector out(std::vector<float>(static_cast<std::size_t>(rows * one.heads.dim_v))
        );
        const kernels::AttentionCall read{
            .layer = {.k = k.data(), .v = one.is_mla ? k.data() : v.data(), .row_bytes = row_bytes},
            .heads = one.heads,
            .stream = {ids_.data(), kernels::IndexType::i32},
            .indptr = indptr_.data(),
            .lens = {lens_.data(), kernels::IndexType::i64},
            .owners = owners_.data(),
            .seed = 7,
            .scale = 1.0F / std::sqrt(static_cast<float>(one.heads.dim_k)),
            .batch = kBatch,
            .splits = splits,
            .partial = partial.data()};
        const kernels::AttentionCombineCall merge{
            partial.data(), one.heads, kBatch, splits, out.data()};
        const Launch reader = [&](cudaStream_t s) { return cuda::launch(read, s); };
        const Launch both = [&](cudaStream_t s) {
            const auto status = cuda::launch(read, s);
            return status == cudaSuccess ? cuda::launch(merge, s) : status;
        };
        warm_up(reader, 200);
        const double bytes =
            static_cast<double>(kTokens * one.heads.kv_heads)
            * static_cast<double>(2 * (one.heads.dim_k + (one.is_mla ? 0 : one.heads.dim_v)));
        std::printf(
            "%-15s %6lld %5.0f %7.1f |",
            one.name,
            static_cast<long long>(splits),
            bytes / 1e6,
            bytes / copy
        );
        for (const Launch* launch : {&reader, &both}) {
            const double us = median_us(*launch, kSamples);
            std::printf(" %7.1f %5.2f %5.1f %% |", us, bytes / us / 1e6, 100.0 * bytes / us / copy);
        }
        std::printf("\n");
        std::fflush(stdout);
    }

    DeviceVector<std::int32_t> ids_{random_ids()};
    DeviceVector<std::int32_t> indptr_{multiples<std::int32_t>(kBatch + 1, kLength)};
    DeviceVector<std::int64_t> lens_{std::vector<std::int64_t>(kBatch, kLength)};
    DeviceVector<std::int64_t> owners_{multiples<std::int64_t>(kBatch, 1)};
};

} // namespace
} // namespace kvprof::bench

int main(int argc, char** argv) {
    try {
        kvprof::bench::Bench().run(argc > 1 ? argv[1] : "");
    } catch (const std::exception& error) {
        std::fprintf(stderr, "kvprof_gpu_attention_bench: %s\n", error.what());
        return 1;
    }
    return 0;
}

// Reading a node-level trace: a graph of 1,000 kernels in 20 ops, replayed again and again.
#include "capture/activity/join.h"
#include "capture/cuda/cupti_decoder.h"
#include "capture/model/error.h"

#include <benchmark/benchmark.h>
#include <malloc.h>

#include <array>
#include <cstring>
#include <vector>

namespace {

using namespace kvprof;

constexpr std::int64_t kNodes = 1'000;
constexpr std::uint32_t kExecutable = 5;
constexpr std::array kNames{"page_table", "stream", "attention", "write_loc", "kv_write"};

/// One replay as CUPTI delivers it.
std::vector<CUpti_ActivityKernel10> replay_of(std::uint32_t correlation) {
    std::vector<CUpti_ActivityKernel10> records(kNodes);
    for (std::size_t node = 0; node < records.size(); ++node) {
        CUpti_ActivityKernel10& record = records[node];
        record.kind = CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL;
        record.name = kNames[node % kNames.size()];
        record.graphNodeId = std::uint64_t{kExecutable} << 32U | node;
        record.graphId = kExecutable;
        record.correlationId = correlation;
        record.start = std::uint64_t{correlation} * 2'000'000 + node * 1'000;
        record.end = record.start + 900;
        record.gridX = static_cast<std::int32_t>(1 + node % 20);
        record.gridY = record.gridZ = record.blockY = record.blockZ = 1;
        record.blockX = 256;
        record.registersPerThread = 32;
    }
    return records;
}

std::uint8_t* bytes(std::vector<CUpti_ActivityKernel10>& records) {
    return reinterpret_cast<std::uint8_t*>(records.data());
}

std::size_t size(const std::vector<CUpti_ActivityKernel10>& records) {
    return records.size() * sizeof(CUpti_ActivityKernel10);
}

void decode(const cuda::CuptiApi& api, std::int64_t replays, cuda::RecordDecoder& decoder) {
    auto records = replay_of(0);
    for (std::int64_t replay = 0; replay < replays; ++replay) {
        for (CUpti_ActivityKernel10& record : records) {
            record.correlationId = static_cast<std::uint32_t>(replay + 1);
            record.start += 2'000'000;
            record.end += 2'000'000;
        }
        decoder.decode_buffer(api, bytes(records), size(records));
    }
}

activity::Recording recording_of(cuda::Decoded decoded, std::int64_t replays) {
    activity::Recording recording{
        .shapes = std::move(decoded.shapes), .records = std::move(decoded.records)};
    recording.executables.push_back({.id = kExecutable, .kernels = kNodes});
    auto& tags = recording.node_tags.emplace_back();
    for (std::int64_t node = 0; node < kNodes; ++node) {
        tags.push_back(
            {.role = Role::op,
             .op = static_cast<OpKind>(node % 20),
             .placement = Placement::in,
             .ordinal = static_cast<std::int32_t>(node)}
        );
    }
    for (std::int64_t replay = 0; replay < replays; ++replay) {
        recording.launches.push_back(
            {.correlation = static_cast<std::uint32_t>(replay + 1),
             .kind = ApiKind::graph_launch,
             .tag = {.role = Role::replay},
             .step = replay}
        );
    }
    return recording;
}

cuda::CuptiApi cupti_or_skip(benchmark::State& bench) {
    try {
        return cuda::load_cupti();
    } catch (const UnavailableError& error) {
        bench.SkipWithError(error.what());
        return {};
    }
}

void decode_records(benchmark::State& bench) {
    const auto api = cupti_or_skip(bench);
    for (auto _ : bench) {
        cuda::RecordDecoder decoder;
        decode(api, bench.range(0), decoder);
        benchmark::DoNotOptimize(decoder.take());
    }
    bench.SetItemsProcessed(bench.iterations() * bench.range(0) * kNodes);
}

void decode_and_join(benchmark::State& bench) {
    const auto api = cupti_or_skip(bench);
    const std::int64_t replays = bench.range(0);
    std::int64_t by_node = 0;
    for (auto _ : bench) {
        cuda::RecordDecoder decoder;
        decode(api, replays, decoder);
        const auto recording = recording_of(decoder.take(), replays);
        const auto joined = activity::join(recording, {.steps = replays});
        if (!joined.evidence.failure.empty()) {
            bench.SkipWithError(joined.evidence.failure.c_str());
        }
        by_node = joined.evidence.by_node;
    }
    bench.counters["by_node"] = static_cast<double>(by_node);
    bench.SetItemsProcessed(bench.iterations() * replays * kNodes);
}

/// MiB of heap that decoded records take.
void hold_records(benchmark::State& bench) {
    const auto api = cupti_or_skip(bench);
    const auto in_use = [] {
        const auto info = mallinfo2();
        return static_cast<double>(info.uordblks + info.hblkhd);
    };
    double mebibytes = 0;
    for (auto _ : bench) {
        const double before = in_use();
        cuda::RecordDecoder decoder;
        decode(api, bench.range(0), decoder);
        const auto decoded = decoder.take();
        mebibytes = (in_use() - before) / (1U << 20U);
    }
    bench.counters["MiB"] = mebibytes;
}

BENCHMARK(decode_records)->Arg(200)->Unit(benchmark::kMillisecond);
BENCHMARK(decode_and_join)->Arg(200)->Arg(2'000)->Unit(benchmark::kMillisecond);
BENCHMARK(hold_records)->Arg(2'000)->Unit(benchmark::kMillisecond);

} // namespace

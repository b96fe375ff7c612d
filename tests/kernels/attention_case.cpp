#include "tests/kernels/attention_case.h"

#include "kernels/content.h"
#include "kernels/host/attention.h"
#include "tests/reference/reference_attention.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <numeric>
#include <random>
#include <utility>

namespace kvprof::test {
namespace {

constexpr std::uint64_t kSeed = 7;
constexpr std::int64_t kPlane = 6;

void write_plane(std::uint8_t* row, std::uint64_t key, std::int64_t plane, std::int64_t elements) {
    for (std::int64_t element = 0; element < elements; ++element) {
        const auto bits = kernels::content_bf16(key, plane, element);
        std::memcpy(row + element * 2, &bits, sizeof bits);
    }
}

} // namespace

AttentionCase::AttentionCase(AttentionCaseSpec wanted)
    : spec(std::move(wanted)),
      scale(1.0F / std::sqrt(static_cast<float>(spec.heads.dim_k))),
      lens(spec.lens) {
    for (std::size_t lane = 0; lane < lens.size(); ++lane) {
        owners.push_back(static_cast<std::int64_t>(lane) + 10);
    }
    place_pages();
    write_rows();
    const auto rows = lens.size() * static_cast<std::size_t>(spec.heads.query_heads);
    const auto dim_v = static_cast<std::size_t>(spec.heads.dim_v);
    partial.assign(rows * static_cast<std::size_t>(spec.splits) * (dim_v + 1), -7.0F);
    out.assign(rows * dim_v, -7.0F);
}

void AttentionCase::place_pages() {
    const std::int64_t page_size = spec.page_size;
    const auto pages_of = [&](std::int64_t len) { return (len + page_size - 1) / page_size; };
    std::int64_t pages = 0;
    for (const auto len : lens) {
        pages += pages_of(len);
        stride = std::max(stride, pages_of(len));
    }
    std::vector<std::int32_t> order(static_cast<std::size_t>(pages));
    std::iota(order.begin(), order.end(), 1);
    std::shuffle(order.begin(), order.end(), std::mt19937(3)); // NOLINT(cert-msc51-cpp): repeatable

    table.assign(lens.size() * static_cast<std::size_t>(stride), 0);
    indptr.push_back(0);
    auto next = order.begin();
    for (std::size_t lane = 0; lane < lens.size(); ++lane) {
        auto* row = table.data() + lane * static_cast<std::size_t>(stride);
        for (std::int64_t page = 0; page < pages_of(lens[lane]); ++page) {
            row[page] = *next++;
        }
        for (std::int64_t position = 0; position < lens[lane]; ++position) {
            const auto id = row[position / page_size] * page_size + position % page_size;
            stream.push_back(static_cast<std::int32_t>(id));
        }
        indptr.push_back(static_cast<std::int32_t>(stream.size()));
    }
    const auto bytes = static_cast<std::size_t>((pages + 1) * page_pitch());
    k.assign(bytes, 0);
    v.assign(spec.is_mla ? 0 : bytes, 0);
}

void AttentionCase::write_rows() {
    for (std::size_t lane = 0; lane < lens.size(); ++lane) {
        for (std::int64_t position = 0; position < lens[lane]; ++position) {
            const auto key = kernels::content_key(kSeed, owners[lane], position);
            const auto element = static_cast<std::size_t>(indptr[lane] + position);
            const auto id = stream[element];
            const auto offset =
                id / spec.page_size * page_pitch() + id % spec.page_size * row_bytes();
            write_plane(k.data() + offset, key, kPlane, spec.heads.kv_heads * spec.heads.dim_k);
            if (!spec.is_mla) {
                const auto width = spec.heads.kv_heads * spec.heads.dim_v;
                write_plane(v.data() + offset, key, kPlane + 1, width);
            }
        }
    }
}

std::int64_t AttentionCase::row_bytes() const {
    return 2 * spec.heads.kv_heads * std::max(spec.heads.dim_k, spec.heads.dim_v);
}

std::int64_t AttentionCase::page_pitch() const {
    return (spec.page_size + spec.page_gap) * row_bytes();
}

kernels::AttentionCall AttentionCase::over_stream() {
    kernels::AttentionCall call;
    call.layer = {
        .k = k.data(),
        .v = spec.is_mla ? k.data() : v.data(),
        .row_bytes = row_bytes(),
        .plane = kPlane};
    if (spec.page_gap > 0) {
        call.layer.page_rows = spec.page_size;
        call.layer.page_pitch = page_pitch();
    }
    call.heads = spec.heads;
    call.stream = {stream.data(), kernels::IndexType::i32};
    call.indptr = indptr.data();
    call.page_size = spec.page_size;
    call.lens = {lens.data(), kernels::IndexType::i64};
    call.owners = owners.data();
    call.seed = kSeed;
    call.scale = scale;
    call.batch = static_cast<std::int64_t>(lens.size());
    call.splits = spec.splits;
    call.partial = partial.data();
    return call;
}

kernels::AttentionCall AttentionCase::over_table() {
    auto call = over_stream();
    call.stream = {};
    call.indptr = nullptr;
    call.table = table.data();
    call.stride = stride;
    return call;
}

kernels::AttentionCombineCall AttentionCase::combine() {
    const auto batch = static_cast<std::int64_t>(lens.size());
    return {partial.data(), spec.heads, batch, spec.splits, out.data()};
}

std::vector<float> AttentionCase::host_result(const kernels::AttentionCall& call) {
    kernels::host::run(call);
    kernels::host::run(combine());
    return out;
}

std::vector<double>
AttentionCase::reference(std::int64_t lane, std::int64_t head, std::int64_t start) const {
    const auto index = static_cast<std::size_t>(lane);
    return reference::reference_attention({
        .len = lens[index],
        .start = start,
        .owner = owners[index],
        .seed = kSeed,
        .heads = spec.heads,
        .is_v_in_k = spec.is_mla,
        .plane = kPlane,
        .head = head,
        .scale = static_cast<double>(scale),
    });
}

double relative_error(const float* actual, const std::vector<double>& expected) {
    double distance = 0.0;
    double norm = 0.0;
    for (std::size_t i = 0; i < expected.size(); ++i) {
        const double difference = static_cast<double>(actual[i]) - expected[i];
        distance += difference * difference;
        norm += expected[i] * expected[i];
    }
    return norm == 0.0 ? std::sqrt(distance) : std::sqrt(distance / norm);
}

} // namespace kvprof::test

#include "tests/kernels/fused_case.h"

#include "tests/support/random.h"

#include <algorithm>
#include <array>
#include <numeric>
#include <random>
#include <utility>

namespace kvprof::test {
namespace {

constexpr std::int64_t kGuards = 2;

std::vector<std::int64_t> less(std::vector<std::int64_t> values, std::int64_t by) {
    for (auto& value : values) {
        value -= by;
    }
    return values;
}

std::vector<std::int32_t> guarded(std::int64_t elements) {
    return std::vector<std::int32_t>(static_cast<std::size_t>(elements + kGuards), kPoison);
}

template<typename To>
void copy_front(std::vector<To>& to, const std::vector<std::int64_t>& from) {
    std::transform(from.begin(), from.end(), to.begin(), [](std::int64_t value) {
        return static_cast<To>(value);
    });
}

/// Homes of the same pages in another order; a third have none. The first and the last stay.
IndexBuffer other_v2p(const ReadCase& read) {
    auto v2p = read.v2p.values();
    std::mt19937 random(read.spec.seed + 41);
    std::shuffle(v2p.begin() + 1, v2p.end() - 1, random);
    for (std::size_t page = 1; page + 1 < v2p.size(); ++page) {
        v2p[page] = below(random, 3) == 0 ? -1 : v2p[page];
    }
    return {v2p, read.spec.v2p_type};
}

std::vector<std::int64_t> make_locations(const FusedSpec& spec, const ReadCase& read) {
    std::mt19937 random(spec.read.seed + 53);
    const auto pages = static_cast<std::int64_t>(read.v2p.values().size());
    std::vector<std::int64_t> loc;
    for (std::int64_t i = 0; i < spec.locations; ++i) {
        const bool is_hole = below(random, 8) == 0;
        loc.push_back(is_hole ? -1 : below(random, (pages + 2) * spec.read.page_size));
    }
    return loc;
}

} // namespace

FusedCase::FusedCase(FusedSpec wanted)
    : spec(std::move(wanted)),
      read(spec.read),
      lens(less(spec.read.lens, spec.delta), spec.read.lens_type),
      window_v2p(other_v2p(read)),
      loc(make_locations(spec, read)),
      full(poisoned(0)),
      windows(poisoned(spec.window)) {}

std::vector<std::int64_t> FusedCase::listed(std::int64_t window) const {
    std::vector<std::int64_t> tokens = spec.read.lens;
    for (auto& count : tokens) {
        count = window > 0 && count > window ? window : count;
    }
    return tokens;
}

std::int64_t FusedCase::capacity(std::int64_t window) const {
    const auto tokens = listed(window);
    const auto all = std::accumulate(tokens.begin(), tokens.end(), std::int64_t{0});
    return spec.capacity < 0 ? all : std::min(spec.capacity, all);
}

FusedOutputs FusedCase::poisoned(std::int64_t window) const {
    const auto elements = [](std::int64_t count) {
        return std::vector<std::int64_t>(static_cast<std::size_t>(count + kGuards), kPoison);
    };
    return {
        guarded(read.batch()),
        guarded(read.batch()),
        guarded(read.batch() + 1),
        IndexBuffer(elements(capacity(window)), spec.ids),
        elements(spec.locations + spec.cleared)};
}

kernels::FusedMetadataCall FusedCase::call() {
    const auto lanes = read.lanes();
    kernels::FusedMetadataCall call{
        .req_to_token = lanes.req_to_token,
        .req_columns = lanes.req_columns,
        .rows = lanes.rows,
        .lens = lens.view(),
        .delta = spec.delta,
        .page_size = lanes.page_size,
        .batch = lanes.batch,
        .full = {},
        .windows = {},
        .loc = loc.data(),
        .count = spec.locations,
        .out_count = spec.locations + spec.cleared,
    };
    call.full.v2p = lanes.v2p;
    call.full.mult = lanes.mult;
    call.full.indptr = full.indptr.data();
    call.full.stream = full.stream.mutable_view();
    call.full.capacity = capacity(0);
    call.full.write_loc = full.write_loc.data();
    if (spec.window > 0) {
        call.windows.v2p = {window_v2p.bytes.data(), window_v2p.type, lanes.v2p.rows};
        call.windows.mult = lanes.mult + 2;
        call.windows.window = spec.window;
        call.windows.lens = windows.lens.data();
        call.windows.starts = windows.starts.data();
        call.windows.indptr = windows.indptr.data();
        call.windows.stream = windows.stream.mutable_view();
        call.windows.capacity = capacity(spec.window);
        call.windows.write_loc = windows.write_loc.data();
    }
    return call;
}

FusedOutputs FusedCase::expected(std::int64_t window, const IndexBuffer& v2p) const {
    FusedOutputs out = poisoned(window);
    auto in = reference_inputs(read);
    in.v2p = v2p.values();
    in.mult = window > 0 ? in.mult + 2 : in.mult;
    reference::Ids starts = in.lens;
    in.lens = listed(window);
    std::transform(starts.begin(), starts.end(), in.lens.begin(), starts.begin(), std::minus<>());
    auto ids = reference::token_stream(in, starts);
    ids.resize(static_cast<std::size_t>(capacity(window)));
    ids.resize(ids.size() + kGuards, kPoison);
    out.stream = IndexBuffer(ids, spec.ids);
    copy_front(out.indptr, reference::indptr(in.lens));
    auto written = loc;
    written.resize(static_cast<std::size_t>(spec.locations + spec.cleared), -1);
    copy_front(
        out.write_loc,
        reference::write_locations(written, in.v2p, {.mult = in.mult, .page_size = in.page_size})
    );
    if (window > 0) {
        copy_front(out.lens, in.lens);
        copy_front(out.starts, starts);
    }
    return out;
}

FusedOutputs FusedCase::expected_full() const {
    return expected(0, read.v2p);
}

FusedOutputs FusedCase::expected_windows() const {
    return spec.window > 0 ? expected(spec.window, window_v2p) : poisoned(0);
}

std::vector<FusedCase> random_fused_cases(int count) {
    constexpr std::array<std::int64_t, 4> kWindows{0, 1, 50, 128};
    std::vector<FusedCase> cases;
    for (auto& read : random_read_cases(count, false)) {
        const auto number = static_cast<std::int64_t>(cases.size());
        const auto window = kWindows[static_cast<std::size_t>(number) % kWindows.size()];
        cases.emplace_back(FusedSpec{
            .read = std::move(read),
            .delta = number % 3,
            .window = window,
            .capacity = number % 6 == 5 ? 77 : -1,
            .locations = number % 5 == 4 ? 700 : number,
            .cleared = number % 2,
            .ids = number % 4 < 2 ? kernels::IndexType::i32 : kernels::IndexType::i64});
    }
    return cases;
}

std::vector<std::int64_t>
random_lengths(std::int64_t batch, std::int64_t longest, std::uint32_t seed) {
    std::mt19937 random(seed);
    std::vector<std::int64_t> lens;
    for (std::int64_t lane = 0; lane < batch; ++lane) {
        lens.push_back(below(random, 6) == 0 ? 0 : below(random, longest + 1));
    }
    return lens;
}

} // namespace kvprof::test

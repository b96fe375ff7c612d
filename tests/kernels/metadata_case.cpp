#include "tests/kernels/metadata_case.h"

#include "tests/support/random.h"

#include <algorithm>
#include <numeric>
#include <random>
#include <utility>

namespace kvprof::test {
namespace {

constexpr std::int64_t kWindowLocations = 37;
constexpr std::int64_t kSwaCount = 1100;

std::size_t size(std::int64_t count) {
    return static_cast<std::size_t>(count);
}

std::int64_t pages_for(std::int64_t tokens, std::int64_t page_size) {
    return tokens <= 0 ? 0 : (tokens + page_size - 1) / page_size;
}

/// Tokens up to the largest in the rows; those that only a stale column holds are not counted.
std::int64_t known_tokens(const ReadCase& read) {
    return static_cast<std::int64_t>(read.v2p.values().size()) * read.spec.page_size;
}

std::int64_t width_of(const MetadataSpec& spec, const ReadCase& read) {
    const auto longest = read.longest() + spec.delta;
    return spec.width > 0 ? spec.width : pages_for(longest, spec.read.page_size) + 2;
}

std::vector<std::int32_t> random_entries(std::int64_t count, std::uint32_t seed) {
    std::mt19937 random(seed);
    std::vector<std::int32_t> entries(size(count));
    std::generate(entries.begin(), entries.end(), [&] {
        return static_cast<std::int32_t>(below(random, 1 << 20));
    });
    return entries;
}

} // namespace

reference::WindowMap window_map(std::int64_t tokens, std::int64_t page_size, std::uint32_t seed) {
    std::mt19937 random(seed + 71);
    const auto pages = pages_for(tokens, page_size);
    std::vector<std::int64_t> places(size(pages));
    std::iota(places.begin(), places.end(), std::int64_t{1});
    std::shuffle(places.begin(), places.end(), random);
    reference::WindowMap map;
    for (const auto place : places) {
        const bool has_place = below(random, 3) != 0;
        for (std::int64_t offset = 0; offset < page_size; ++offset) {
            map.push_back(has_place ? place * page_size + offset : 0);
        }
    }
    map.push_back(-1);
    return map;
}

MetadataCase::MetadataCase(MetadataSpec wanted)
    : spec(std::move(wanted)),
      read(spec.read),
      width(width_of(spec, read)),
      stride(width + 3),
      map(window_map(known_tokens(read), spec.read.page_size, spec.read.seed), spec.read.v2p_type),
      rectangle(random_entries(read.batch() * (width + 1), spec.read.seed)),
      window_rectangle(random_entries(read.batch() * (width + 1), spec.read.seed + 1)),
      cache_seqlens(size(read.batch() + 1), kPoison),
      cu_seqlens_k(size(read.batch() + 2), kPoison),
      cu_seqlens_q(size(read.batch() + 2), kPoison),
      table(size((read.batch() + 1) * stride), kPoison),
      window_table(table),
      swa_write_loc(size(kSwaCount + 2), kPoison) {
    std::mt19937 random(spec.read.seed + 5);
    const auto places = static_cast<std::int64_t>(map.values().size()) - 1;
    for (std::int64_t i = 0; i < kWindowLocations; ++i) {
        loc.push_back(below(random, places + 40) - 20); // a few negative, a few past the map
    }
}

kernels::FaMetadataCall MetadataCase::fa() {
    const bool is_mapped = spec.source == kernels::TableSource::req_to_token;
    const auto rows = static_cast<std::int64_t>(map.values().size());
    kernels::FaMetadataCall call{
        .lens = read.lens.view(),
        .delta = spec.delta,
        .cache_seqlens = cache_seqlens.data(),
        .cu_seqlens_k = cu_seqlens_k.data(),
        .source = spec.source,
        .req_to_token = read.req_to_token.data(),
        .req_columns = read.req_columns,
        .rows = read.rows.data(),
        .stride = stride,
        .width = width,
        .page_size = spec.read.page_size,
        .batch = read.batch(),
    };
    if (spec.has_table) {
        call.table = {
            .out = table.data(), .rectangle = rectangle.data(), .rectangle_stride = width + 1};
    }
    if (spec.has_window_table) {
        call.window_table = {
            .out = window_table.data(),
            .rectangle = window_rectangle.data(),
            .rectangle_stride = width + 1,
            .full_to_swa = is_mapped ? map.view() : kernels::IndexArray{},
            .map_rows = is_mapped ? rows : 0,
        };
    }
    return call;
}

kernels::TrtllmMetadataCall MetadataCase::trtllm() {
    return {
        .lanes = fa(),
        .cu_seqlens_q = cu_seqlens_q.data(),
        .q_len = q_len,
        .loc = loc.data(),
        .count = kWindowLocations,
        .full_to_swa = map.view(),
        .map_rows = static_cast<std::int64_t>(map.values().size()),
        .swa_write_loc = swa_write_loc.data(),
        .swa_count = kSwaCount,
    };
}

std::int64_t MetadataCase::swa_count() const {
    return kSwaCount;
}

std::vector<std::int32_t> MetadataCase::expected_rows(
    bool exists, bool is_mapped, const std::vector<std::int32_t>& source
) const {
    std::vector<std::int32_t> out(table.size(), kPoison);
    if (!exists || spec.source == kernels::TableSource::none) {
        return out;
    }
    auto in = reference_inputs(read);
    for (auto& length : in.lens) {
        length += spec.delta;
    }
    const auto row_of = [&](std::size_t lane) { return out.data() + lane * size(stride); };
    if (spec.source == kernels::TableSource::rectangle) {
        for (std::size_t lane = 0; lane < in.rows.size(); ++lane) {
            const auto live = std::min(pages_for(in.lens[lane], in.page_size), width);
            std::copy_n(source.data() + lane * size(width + 1), live, row_of(lane));
        }
        return out;
    }
    // Columns that req_to_token lacks are never filled from it.
    const auto columns = std::min(width, pages_for(read.req_columns, in.page_size));
    const auto rows = is_mapped ? reference::window_block_table(in, map.values(), columns)
                                : reference::static_block_table(in, columns);
    for (std::size_t lane = 0; lane < in.rows.size(); ++lane) {
        std::transform(rows[lane].begin(), rows[lane].end(), row_of(lane), [](std::int64_t entry) {
            return static_cast<std::int32_t>(entry);
        });
    }
    return out;
}

std::vector<std::int32_t> MetadataCase::expected_table() const {
    return expected_rows(spec.has_table, false, rectangle);
}

std::vector<std::int32_t> MetadataCase::expected_window_table() const {
    return expected_rows(spec.has_window_table, true, window_rectangle);
}

reference::Metadata MetadataCase::expected() const {
    return reference::metadata(read.spec.lens, spec.delta, q_len);
}

std::vector<MetadataSpec> random_metadata_cases(int count) {
    std::vector<MetadataSpec> specs;
    for (auto& read : random_read_cases(count, false)) {
        const auto number = specs.size();
        MetadataSpec spec;
        // Rows with columns to spare: a widened length then finds a column in each of them.
        spec.read = std::move(read);
        spec.read.req_columns =
            (ReadCase(spec.read).longest() / spec.read.page_size + 3) * spec.read.page_size;
        spec.source = number % 5 == 3   ? kernels::TableSource::none
                      : number % 5 == 1 ? kernels::TableSource::rectangle
                                        : kernels::TableSource::req_to_token;
        spec.delta = number % 3 == 0 ? 4 : 0;
        spec.has_window_table = number % 2 == 0;
        specs.push_back(std::move(spec));
    }
    return specs;
}

} // namespace kvprof::test

#include "tests/support/read_case.h"

#include "tests/support/random.h"

#include <algorithm>
#include <array>
#include <numeric>
#include <utility>

namespace kvprof::test {
namespace {

constexpr std::int32_t kStaleToken = 0x7ffffff0;

std::int64_t pages_for(std::int64_t tokens, std::int64_t page_size) {
    return (std::max<std::int64_t>(tokens, 0) + page_size - 1) / page_size;
}

std::int64_t last_position(const ReadCaseSpec& spec, std::size_t lane) {
    return spec.lens[lane] + (spec.starts.empty() ? 0 : spec.starts[lane]);
}

std::int64_t longest_row(const ReadCaseSpec& spec) {
    std::int64_t most = 1;
    for (std::size_t lane = 0; lane < spec.lens.size(); ++lane) {
        most = std::max(most, pages_for(last_position(spec, lane), spec.page_size));
    }
    return most * spec.page_size;
}

std::int64_t total_pages(const ReadCaseSpec& spec) {
    std::int64_t pages = 0;
    for (std::size_t lane = 0; lane < spec.lens.size(); ++lane) {
        pages += pages_for(last_position(spec, lane), spec.page_size);
    }
    return pages;
}

/// 1 .. count in random order (or ascending).
std::vector<std::int64_t> pages_from_one(std::int64_t count, bool in_order, std::mt19937& random) {
    std::vector<std::int64_t> pages(static_cast<std::size_t>(count));
    std::iota(pages.begin(), pages.end(), std::int64_t{1});
    if (!in_order) {
        std::shuffle(pages.begin(), pages.end(), random);
    }
    return pages;
}

std::vector<std::int64_t> make_v2p(const ReadCaseSpec& spec) {
    std::mt19937 random(spec.seed + 17);
    const auto homes = pages_from_one(total_pages(spec), spec.in_order, random);
    std::vector<std::int64_t> v2p{0};
    for (const auto home : homes) {
        const bool tombstone = below(random, 100) < spec.tombstone_percent;
        v2p.push_back(tombstone ? -1 : home);
    }
    v2p.push_back(-1);
    return v2p;
}

std::vector<std::int64_t> make_rows(const ReadCaseSpec& spec) {
    std::mt19937 random(spec.seed + 29);
    return pages_from_one(static_cast<std::int64_t>(spec.lens.size()), spec.in_order, random);
}

std::vector<std::int32_t> make_indptr(const ReadCaseSpec& spec) {
    std::vector<std::int32_t> indptr{0};
    for (const auto length : spec.lens) {
        indptr.push_back(indptr.back() + static_cast<std::int32_t>(length));
    }
    return indptr;
}

/// First token of a lane's page: a hole, a page past v2p's end, or the page itself.
std::int64_t first_token(const ReadCaseSpec& spec, std::int64_t page, std::mt19937& random) {
    const auto draw = below(random, 100);
    if (draw < spec.hole_percent) {
        return -1;
    }
    if (draw < spec.hole_percent + spec.foreign_percent) {
        return (total_pages(spec) + 2 + page) * spec.page_size;
    }
    return page * spec.page_size;
}

void fill_tokens(ReadCase& read) {
    const ReadCaseSpec& spec = read.spec;
    std::mt19937 random(spec.seed);
    const auto pages = pages_from_one(total_pages(spec), spec.in_order, random);
    std::size_t next = 0;
    for (std::size_t lane = 0; lane < spec.lens.size(); ++lane) {
        std::int32_t* row = read.req_to_token.data() + read.rows[lane] * read.req_columns;
        const auto columns = pages_for(last_position(spec, lane), spec.page_size) * spec.page_size;
        for (std::int64_t column = 0; column < columns; column += spec.page_size) {
            const auto token = first_token(spec, pages[next++], random);
            for (std::int64_t i = column; i < std::min(column + spec.page_size, read.req_columns);
                 ++i) {
                row[i] = static_cast<std::int32_t>(token < 0 ? -1 : token + i - column);
            }
        }
    }
}

/// Page size, mult, widths and damage by number; the lengths that sit at a page's edge.
ReadCaseSpec numbered_case(int number) {
    constexpr std::array<std::int64_t, 9> kPageSizes{1, 2, 3, 4, 16, 32, 64, 128, 1};
    constexpr std::array<std::int64_t, 3> kMults{1, 7, 48};
    const auto width = [](bool wide) {
        return wide ? kernels::IndexType::i64 : kernels::IndexType::i32;
    };
    const auto place = static_cast<std::size_t>(number);
    const auto ps = kPageSizes[place % kPageSizes.size()];
    return {
        .seed = static_cast<std::uint32_t>(number + 1),
        .page_size = ps,
        .mult = kMults[(place + place / kPageSizes.size()) % kMults.size()],
        .lens = {ps, ps + 1, 3 * ps, 7 * ps - 3, 1, 0, 700},
        .hole_percent = number % 5 == 0 ? 0 : 8,
        .tombstone_percent = number % 4 == 0 ? 0 : 10,
        .foreign_percent = number % 3 == 0 ? 5 : 0,
        .v2p_type = width(number % 2 == 0),
        .lens_type = width(number / 2 % 2 == 0),
    };
}

} // namespace

ReadCase::ReadCase(ReadCaseSpec wanted)
    : spec(std::move(wanted)),
      req_columns(spec.req_columns > 0 ? spec.req_columns : longest_row(spec)),
      req_to_token((spec.lens.size() + 1) * static_cast<std::size_t>(req_columns), kStaleToken),
      rows(make_rows(spec)),
      lens(spec.lens, spec.lens_type),
      starts(spec.starts, spec.lens_type),
      v2p(make_v2p(spec), spec.v2p_type),
      indptr(make_indptr(spec)) {
    fill_tokens(*this);
}

std::int64_t ReadCase::longest() const {
    return spec.lens.empty() ? 0 : *std::max_element(spec.lens.begin(), spec.lens.end());
}

kernels::ReadLanes ReadCase::lanes() {
    return {
        .req_to_token = req_to_token.data(),
        .req_columns = req_columns,
        .rows = rows.data(),
        .lens = lens.view(),
        .v2p =
            {.data = v2p.bytes.data(),
             .type = v2p.type,
             .rows = static_cast<std::int64_t>(v2p.values().size())},
        .mult = spec.mult,
        .page_size = spec.page_size,
        .batch = batch(),
    };
}

kernels::IndexArray ReadCase::starts_view() const {
    return spec.starts.empty() ? kernels::IndexArray{} : starts.view();
}

std::vector<ReadCaseSpec> random_read_cases(int count, bool with_starts) {
    std::mt19937 random(2026);
    std::vector<ReadCaseSpec> specs;
    for (int i = 0; i < count; ++i) {
        auto spec = numbered_case(i);
        for (auto extra = below(random, 6); extra > 0; --extra) {
            spec.lens.push_back(below(random, 3000));
        }
        std::shuffle(spec.lens.begin(), spec.lens.end(), random);
        if (with_starts && i % 2 == 1) {
            std::generate_n(std::back_inserter(spec.starts), spec.lens.size(), [&] {
                return below(random, 600);
            });
        }
        specs.push_back(std::move(spec));
    }
    return specs;
}

} // namespace kvprof::test

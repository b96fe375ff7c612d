#include "tests/kernels/table_and_stream_case.h"

#include <algorithm>
#include <utility>

namespace kvprof::test {

TableAndStreamCase::TableAndStreamCase(
    ReadCaseSpec spec, std::int64_t width, bool zeroes, kernels::IndexType type
)
    : read(std::move(spec)),
      zero_tail(zeroes),
      table_rows(read.batch() + 2),
      table(table_rows, width),
      stream(
          std::vector<std::int64_t>(static_cast<std::size_t>(read.tokens() + 5), kPoison), type
      ) {}

kernels::TableAndStreamCall TableAndStreamCase::call() {
    return {
        .lanes = read.lanes(),
        .table = table.out.data(),
        .stride = table.stride,
        .width = table.width,
        .table_rows = table_rows,
        .zero_tail = zero_tail,
        .starts = read.starts_view(),
        .indptr = read.indptr.data(),
        .stream = stream.mutable_view(),
        .capacity = read.tokens(),
    };
}

std::vector<std::int32_t> TableAndStreamCase::expected_table() const {
    const auto in = reference_inputs(read);
    const auto pages = (read.req_columns + in.page_size - 1) / in.page_size;
    const auto live = reference::page_table(in, std::min(table.width, pages));
    std::vector<std::int32_t> out(table.out.size(), kPoison);
    for (std::int64_t row = 0; row < table_rows; ++row) {
        const auto first = out.begin() + row * table.stride;
        if (zero_tail) {
            std::fill_n(first, table.width, 0);
        }
        if (row < read.batch()) {
            const auto& entries = live[static_cast<std::size_t>(row)];
            std::transform(entries.begin(), entries.end(), first, [](std::int64_t entry) {
                return static_cast<std::int32_t>(entry);
            });
        }
    }
    return out;
}

std::vector<std::int64_t> TableAndStreamCase::expected_stream() const {
    auto ids = reference::token_stream(reference_inputs(read), read.spec.starts);
    ids.resize(static_cast<std::size_t>(read.tokens() + 5), kPoison);
    return ids;
}

std::vector<TableAndStreamCase> random_table_and_stream_cases(int count) {
    std::vector<TableAndStreamCase> cases;
    for (auto& spec : random_read_cases(count, true)) {
        const auto number = cases.size();
        const auto longest = ReadCase(spec).longest() / spec.page_size;
        const auto width = number % 7 == 2 ? longest / 2 + 1 : longest + 4;
        const auto type = number % 3 == 0 ? kernels::IndexType::i64 : kernels::IndexType::i32;
        cases.emplace_back(std::move(spec), width, number % 4 < 2, type);
    }
    return cases;
}

} // namespace kvprof::test

#include "tests/kernels/read_helpers.h"

#include "kernels/host/read_index.h"

#include <algorithm>
#include <utility>

namespace kvprof::test {

ReadCase one_lane(
    std::vector<std::int32_t> tokens,
    const std::vector<std::int64_t>& v2p,
    std::int64_t page_size,
    std::int64_t mult
) {
    const auto columns = static_cast<std::int64_t>(tokens.size());
    ReadCase read({.page_size = page_size, .mult = mult, .lens = {columns}, .req_columns = columns}
    );
    std::copy(tokens.begin(), tokens.end(), read.req_to_token.begin() + columns);
    read.v2p = IndexBuffer(v2p, kernels::IndexType::i64);
    return read;
}

reference::ReadInputs reference_inputs(const ReadCase& read) {
    reference::ReadInputs in{
        .req_to_token = {},
        .rows = read.rows,
        .lens = read.spec.lens,
        .v2p = read.v2p.values(),
        .mult = read.spec.mult,
        .page_size = read.spec.page_size,
    };
    auto next = read.req_to_token.begin();
    while (next != read.req_to_token.end()) {
        in.req_to_token.emplace_back(next, next + read.req_columns);
        next += read.req_columns;
    }
    return in;
}

TableBuffer::TableBuffer(std::int64_t batch, std::int64_t columns)
    : width(columns),
      stride(columns + 3),
      out(static_cast<std::size_t>((batch + 1) * stride), kPoison) {}

kernels::PageTableCall TableBuffer::call(ReadCase& read) {
    return {.lanes = read.lanes(), .out = out.data(), .stride = stride, .width = width};
}

std::vector<std::int64_t> TableBuffer::live(std::int64_t lane) const {
    const auto row = out.begin() + lane * stride;
    return {row, std::find(row, row + stride, kPoison)};
}

std::vector<std::int64_t> table_row(ReadCase& read, std::int64_t width) {
    TableBuffer table(read.batch(), width);
    kernels::host::run(table.call(read));
    return table.live(0);
}

StreamBuffer::StreamBuffer(std::int64_t tokens, kernels::IndexType type)
    : out(std::vector<std::int64_t>(static_cast<std::size_t>(tokens + 5), kPoison), type) {}

kernels::TokenStreamCall StreamBuffer::call(ReadCase& read) {
    return {
        .lanes = read.lanes(),
        .starts = read.starts_view(),
        .indptr = read.indptr.data(),
        .out = out.mutable_view(),
        .capacity = read.tokens(),
    };
}

std::vector<std::int64_t> stream_of(ReadCase& read, kernels::IndexType type) {
    StreamBuffer stream(read.tokens(), type);
    kernels::host::run(stream.call(read));
    auto ids = stream.out.values();
    ids.resize(static_cast<std::size_t>(read.tokens()));
    return ids;
}

} // namespace kvprof::test

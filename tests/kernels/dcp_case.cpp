#include "tests/kernels/dcp_case.h"

#include <utility>

namespace kvprof::test {
namespace {

ReadCaseSpec widened(ReadCaseSpec spec, std::int64_t dcp) {
    spec.page_size *= dcp;
    return spec;
}

std::vector<std::int32_t> row_starts(const reference::Ids& lens) {
    const auto starts = reference::indptr(lens);
    return {starts.begin(), starts.end()};
}

} // namespace

DcpCase::DcpCase(ReadCaseSpec spec, reference::Rank of, kernels::IndexType id_type)
    : rank(of),
      page_size(spec.page_size),
      read(widened(std::move(spec), of.dcp)),
      local_lens(
          reference::local_lens(read.spec.lens, read.spec.starts, rank), read.spec.lens_type
      ),
      indptr(row_starts(local_lens.values())),
      ids(reference::Ids(static_cast<std::size_t>(indptr.back() + 5), kPoison), id_type) {}

kernels::DcpGatherCall DcpCase::gather() {
    return {
        .req_to_token = read.req_to_token.data(),
        .req_columns = read.req_columns,
        .rows = read.rows.data(),
        .local_lens = local_lens.view(),
        .starts = read.starts_view(),
        .indptr = indptr.data(),
        .out = ids.mutable_view(),
        .capacity = tokens(),
        .dcp = rank.dcp,
        .rank = rank.rank,
        .batch = read.batch(),
    };
}

kernels::StreamTranslateCall DcpCase::translate() {
    return {
        .indptr = indptr.data(),
        .ids = ids.mutable_view(),
        .capacity = tokens(),
        .v2p = read.lanes().v2p,
        .mult = read.spec.mult,
        .page_size = page_size,
        .batch = read.batch(),
    };
}

reference::Ids DcpCase::guarded(reference::Ids stream) const {
    stream.resize(static_cast<std::size_t>(tokens() + 5), kPoison);
    return stream;
}

reference::Ids DcpCase::expected_virtual() const {
    return guarded(reference::dcp_stream(reference_inputs(read), read.spec.starts, rank));
}

reference::Ids DcpCase::expected_translated() const {
    const auto in = reference_inputs(read);
    const auto local = reference::dcp_stream(in, read.spec.starts, rank);
    return guarded(reference::write_locations(local, in.v2p, {in.mult, page_size, 1, 0}));
}

std::vector<DcpCase> random_dcp_cases(int count) {
    std::vector<DcpCase> cases;
    for (const auto& spec : random_read_cases(count, true)) {
        const std::int64_t dcp = 1 + static_cast<std::int64_t>(cases.size()) % 4;
        for (std::int64_t rank = 0; rank < dcp; ++rank) {
            const auto type = rank % 2 == 0 ? kernels::IndexType::i32 : kernels::IndexType::i64;
            cases.emplace_back(spec, reference::Rank{dcp, rank}, type);
        }
    }
    return cases;
}

} // namespace kvprof::test

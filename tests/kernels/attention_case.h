#pragma once

#include "kernels/calls.h"

#include <cstdint>
#include <vector>

namespace kvprof::test {

struct AttentionCaseSpec {
    kernels::HeadShape heads;
    bool is_mla = false;
    std::vector<std::int64_t> lens;
    std::int64_t page_size = 1;
    std::int64_t splits = 3;
    std::int64_t page_gap = 0; ///< rows of other layers between one page's rows and the next's
};

/// A batch of lanes whose tokens lie in randomly ordered pages of one pool (page 0 is the sink),
/// with both forms of index and with room for the results. All memory is the host's.
struct AttentionCase {
    AttentionCaseSpec spec;
    float scale = 0.0F;
    std::vector<std::int64_t> lens;
    std::vector<std::int64_t> owners;
    std::vector<std::int32_t> table;
    std::int64_t stride = 0;
    std::vector<std::int32_t> indptr;
    std::vector<std::int32_t> stream;
    std::vector<std::uint8_t> k;
    std::vector<std::uint8_t> v; ///< empty for MLA
    std::vector<float> partial;
    std::vector<float> out;

    explicit AttentionCase(AttentionCaseSpec wanted);

    /// Calls over this case's own memory.
    [[nodiscard]] kernels::AttentionCall over_stream();
    [[nodiscard]] kernels::AttentionCall over_table();
    [[nodiscard]] kernels::AttentionCombineCall combine();
    /// [batch, query_heads, dim_v] by the host twins.
    [[nodiscard]] std::vector<float> host_result(const kernels::AttentionCall& call);
    /// [dim_v] of one head, by the double-precision reference.
    [[nodiscard]] std::vector<double>
    reference(std::int64_t lane, std::int64_t head, std::int64_t start = 0) const;

  private:
    void place_pages();
    void write_rows();
    [[nodiscard]] std::int64_t row_bytes() const;
    [[nodiscard]] std::int64_t page_pitch() const;
};

/// |actual - expected| / |expected|, Euclidean; the distance itself when `expected` is zero.
[[nodiscard]] double relative_error(const float* actual, const std::vector<double>& expected);

} // namespace kvprof::test

#pragma once

#include "kernels/calls.h"

#include <numeric>
#include <utility>
#include <vector>

namespace kvprof::test {

/// Lanes with an int32 v2p; nothing of it is read but lengths, starts and row starts.
struct LengthBatch {
    std::vector<std::int64_t> lens;
    std::vector<std::int64_t> starts;
    std::vector<std::int32_t> indptr;
    std::int32_t element = 0; ///< stands for arrays that are there

    explicit LengthBatch(std::vector<std::int64_t> lengths)
        : lens(std::move(lengths)),
          starts(lens.size(), 0),
          indptr(lens.size() + 1) {
        std::partial_sum(lens.begin(), lens.end(), indptr.begin() + 1);
    }

    [[nodiscard]] std::int64_t size() const { return static_cast<std::int64_t>(lens.size()); }

    [[nodiscard]] kernels::IndexArray lengths() const {
        return {lens.data(), kernels::IndexType::i64};
    }

    [[nodiscard]] kernels::IndexArray begins() const {
        return {starts.data(), kernels::IndexType::i64};
    }

    [[nodiscard]] kernels::V2p v2p() { return {&element, kernels::IndexType::i32, 1}; }

    [[nodiscard]] kernels::IndexArray map() { return {&element, kernels::IndexType::i64}; }

    [[nodiscard]] kernels::ReadLanes view(std::int64_t page_size) {
        kernels::ReadLanes lanes;
        lanes.req_columns = 1'048'576;
        lanes.lens = lengths();
        lanes.v2p = v2p();
        lanes.page_size = page_size;
        lanes.batch = size();
        return lanes;
    }
};

} // namespace kvprof::test

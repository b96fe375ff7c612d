#pragma once

#include "kernels/calls.h"
#include "tests/bench/index_shapes.h"
#include "tests/support/device_vector.h"

#include <cstdint>
#include <vector>

namespace kvprof::bench {

/// Device buffers of one captured engine (req_to_token 258 x 1,048,576, table 257 x 1,048,576), and
/// the expected ids, `v2p[token] * mult`.
class IndexData {
  public:
    IndexData();

    /// Ids and v2p of a shape: ascending, or two random permutations.
    void fill(const IndexShape& shape);

    [[nodiscard]] kernels::PageTableCall
    table_call(kernels::GridRule grid, kernels::IndexType v2p) const;
    [[nodiscard]] kernels::TokenStreamCall stream_call(kernels::IndexType v2p) const;
    [[nodiscard]] kernels::RepackCall repack_call() const;

    /// @throws std::runtime_error when the device's output is not what is expected.
    void check_table() const;
    void check_stream() const;
    /// So that a check cannot pass on what an earlier kernel left.
    void clear_outputs();

  private:
    [[nodiscard]] kernels::ReadLanes lanes(kernels::IndexType v2p) const;
    void upload(const std::vector<std::int32_t>& tokens, const std::vector<std::int64_t>& v2p);
    void expect(const std::vector<std::int32_t>& tokens, const std::vector<std::int64_t>& v2p);

    IndexShape shape_{};
    test::DeviceVector<std::int32_t> req_to_token_;
    test::DeviceVector<std::int32_t> table_;
    test::DeviceVector<std::int32_t> stream_;
    test::DeviceVector<std::int64_t> v2p_wide_;
    test::DeviceVector<std::int32_t> v2p_narrow_;
    test::DeviceVector<std::int64_t> rows_;
    test::DeviceVector<std::int64_t> lens_;
    test::DeviceVector<std::int32_t> indptr_;
    std::vector<std::int32_t> expected_; ///< lane after lane
};

} // namespace kvprof::bench

#pragma once

#include "kernels/calls.h"
#include "tests/kernels/read_helpers.h"
#include "tests/reference/reference_backends.h"

#include <cstdint>
#include <vector>

namespace kvprof::test {

/// One rank's reads. Pages of the case hold page_size * dcp widened ids; the rank has page_size of
/// them. All memory is the host's; copies stand alone.
struct DcpCase {
    reference::Rank rank;
    std::int64_t page_size = 1; ///< tokens of a page on one rank
    ReadCase read;              ///< lengths and starts of all ranks' tokens
    IndexBuffer local_lens;
    std::vector<std::int32_t> indptr; ///< over local_lens
    IndexBuffer ids;                  ///< poisoned, five guard elements

    /// `spec.page_size` is a rank's; lengths are windows when the spec has starts.
    DcpCase(ReadCaseSpec spec, reference::Rank of, kernels::IndexType id_type);

    [[nodiscard]] std::int64_t tokens() const { return indptr.back(); }

    [[nodiscard]] kernels::DcpGatherCall gather();
    [[nodiscard]] kernels::StreamTranslateCall translate();

    /// The rank's stream before and after the translation, guards included.
    [[nodiscard]] reference::Ids expected_virtual() const;
    [[nodiscard]] reference::Ids expected_translated() const;

  private:
    [[nodiscard]] reference::Ids guarded(reference::Ids stream) const;
};

/// Every rank of 1 to 4 over `count` seeded cases, every other one with starts.
[[nodiscard]] std::vector<DcpCase> random_dcp_cases(int count);

} // namespace kvprof::test

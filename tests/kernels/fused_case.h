#pragma once

#include "kernels/calls.h"
#include "tests/kernels/read_helpers.h"

#include <cstdint>
#include <vector>

namespace kvprof::test {

struct FusedSpec {
    ReadCaseSpec read = {};     ///< lengths as readers see them; without starts
    std::int64_t delta = 0;     ///< of which so many are drafts
    std::int64_t window = 0;    ///< 0: no sliding windows
    std::int64_t capacity = -1; ///< elements of each stream; below 0: all that lanes list
    std::int64_t locations = 9;
    std::int64_t cleared = 3; ///< locations past them
    kernels::IndexType ids = kernels::IndexType::i32;
};

/// What a fused launch gives for one stream; all elements, guards included.
struct FusedOutputs {
    std::vector<std::int32_t> lens;
    std::vector<std::int32_t> starts;
    std::vector<std::int32_t> indptr;
    IndexBuffer stream;
    std::vector<std::int64_t> write_loc;
};

/// Inputs of a fused launch and its poisoned outputs, with two guard elements each. All memory is
/// the host's; copies stand alone.
struct FusedCase {
    FusedSpec spec;
    ReadCase read;
    IndexBuffer lens;              ///< without drafts
    IndexBuffer window_v2p;        ///< of the same virtual pages, a third of which left the windows
    std::vector<std::int64_t> loc; ///< some are negative, of no page, or of a tombstone
    FusedOutputs full;
    FusedOutputs windows;

    explicit FusedCase(FusedSpec wanted);

    [[nodiscard]] kernels::FusedMetadataCall call();

    /// Tokens that each lane lists, by the description of the windows.
    [[nodiscard]] std::vector<std::int64_t> listed(std::int64_t window) const;
    /// What the launch must leave, by the reference; in a full stream no lengths and no starts.
    [[nodiscard]] FusedOutputs expected_full() const;
    [[nodiscard]] FusedOutputs expected_windows() const;

  private:
    [[nodiscard]] FusedOutputs poisoned(std::int64_t window) const;
    [[nodiscard]] FusedOutputs expected(std::int64_t window, const IndexBuffer& v2p) const;
    [[nodiscard]] std::int64_t capacity(std::int64_t window) const;
};

/// `count` seeded cases: page sizes, widths and damage of random_read_cases, with windows and
/// without, with drafts, short streams and location counts.
[[nodiscard]] std::vector<FusedCase> random_fused_cases(int count);

/// `batch` lanes of 0 to `longest` tokens, some of them empty.
[[nodiscard]] std::vector<std::int64_t>
random_lengths(std::int64_t batch, std::int64_t longest, std::uint32_t seed);

} // namespace kvprof::test

#pragma once

#include "kernels/calls.h"
#include "tests/kernels/read_helpers.h"
#include "tests/reference/reference_backends.h"

#include <cstdint>
#include <vector>

namespace kvprof::test {

/// Places of `tokens` tokens in the sliding windows, page by page in random order; about a third of
/// the pages have none. One element more is -1, as a framework's index -1 would find.
[[nodiscard]] reference::WindowMap
window_map(std::int64_t tokens, std::int64_t page_size, std::uint32_t seed);

struct MetadataSpec {
    ReadCaseSpec read; ///< its tokens are a static pool's
    kernels::TableSource source = kernels::TableSource::req_to_token;
    std::int64_t delta = 0;
    std::int64_t width = 0; ///< 0: two columns more than the longest lane needs
    bool has_table = true;
    bool has_window_table = false;
};

/// Inputs and poisoned outputs of the metadata kernels; all memory is the host's. Copies stand
/// alone: calls point to the memory of the object that made them.
struct MetadataCase {
    MetadataSpec spec;
    ReadCase read;
    std::int64_t width = 0;
    std::int64_t stride = 0;
    IndexBuffer map;
    std::vector<std::int32_t> rectangle; ///< [batch, width + 1]
    std::vector<std::int32_t> window_rectangle;
    std::vector<std::int64_t> loc;
    std::int64_t q_len = 3;
    std::vector<std::int32_t> cache_seqlens; ///< one guard element
    std::vector<std::int32_t> cu_seqlens_k;
    std::vector<std::int32_t> cu_seqlens_q;
    std::vector<std::int32_t> table; ///< a guard row, three guard columns
    std::vector<std::int32_t> window_table;
    std::vector<std::int64_t> swa_write_loc; ///< two guard elements

    explicit MetadataCase(MetadataSpec wanted);

    [[nodiscard]] kernels::FaMetadataCall fa();
    [[nodiscard]] kernels::TrtllmMetadataCall trtllm();
    /// Elements of swa_write_loc that a call writes: more than there are locations.
    [[nodiscard]] std::int64_t swa_count() const;

    /// What fa() must leave in the two tables, guards included.
    [[nodiscard]] std::vector<std::int32_t> expected_table() const;
    [[nodiscard]] std::vector<std::int32_t> expected_window_table() const;
    [[nodiscard]] reference::Metadata expected() const;

  private:
    [[nodiscard]] std::vector<std::int32_t>
    expected_rows(bool exists, bool is_mapped, const std::vector<std::int32_t>& source) const;
};

/// `count` seeded cases over page sizes, sources, widths of the map and damage.
[[nodiscard]] std::vector<MetadataSpec> random_metadata_cases(int count);

} // namespace kvprof::test

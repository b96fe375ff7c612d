#pragma once

#include "capture/workload/page_ids.h"

#include <cstdint>
#include <span>
#include <vector>

namespace kvprof::workload {

/// The baseline: one allocation per layer and kind, physical page ids, no translation. Page 0 is
/// padding; pages 1..num_pages are free at the start.
class StaticPool {
  public:
    /// @throws UsageError for a size below 1.
    StaticPool(std::int64_t num_pages, std::int64_t page_size);

    /// Takes pages from the head of the free list. @throws UnavailableError when too few are left.
    [[nodiscard]] std::vector<PhysicalPage> alloc(std::int64_t pages);
    /// Appends unique pages to the free list.
    void free(std::span<const PhysicalPage> pages);

    [[nodiscard]] std::int64_t page_size() const { return page_size_; }

    /// Pages of the grid, the padding page included: what a layer's buffer holds.
    [[nodiscard]] std::int64_t rows_pages() const { return num_pages_ + 1; }

    [[nodiscard]] std::int64_t available_pages() const;
    /// Free pages, next one first.
    [[nodiscard]] std::span<const PhysicalPage> free_pages() const;

  private:
    std::int64_t num_pages_;
    std::int64_t page_size_;
    std::vector<PhysicalPage> free_;
    std::size_t free_head_ = 0;
    std::vector<bool> is_taken_; ///< [num_pages + 1]
};

} // namespace kvprof::workload

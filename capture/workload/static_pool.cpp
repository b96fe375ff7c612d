#include "capture/workload/static_pool.h"

#include "capture/model/error.h"

#include <fmt/format.h>

#include <stdexcept>

namespace kvprof::workload {

StaticPool::StaticPool(std::int64_t num_pages, std::int64_t page_size)
    : num_pages_(num_pages),
      page_size_(page_size) {
    if (num_pages < 1 || page_size < 1) {
        throw UsageError(fmt::format(
            "could not make a static pool: it has {} pages of {} tokens", num_pages, page_size
        ));
    }
    is_taken_.resize(static_cast<std::size_t>(num_pages) + 1, false);
    free_.reserve(static_cast<std::size_t>(num_pages));
    for (std::int64_t page = 1; page <= num_pages; ++page) {
        free_.push_back({page});
    }
}

std::vector<PhysicalPage> StaticPool::alloc(std::int64_t pages) {
    if (pages < 0) {
        throw std::logic_error(fmt::format("could not allocate {} pages", pages));
    }
    if (pages > available_pages()) {
        throw UnavailableError(
            fmt::format(
                "could not allocate {} static pages: {} of {} are free",
                pages,
                available_pages(),
                num_pages_
            ),
            "raise --pool-tokens, or lower --batch or --seq-len"
        );
    }
    const std::span<const PhysicalPage> head = free_pages().first(static_cast<std::size_t>(pages));
    std::vector<PhysicalPage> taken(head.begin(), head.end());
    free_head_ += taken.size();
    for (const PhysicalPage page : taken) {
        is_taken_[static_cast<std::size_t>(page.value)] = true;
    }
    return taken;
}

void StaticPool::free(std::span<const PhysicalPage> pages) {
    free_.erase(free_.begin(), free_.begin() + static_cast<std::ptrdiff_t>(free_head_));
    free_head_ = 0;
    for (const PhysicalPage page : pages) {
        if (page.value < 1 || page.value > num_pages_
            || !is_taken_[static_cast<std::size_t>(page.value)]) {
            throw std::logic_error(
                fmt::format("could not free static page {}: it is not allocated", page.value)
            );
        }
        is_taken_[static_cast<std::size_t>(page.value)] = false;
        free_.push_back(page);
    }
}

std::int64_t StaticPool::available_pages() const {
    return static_cast<std::int64_t>(free_.size() - free_head_);
}

std::span<const PhysicalPage> StaticPool::free_pages() const {
    return std::span(free_).subspan(free_head_);
}

} // namespace kvprof::workload

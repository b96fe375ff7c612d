#pragma once

#include "kernels/hd.h"

#include <cstdint>

/// The id formulas of a unified KV pool (see docs/architecture.md, "ids"). One definition serves
/// the CUDA kernels and their host twins. Division truncates towards zero in both, so every
/// negative value is caught by a sign test before it is divided.
namespace kvprof::kernels {

/// Virtual page of a token id; a hole (negative id) reads as the padding page 0.
[[nodiscard]] KVPROF_HD constexpr std::int64_t
virtual_page(std::int64_t token, std::int64_t page_size) {
    return token < 0 ? 0 : token / page_size;
}

/// Page-table entry of a physical page: `physical * mult`; a tombstone (-1) reads as the sink, 0.
[[nodiscard]] KVPROF_HD constexpr std::int64_t
page_entry(std::int64_t physical_page, std::int64_t mult) {
    const std::int64_t entry = physical_page * mult;
    return entry < 0 ? 0 : entry;
}

/// Kernel-facing id of one token of a page: `entry * page_size + position % page_size`.
[[nodiscard]] KVPROF_HD constexpr std::int64_t
token_id_in_page(std::int64_t entry, std::int64_t position, std::int64_t page_size) {
    return entry * page_size + position % page_size;
}

/// First position of the page that holds `position`; only that column of req_to_token is read.
[[nodiscard]] KVPROF_HD constexpr std::int64_t
page_start(std::int64_t position, std::int64_t page_size) {
    return position / page_size * page_size;
}

/// Pages that hold `length` tokens.
[[nodiscard]] KVPROF_HD constexpr std::int64_t
pages_of(std::int64_t length, std::int64_t page_size) {
    return length <= 0 ? 0 : (length + page_size - 1) / page_size;
}

/// Kernel-facing write id of a resident token whose page sits at `physical_page`.
/// The clamp comes after the offset is added: a tombstone gives exactly 0, unlike a read.
[[nodiscard]] KVPROF_HD constexpr std::int64_t write_id(
    std::int64_t physical_page, std::int64_t token, std::int64_t mult, std::int64_t page_size
) {
    const std::int64_t id = physical_page * mult * page_size + token % page_size;
    return physical_page < 0 || id < 0 ? 0 : id;
}

/// Under decode context parallelism a widened id belongs to rank `id % dcp`.
[[nodiscard]] KVPROF_HD constexpr bool
is_owned(std::int64_t widened, std::int64_t dcp, std::int64_t rank) {
    return widened >= 0 && widened % dcp == rank;
}

/// Whether the token that makes a lane `length` long opens a page: ceil(l/ps) > ceil((l-1)/ps).
[[nodiscard]] KVPROF_HD constexpr bool opens_page(std::int64_t length, std::int64_t page_size) {
    return pages_of(length, page_size) > pages_of(length - 1, page_size);
}

} // namespace kvprof::kernels

#pragma once

#include "capture/workload/lower.h"

#include <cstdint>

namespace kvprof::workload {

/// What a reader finds in the form that it asked for.
enum class Fill : std::uint8_t {
    verbatim,   ///< physical ids as the scheduler keeps them: a static pool
    translated, ///< kernel-facing ids
    deferred    ///< context parallelism: the ids are local and were translated by a later launch
};

/// A page table that a reader owns.
struct TableTarget {
    StateKind pool = StateKind::full;
    std::int32_t* table = nullptr;
    std::int64_t stride = 0;
    std::int64_t width = 0;
    kernels::IndexArray lens; ///< that bound the reads: with drafts, the widened ones
};

/// A packed stream that a reader owns.
struct StreamTarget {
    StateKind pool = StateKind::full;
    kernels::MutableIndexArray stream;
    std::int64_t capacity = 0;
    std::int32_t* indptr = nullptr;
    kernels::IndexArray lens;
    kernels::IndexArray starts; ///< or null
    std::int64_t widest = 0;    ///< tokens of a lane at most
};

/// Where consumer `reader` of a token pool has its stream. A window's stream holds the last tokens
/// of each lane.
[[nodiscard]] StreamTarget
stream_target(const Views& views, StateKind kind, std::int64_t reader = 0);
/// The rectangle that readers share.
[[nodiscard]] TableTarget shared_table(const Views& views, StateKind kind);
/// Consumer `reader`'s own table.
[[nodiscard]] TableTarget own_table(const Views& views, StateKind kind, std::int64_t reader = 0);

/// The one owner of id translation: readers ask it to fill their table or their stream and know
/// nothing of v2p. Refers to `views`.
class Translator {
  public:
    explicit Translator(const Views& views)
        : views_(views) {}

    /// Whether a table that it fills holds kernel-facing ids (unified) or needs none (static).
    /// False under context parallelism, where reads are deferred to the rank's own gather.
    [[nodiscard]] bool reads_are_translated() const;

    /// In the forms of --table and --table-tail.
    /// @throws UnavailableError when reads are deferred: a table would hold what nobody may read.
    Fill fill_table(const TableTarget& target, Emitter& out) const;
    /// Under context parallelism the launches are the rank's gather and its translation, and the
    /// answer is `deferred`. A static pool's windows come out as full ids, unless the fused
    /// metadata form maps them in the gather.
    Fill fill_stream(const StreamTarget& target, Emitter& out) const;
    /// The static pool's forms, whatever the pool: ids as req_to_token has them. @throws as
    /// fill_table.
    Fill list_table(const TableTarget& target, Emitter& out) const;
    Fill list_stream(const StreamTarget& target, Emitter& out) const;
    /// One launch for the rectangle and the first reader's stream. @throws as fill_table.
    Fill fill_both(const TableTarget& table, const StreamTarget& stream, Emitter& out) const;
    /// From a rectangle that fill_table filled: packs it.
    void repack(
        const std::int32_t* table, std::int64_t stride, const StreamTarget& target, Emitter& out
    ) const;

  private:
    [[nodiscard]] kernels::ReadLanes lanes(StateKind pool, kernels::IndexArray lens) const;
    void fill_rank_stream(const StreamTarget& target, Emitter& out) const;
    void refuse_deferred_table() const;

    const Views& views_;
};

/// The framework's form: a whole rectangle of live columns through 16 tensor operations, and one
/// more that clears the table where its tail is to be zero.
void emit_eager_page_table(const Views& views, const TableTarget& target, Emitter& out);

} // namespace kvprof::workload

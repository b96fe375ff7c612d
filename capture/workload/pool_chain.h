#pragma once

#include "capture/workload/buffer_layout.h"
#include "capture/workload/end_allocator.h"
#include "capture/workload/float_allocator.h"
#include "capture/workload/page_ids.h"

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace kvprof::workload {

/// An envelope whose bytes the caller copies inside the unified buffer. One envelope's source and
/// target never overlap; a list is copied in order, before anything is written to new pages.
struct EnvelopeMove {
    StateKind kind = StateKind::full;
    PageMove pages;
    Bytes from;
    Bytes to;
    Bytes size;
};

/// The sub-pools of one buffer: a grow-up END, a grow-down END, and at most one FLOAT between them.
/// `full` owns the virtual token pages and `swa` binds the same ones; `state` has an id space of
/// its own.
class PoolChain {
  public:
    /// @throws UsageError for a FLOAT that is not swa, and for swa without a full of its page size.
    PoolChain(const BufferLayout& layout, Compaction compaction);

    /// Hands out token pages (full: bound on swa too) or state slots. If they do not fit as things
    /// lie, the others are flushed urgently, then the FLOAT is slid, so no forward pass may be
    /// reading unless the moves are ordered behind it. @throws UnavailableError with the numbers
    /// when they do not fit even then; nothing is handed out.
    [[nodiscard]] std::vector<VirtualPage> alloc(StateKind kind, std::int64_t pages);
    /// full: frees the page on swa too. swa: tombstones swa's copy alone, the full page lives on.
    void free(StateKind kind, std::span<const VirtualPage> pages);
    /// Packs both ENDs fully; a FLOAT gives back the holes at its edges.
    void flush();
    void flush_some(StateKind kind, const FlushLimits& limits);
    void release(ReaderEvent reader);
    /// The copies that are due since the last call, in order.
    [[nodiscard]] std::vector<EnvelopeMove> take_moves();

    /// Pages that alloc() hands out without a move.
    [[nodiscard]] std::int64_t available_pages(StateKind kind) const;
    /// Pages that alloc() can hand out at all.
    [[nodiscard]] std::int64_t schedulable_pages(StateKind kind) const;
    [[nodiscard]] bool has(StateKind kind) const;
    /// @throws std::logic_error when the chain has no such sub-pool.
    [[nodiscard]] const PageTables& tables(StateKind kind) const;
    /// @throws std::logic_error when neither END is of that kind.
    [[nodiscard]] const EndAllocator& member(StateKind kind) const;

    /// The sub-pool between the ENDs, where there is one.
    [[nodiscard]] const std::optional<FloatAllocator>& floating() const { return float_; }

    [[nodiscard]] const BufferLayout& layout() const { return layout_; }

    /// Every member's invariants, frontiers in order inside the buffer, memos equal to a fresh
    /// computation. @throws std::logic_error.
    void check_invariants() const;
    /// Proves from the tables alone that no two bound envelopes share a byte with each other or
    /// with the sink. @throws std::logic_error.
    void audit_bytes() const;

  private:
    struct Memo {
        std::int64_t epoch = -1;
        std::int64_t pages = 0;
    };

    [[nodiscard]] std::size_t index_of(StateKind kind) const;
    [[nodiscard]] bool floats(StateKind kind) const;
    [[nodiscard]] Bytes neighbour_of(std::size_t index) const;
    [[nodiscard]] ByteGap float_gap() const;
    [[nodiscard]] std::int64_t epoch() const;
    [[nodiscard]] std::int64_t compute_available(StateKind kind) const;
    [[nodiscard]] std::int64_t schedulable_slots(const EndAllocator& end) const;
    [[nodiscard]] JointFloat joint_float() const;
    [[nodiscard]] JointFloat packed_joint_float() const;
    /// full together with swa, which binds the same virtual pages.
    [[nodiscard]] bool is_joint(StateKind kind) const;
    void make_room(StateKind kind, std::int64_t pages);
    void flush_all_for(StateKind kind, std::int64_t pages);
    void slide_for(StateKind kind, std::int64_t pages);
    void free_windows(std::span<const VirtualPage> pages);
    void record(const SubPool& pool, std::span<const PageMove> moves);
    void flush_float();

    BufferLayout layout_;
    std::vector<EndAllocator> ends_; ///< up, down
    std::optional<FloatAllocator> float_;
    std::vector<EnvelopeMove> moves_;
    mutable std::array<Memo, 3> available_; ///< [StateKind]
};

} // namespace kvprof::workload

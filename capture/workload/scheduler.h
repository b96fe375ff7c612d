#pragma once

#include "capture/workload/contents.h"
#include "capture/workload/lower.h"

#include <cstdint>

namespace kvprof::workload {

/// A device list of pages that grows at its end by being rebuilt into its twin buffer, and from
/// whose head entries are taken. The host knows how many there are, never which.
class PageList {
  public:
    PageList(std::int64_t* current, std::int64_t* next, std::int64_t count)
        : current_(current),
          next_(next),
          count_(count) {}

    [[nodiscard]] std::int64_t count() const { return count_; }

    /// Takes `count` entries from the head; the address stays valid until two appends later.
    [[nodiscard]] std::int64_t* take(std::int64_t count);
    /// Emits the rebuild that appends `count` entries.
    void append(const std::int64_t* pages, std::int64_t count, Emitter& out);

  private:
    std::int64_t* current_;
    std::int64_t* next_;
    std::int64_t count_;
    std::int64_t head_ = 0;
};

/// The scheduler's part of each step under churn: finished requests are freed and replaced, every
/// lane gets one new token. It keeps the counts that decide launch arguments, so that a step needs
/// no word from the device.
class Scheduler {
  public:
    Scheduler(const Views& views, const InitialState& state);

    /// Appends the launches of the next step's scheduler part, and moves on one phase.
    /// @throws UnavailableError when pages run out, with the numbers.
    void next_turn(Commands& out);

  private:
    struct Pool {
        StateKind kind;
        PageList free; ///< unified: virtual pages; a sub-pool that owns no ids has none
        PageList holes;
        std::int64_t next_page;
        bool grows_up;
        std::int64_t limit; ///< first page that a run must not reach
    };

    [[nodiscard]] static Pool full_pool(const Views& views, const InitialState& state);
    [[nodiscard]] static Pool window_pool(const Views& views, const InitialState& state);
    [[nodiscard]] static Pool state_pool(const Views& views, const InitialState& state);

    void replace(std::int64_t lane, Commands& out);
    void release_pages(std::int64_t lane, std::int64_t length, Commands& out);
    void release_state(std::int64_t lane, Commands& out);
    void give_prompt(std::int64_t lane, std::int64_t tokens, Commands& out);
    void give_state(std::int64_t lane, Commands& out);
    void append_tokens(Commands& out);
    void prefill(std::int64_t lane, Commands& out);
    [[nodiscard]] const std::int64_t* lens_of(std::int64_t phase) const;

    // Pages of one pool (scheduler_pages.cpp).
    [[nodiscard]] std::int64_t* take_free(Pool& pool, std::int64_t count) const;
    [[nodiscard]] std::int64_t* take_pages(Pool& pool, std::int64_t count, Commands& out);
    void bind_pages(Pool& pool, std::int64_t* vpages, std::int64_t count, Commands& out);
    void extend(Pool& pool, const PageSpan& pages, Commands& out);
    void free_pages(Pool& pool, const PageSpan& pages, Commands& out);

    // Pages of the sliding windows (scheduler_windows.cpp).
    void bind_windows(std::int64_t* full_pages, std::int64_t count, Commands& out);
    void free_windows(const PageSpan& pages, Commands& out);
    void leave_windows(Commands& out);
    std::int64_t name_left_pages(std::int64_t* pages, Commands& out) const;

    Views views_;
    Pool full_;
    Pool swa_;
    Pool state_;
    std::int64_t step_ = 0;  ///< in the cycle of lengths and owners
    std::int64_t phase_ = 0; ///< in the cycle of lengths
};

/// Collects launches of the scheduler's part of a step.
[[nodiscard]] Emitter scheduler_op(Commands& out, OpKind op);

} // namespace kvprof::workload

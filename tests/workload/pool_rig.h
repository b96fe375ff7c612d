#pragma once

#include "capture/workload/pool_chain.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <random>
#include <string>
#include <vector>

namespace kvprof::workload::test {

/// State slots of 40 B at the bottom, MLA slots of 6 B in 3 rows at the top.
[[nodiscard]] std::vector<SubPool> state_and_full(std::int64_t page_size);
/// Sliding-window slots of 4 B at the bottom, full slots of 12 B at the top.
[[nodiscard]] std::vector<SubPool> swa_and_full(std::int64_t page_size);
/// State slots of 40 B at the bottom, full slots of 12 B at the top, and sliding-window slots of 4
/// B that float between them.
[[nodiscard]] std::vector<SubPool> all_three(std::int64_t page_size);

/// One chain over real bytes: every live envelope holds a pattern of its kind, virtual page and
/// generation, moves are carried out, and a random walk exercises the whole interface.
class PoolRig {
  public:
    PoolRig(std::span<const SubPool> pools, Bytes total, Compaction compaction);

    /// One random operation of the walk.
    void step();
    void alloc(StateKind kind, std::int64_t pages);
    void free(StateKind kind, const std::vector<VirtualPage>& pages);
    /// A few moves while a forward pass reads every page and writes the newest one.
    void flush_beside_reader();
    /// The forward pass is done.
    void release_readers();
    /// Every live envelope holds its pattern, and so does every one that a reader may still read.
    [[nodiscard]] testing::AssertionResult contents_are_intact() const;

    [[nodiscard]] const PoolChain& chain() const { return chain_; }

    [[nodiscard]] const std::vector<std::uint8_t>& bytes() const { return bytes_; }

    /// Live pages of an owner, oldest first.
    [[nodiscard]] const std::vector<VirtualPage>& live(StateKind kind) const;

  private:
    struct Read {
        std::int64_t at = 0;
        std::vector<std::uint8_t> expected;
    };

    [[nodiscard]] std::int64_t draw(std::int64_t most);
    [[nodiscard]] StateKind draw_owner();
    [[nodiscard]] std::vector<VirtualPage> draw_live(StateKind kind);
    [[nodiscard]] std::uint8_t pattern(StateKind kind, VirtualPage page, std::int64_t byte) const;
    void fill(StateKind kind, VirtualPage page);
    void move_bytes();

    PoolChain chain_;
    std::vector<std::uint8_t> bytes_;
    std::vector<std::vector<VirtualPage>> live_;         ///< [StateKind]
    std::vector<std::vector<std::int64_t>> generations_; ///< [StateKind][virtual page]
    std::vector<Read> reads_;
    std::mt19937_64 random_{7};
};

} // namespace kvprof::workload::test

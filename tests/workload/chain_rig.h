#pragma once

#include "capture/workload/lanes.h"
#include "capture/workload/pool_chain.h"
#include "capture/workload/step_plan.h"
#include "kernels/id_math.h"

#include <cstdint>
#include <vector>

namespace kvprof::test {

/// Drives a PoolChain through the churn of a plan, as a scheduler of the engine would: free the
/// finished request, give the new one its prompt, then one token to every lane.
class ChainRig {
  public:
    explicit ChainRig(const workload::StepPlan& plan)
        : plan_(plan),
          chain_(layout_of(plan), workload::Compaction::lazy) {
        std::vector<std::int64_t> counts;
        std::int64_t total = 0;
        for (std::int64_t lane = 0; lane < plan.spec.batch; ++lane) {
            counts.push_back(pages_of(workload::length_in_phase(plan, lane, 0)));
            total += counts.back();
        }
        // One allocation for all lanes: ids in order, homes in one ascending band.
        const auto pages = chain_.alloc(workload::StateKind::full, total);
        auto next = pages.begin();
        for (const std::int64_t count : counts) {
            lanes_.emplace_back(next, next + count);
            next += count;
        }
    }

    void advance(std::int64_t step) {
        const std::int64_t phase = step % plan_.phases;
        for (std::int64_t lane = 0; lane < plan_.spec.batch; ++lane) {
            if (workload::is_replaced(plan_, lane, phase)) {
                auto& held = lanes_[static_cast<std::size_t>(lane)];
                chain_.free(workload::StateKind::full, held);
                held.clear();
                give(lane, pages_of(workload::length_in_phase(plan_, lane, phase) - 1));
            }
        }
        append(phase);
    }

    [[nodiscard]] std::vector<std::int64_t> v2p() const {
        const auto table = chain_.member(workload::StateKind::full).v2p();
        return {table.begin(), table.end()};
    }

    [[nodiscard]] std::vector<std::int64_t> p2v() const {
        const auto table = chain_.member(workload::StateKind::full).p2v();
        return {table.begin(), table.end()};
    }

    void check_invariants() const {
        chain_.check_invariants();
        chain_.audit_bytes();
    }

  private:
    static workload::BufferLayout layout_of(const workload::StepPlan& plan) {
        const auto pools =
            workload::unified_sub_pools(plan.model, plan.spec.tp, plan.spec.page_size);
        std::int64_t pad = 0;
        for (const auto& pool : pools) {
            pad = std::max(pad, workload::is_paged(pool) ? workload::page_bytes(pool) : 0);
        }
        return workload::plan_buffer(Bytes{plan.kv_bytes - pad}, pools);
    }

    [[nodiscard]] std::int64_t pages_of(std::int64_t length) const {
        return kernels::pages_of(length, plan_.spec.page_size);
    }

    void give(std::int64_t lane, std::int64_t count) {
        auto& held = lanes_[static_cast<std::size_t>(lane)];
        for (const auto page : chain_.alloc(workload::StateKind::full, count)) {
            held.push_back(page);
        }
    }

    /// One allocation for all lanes that open a page, dealt in lane order.
    void append(std::int64_t phase) {
        std::vector<std::int64_t> opening;
        for (std::int64_t lane = 0; lane < plan_.spec.batch; ++lane) {
            const std::int64_t length = workload::length_in_phase(plan_, lane, phase);
            if (kernels::opens_page(length, plan_.spec.page_size)) {
                opening.push_back(lane);
            }
        }
        if (opening.empty()) {
            return;
        }
        const auto pages =
            chain_.alloc(workload::StateKind::full, static_cast<std::int64_t>(opening.size()));
        for (std::size_t i = 0; i < opening.size(); ++i) {
            lanes_[static_cast<std::size_t>(opening[i])].push_back(pages[i]);
        }
    }

    const workload::StepPlan& plan_;
    workload::PoolChain chain_;
    std::vector<std::vector<workload::VirtualPage>> lanes_;
};

} // namespace kvprof::test

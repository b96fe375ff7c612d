#include "capture/workload/contents_parts.h"

#include <numeric>

namespace kvprof::workload {

namespace {

/// Row of req_to_token that a lane owns; row 0 belongs to padded lanes.
std::vector<std::int64_t> row_ids(const StepPlan& plan) {
    std::vector<std::int64_t> ids(static_cast<std::size_t>(plan.spec.max_batch), 0);
    std::iota(ids.begin(), ids.begin() + static_cast<std::ptrdiff_t>(plan.spec.batch), 1);
    return ids;
}

/// Lengths of every phase, padded lanes with the fill value 1.
std::vector<std::int64_t> lens_by_phase(const StepPlan& plan) {
    std::vector<std::int64_t> lens;
    for (std::int64_t phase = 0; phase < plan.phases; ++phase) {
        for (std::int64_t lane = 0; lane < plan.bucket; ++lane) {
            lens.push_back(lane < plan.spec.batch ? length_in_phase(plan, lane, phase) : 1);
        }
    }
    return lens;
}

std::vector<std::int64_t> owners_by_step(const StepPlan& plan) {
    std::vector<std::int64_t> owners;
    for (std::int64_t step = 0; step < steps_in_cycle(plan); ++step) {
        for (std::int64_t lane = 0; lane < plan.bucket; ++lane) {
            owners.push_back(lane < plan.spec.batch ? owner_in_step(plan, lane, step) : 0);
        }
    }
    return owners;
}

/// The first row of a table with one row a step.
std::vector<std::int64_t>
first_lanes(const StepPlan& plan, const std::vector<std::int64_t>& by_step) {
    return {by_step.begin(), by_step.begin() + static_cast<std::ptrdiff_t>(plan.bucket)};
}

/// Token ids of a lane by position. Under context parallelism they are widened: a virtual page
/// holds page_size tokens of every rank.
void write_lane(
    const StepPlan& plan,
    const std::vector<std::int64_t>& pages,
    std::int64_t length,
    std::int32_t* row
) {
    const std::int64_t ps = plan.scheduler_page;
    for (std::int64_t position = 0; position < length; ++position) {
        const std::int64_t page = pages[static_cast<std::size_t>(position / ps)];
        row[position] = static_cast<std::int32_t>(page * ps + position % ps);
    }
}

/// Makes holes anywhere but in a lane's newest token, which the step writes.
void punch_holes(const StepPlan& plan, std::int64_t lane, std::int64_t length, std::int32_t* row) {
    if (plan.spec.holes <= 0.0) {
        return;
    }
    std::mt19937_64 random(
        static_cast<std::uint64_t>(plan.spec.seed) * 1'000'003 + static_cast<std::uint64_t>(lane)
    );
    for (std::int64_t position = 0; position + 1 < length; ++position) {
        if (chance(random, plan.spec.holes)) {
            row[position] = -1;
        }
    }
}

/// Fills `loc` with the id of each lane's newest token.
InitialBuffer
req_to_token(const StepPlan& plan, const LanePages& lanes, std::vector<std::int64_t>& loc) {
    const std::int64_t columns = plan.max_len;
    const auto width = static_cast<std::size_t>(columns);
    std::vector<std::int32_t> cells(width * static_cast<std::size_t>(plan.spec.batch + 1), 0);
    for (std::int64_t lane = 0; lane < plan.spec.batch; ++lane) {
        const std::int64_t length = length_in_phase(plan, lane, 0) + draft_of(plan, lane);
        std::int32_t* row = cells.data() + width * static_cast<std::size_t>(lane + 1);
        write_lane(plan, lanes.vpages[static_cast<std::size_t>(lane)], length, row);
        punch_holes(plan, lane, length, row);
        loc[static_cast<std::size_t>(lane)] = row[length - 1];
    }
    InitialBuffer buffer = dense(BufferId::req_to_token, cells);
    buffer.region = {plan.spec.batch + 1, columns * 4, plan.req_columns * 4, 0};
    return buffer;
}

void add_drafts(const StepPlan& plan, const std::vector<std::int64_t>& lens, InitialState& state) {
    std::vector<std::int64_t> drafts;
    std::vector<std::int64_t> widened;
    for (std::int64_t lane = 0; lane < plan.bucket; ++lane) {
        drafts.push_back(draft_of(plan, lane));
        widened.push_back(lens[static_cast<std::size_t>(lane)] + drafts.back());
    }
    if (has(plan, BufferId::kv_lens)) {
        state.buffers.push_back(dense(BufferId::kv_lens, widened));
    }
    if (has(plan, BufferId::draft_lens)) {
        state.buffers.push_back(dense(BufferId::draft_lens, drafts));
    }
}

/// Query tokens come lane after lane, as many in each: their row starts never change.
void add_query_starts(const StepPlan& plan, InitialState& state) {
    if (!has(plan, BufferId::cu_seqlens_q)) {
        return;
    }
    const std::int64_t queries = plan.verifies() ? plan.spec.delta : 1;
    std::vector<std::int32_t> starts;
    for (std::int64_t lane = 0; lane <= plan.bucket; ++lane) {
        starts.push_back(static_cast<std::int32_t>(lane * queries));
    }
    state.buffers.push_back(dense(BufferId::cu_seqlens_q, starts));
}

} // namespace

void add_lanes(const StepPlan& plan, const LanePages& lanes, InitialState& state) {
    std::vector<std::int64_t> newest(static_cast<std::size_t>(plan.spec.max_batch), 0);
    state.buffers.push_back(req_to_token(plan, lanes, newest));
    state.buffers.push_back(dense(BufferId::loc, newest));
    const auto rows = row_ids(plan);
    state.buffers.push_back(dense(BufferId::rows, rows));
    state.buffers.push_back(dense(BufferId::graph_rows, rows));
    const auto owners = owners_by_step(plan);
    state.buffers.push_back(dense(BufferId::step_owners, owners));
    state.buffers.push_back(dense(BufferId::owners, first_lanes(plan, owners)));
    const auto lens = lens_by_phase(plan);
    state.buffers.push_back(dense(BufferId::phase_lens, lens));
    state.buffers.push_back(dense(BufferId::lens, first_lanes(plan, lens)));
    add_drafts(plan, first_lanes(plan, lens), state);
    add_query_starts(plan, state);
}

} // namespace kvprof::workload

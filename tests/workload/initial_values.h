#pragma once

#include "capture/workload/contents.h"
#include "capture/workload/step_plan.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <cstring>
#include <vector>

namespace kvprof::test {

/// A plan and what its buffers hold before the first step.
class Initial {
  public:
    explicit Initial(const StepSpec& spec)
        : plan(workload::plan_step(spec, {})),
          state(workload::make_state(plan)) {}

    /// All given elements of a buffer; a failure when the state does not give it.
    template<typename T>
    [[nodiscard]] std::vector<T> values(workload::BufferId id) const {
        for (const workload::InitialBuffer& buffer : state.buffers) {
            if (buffer.id == id) {
                std::vector<T> elements(buffer.data.size() / sizeof(T));
                std::memcpy(elements.data(), buffer.data.data(), buffer.data.size());
                return elements;
            }
        }
        ADD_FAILURE() << "buffer " << static_cast<int>(id) << " is not given";
        return {};
    }

    /// The first `length` token ids of a lane.
    [[nodiscard]] std::vector<std::int32_t> row(std::int64_t lane, std::int64_t length) const {
        const auto cells = values<std::int32_t>(workload::BufferId::req_to_token);
        const auto first = cells.begin() + (lane + 1) * plan.max_len;
        return {first, first + length};
    }

    workload::StepPlan plan;
    workload::InitialState state;
};

} // namespace kvprof::test

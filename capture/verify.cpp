#include "capture/verify.h"

#include "capture/host/host_step.h"
#include "capture/model/error.h"
#include "capture/verify_attention.h"
#include "capture/verify_state.h"
#include "capture/workload/checked_region.h"
#include "capture/workload/lanes.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

namespace kvprof {

namespace {

using workload::BufferSpec;
using workload::Region;

/// Steps that are proven: under churn, past the first replacement of a request, so that pages were
/// freed, found again and filled.
std::int64_t steps_to_prove(const workload::StepPlan& plan) {
    constexpr std::int64_t kAfter = 3;
    constexpr std::int64_t kMost = 4096;
    if (plan.spec.churn <= 0.0) {
        return 1;
    }
    for (std::int64_t step = 1; step < std::min(plan.phases, kMost); ++step) {
        for (std::int64_t lane = 0; lane < plan.spec.batch; ++lane) {
            if (workload::is_replaced(plan, lane, step)) {
                return step + kAfter;
            }
        }
    }
    return std::min(plan.phases, kMost) + kAfter;
}

std::int64_t
value_at(const std::vector<std::byte>& bytes, std::int64_t offset, std::int64_t width) {
    std::int64_t wide = 0;
    std::int32_t narrow = 0;
    if (width == 8) {
        std::memcpy(&wide, bytes.data() + offset, sizeof wide);
        return wide;
    }
    std::memcpy(&narrow, bytes.data() + offset, sizeof narrow);
    return narrow;
}

[[noreturn]] void report_difference(
    const BufferSpec& buffer,
    const Region& region,
    std::int64_t element,
    std::int64_t got,
    std::int64_t wanted
) {
    const std::int64_t columns = region.row_bytes / buffer.element_bytes;
    throw VerifyError(
        fmt::format(
            "could not verify {}: element [{}, {}] is {}, the host twin has {}",
            buffer.name,
            element / columns,
            element % columns,
            got,
            wanted
        ),
        "this is a wrong kernel or a wrong build; no time of it is reported"
    );
}

/// Elements compared. @throws VerifyError at the first that differs.
std::int64_t compare_bytes(
    const BufferSpec& buffer,
    const Region& region,
    const std::vector<std::byte>& got,
    const std::vector<std::byte>& wanted
) {
    const auto differ = std::mismatch(got.begin(), got.end(), wanted.begin());
    if (differ.first != got.end()) {
        const std::int64_t element = (differ.first - got.begin()) / buffer.element_bytes;
        const std::int64_t offset = element * buffer.element_bytes;
        report_difference(
            buffer,
            region,
            element,
            value_at(got, offset, buffer.element_bytes),
            value_at(wanted, offset, buffer.element_bytes)
        );
    }
    return static_cast<std::int64_t>(got.size()) / buffer.element_bytes;
}

} // namespace

Check verify(
    PreparedStep& step, const workload::StepPlan& plan, const workload::InitialState& state
) {
    const auto twin = host::prepare_host_step(plan, state, host::KvPool::left_out);
    const std::int64_t steps = steps_to_prove(plan);
    for (std::int64_t i = 0; i < steps; ++i) {
        static_cast<void>(step.replay(step.copies()));
        static_cast<void>(twin->replay(1));
    }
    Check check;
    for (const BufferSpec& buffer : plan.buffers) {
        if (const auto region = workload::checked_region(plan, buffer)) {
            const auto wanted = twin->read(buffer.id, *region, 0);
            for (std::int64_t copy = 0; copy < step.copies(); ++copy) {
                const auto got = step.read(buffer.id, *region, copy);
                check.ids_compared += compare_bytes(buffer, *region, got, wanted);
            }
        }
    }
    if (!plan.micro_op) {
        verify_attention(step, plan, steps, check);
        verify_state(step, plan, steps, check);
    }
    return check;
}

} // namespace kvprof

#pragma once

#include "capture/model/enum_names.h"
#include "capture/model/step_spec.h"

#include <cstdint>

namespace kvprof {

/// A size of a step that a sweep moves while all else stays. Named as its option is.
enum class SweepAxis : std::uint8_t { seq_len, batch, max_context, max_batch, page_size };

template<>
struct EnumNames<SweepAxis> {
    static constexpr std::array values{
        std::pair{SweepAxis::seq_len, "seq-len"},
        std::pair{SweepAxis::batch, "batch"},
        std::pair{SweepAxis::max_context, "max-context"},
        std::pair{SweepAxis::max_batch, "max-batch"},
        std::pair{SweepAxis::page_size, "page-size"}};
};

/// The field of the step that the axis moves.
template<SpecOf<StepSpec> Spec>
[[nodiscard]] constexpr auto& field_of(Spec& step, SweepAxis axis) {
    switch (axis) {
    case SweepAxis::seq_len: return step.seq_len;
    case SweepAxis::batch: return step.batch;
    case SweepAxis::max_context: return step.max_context;
    case SweepAxis::max_batch: return step.max_batch;
    case SweepAxis::page_size: break;
    }
    return step.page_size;
}

/// Whether the axis moves live tokens: lengths in context, added up over the lanes. The others move
/// what the step is built for.
[[nodiscard]] constexpr bool moves_live_tokens(SweepAxis axis) {
    return axis == SweepAxis::seq_len || axis == SweepAxis::batch;
}

} // namespace kvprof

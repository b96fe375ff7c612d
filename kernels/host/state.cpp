#include "kernels/host/state.h"

#include "kernels/backend_rules.h"
#include "kernels/content.h"

#include <cstring>

namespace kvprof::kernels::host {

void run(const StateSlotsCall& call) {
    for (std::int64_t lane = 0; lane < call.batch; ++lane) {
        call.out[lane] = static_cast<std::int32_t>(state_slot(call, lane));
    }
}

void run(const StateWordsCall& call) {
    for (std::int64_t lane = 0; lane < call.batch; ++lane) {
        const std::int64_t slot = call.slots[lane];
        std::uint64_t word = 0;
        if (slot >= 0 && call.writes) {
            word = content_key(call.seed, call.owners[lane], kStateWord);
            std::memcpy(call.states + slot * call.slot_bytes, &word, sizeof word);
        } else if (slot >= 0) {
            std::memcpy(&word, call.states + slot * call.slot_bytes, sizeof word);
        }
        if (!call.writes) {
            call.out[lane] = static_cast<std::int64_t>(word);
        }
    }
}

} // namespace kvprof::kernels::host

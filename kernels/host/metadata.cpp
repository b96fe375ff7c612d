#include "kernels/host/metadata.h"

#include "kernels/index_access.h"
#include "kernels/read_rules.h"

#include <chrono>

namespace kvprof::kernels::host {

void run(const IndptrCall& call) {
    if (call.batch <= 0) {
        return;
    }
    std::int64_t sum = 0;
    call.out[0] = 0;
    for (std::int64_t b = 0; b < call.batch; ++b) {
        sum += load_index(call.lens, b);
        call.out[b + 1] = static_cast<std::int32_t>(sum);
    }
}

void run(const AppendCall& call) {
    for (std::int64_t b = 0; b < call.batch; ++b) {
        const auto position = call.lens[b] - 1;
        if (position >= 0 && position < call.req_columns) {
            call.req_to_token[call.rows[b] * call.req_columns + position] =
                static_cast<std::int32_t>(call.ids[b]);
        }
    }
}

void run(const KvSplitsCall& call) {
    for (std::int64_t b = 0; b < call.batch; ++b) {
        call.out[b] = splits_of(call, load_index(call.lens, b));
    }
}

void run(const DelayCall& call) {
    using Clock = std::chrono::steady_clock;
    const auto end = Clock::now() + std::chrono::nanoseconds(call.nanoseconds);
    while (Clock::now() < end) {
    }
}

} // namespace kvprof::kernels::host

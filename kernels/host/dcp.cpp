#include "kernels/host/dcp.h"

#include "kernels/backend_rules.h"

namespace kvprof::kernels::host {

void run(const LocalLensCall& call) {
    for (std::int64_t lane = 0; lane < call.batch; ++lane) {
        const auto tokens = load_index(call.lens, lane) + call.delta;
        call.out[lane] = static_cast<std::int32_t>(local_length(tokens, call.dcp, call.rank));
    }
}

void run(const DcpGatherCall& call) {
    for (std::int64_t lane = 0; lane < call.batch; ++lane) {
        const std::int32_t* tokens = call.req_to_token + call.rows[lane] * call.req_columns;
        const auto start = start_of(call.starts, lane);
        if (start < 0) {
            continue;
        }
        const auto first = first_position(start, call.dcp, call.rank);
        const auto count = local_tokens(call, lane, first);
        for (std::int64_t k = 0; k < count; ++k) {
            const auto id = local_id(tokens[first + k * call.dcp], call.dcp);
            store_index(call.out, call.indptr[lane] + k, id);
        }
    }
}

void run(const StreamTranslateCall& call) {
    if (call.batch <= 0) {
        return;
    }
    for (std::int64_t i = 0; i < stream_tokens(call); ++i) {
        const auto id = load_index(call.ids.data, call.ids.type, i);
        store_index(call.ids, i, translated(call, call.page_size, id));
    }
}

} // namespace kvprof::kernels::host

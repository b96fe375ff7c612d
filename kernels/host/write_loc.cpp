#include "kernels/host/write_loc.h"

#include "kernels/read_rules.h"

namespace kvprof::kernels::host {

void run(const WriteLocCall& call) {
    for (std::int64_t i = 0; i < call.out_count; ++i) {
        call.out[i] = i < call.count ? write_location(call, call.loc[i]) : 0;
    }
}

} // namespace kvprof::kernels::host

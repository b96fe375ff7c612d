#include "kernels/host/run.h"

#include <variant>

namespace kvprof::kernels::host {

void run(const KernelCall& call) {
    const auto run_one = []<typename Call>(const Call& one) {
        // Names the exact overload: a missing twin would otherwise convert back to the variant.
        constexpr void (*twin)(const Call&) = run;
        twin(one);
    };
    std::visit(run_one, call);
}

} // namespace kvprof::kernels::host

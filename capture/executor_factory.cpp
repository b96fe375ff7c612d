#include "capture/executor_factory.h"

#include "capture/ceilings.h"
#include "capture/cupti_probe.h"
#include "capture/host/host_executor.h"
#include "capture/host/host_recorder.h"
#include "capture/model/error.h"
#include "capture/probe.h"
#include "capture/scripted/scripted_executor.h"

#include <utility>

#if KVPROF_WITH_CUDA
#include "capture/cuda/ceilings.h"
#include "capture/cuda/cuda_executor.h"
#include "capture/cuda/cupti_recorder.h"
#endif

namespace kvprof {

namespace {

constexpr bool kHasCuda = KVPROF_WITH_CUDA != 0;

bool is_traced(Pass pass) {
    switch (pass) {
    case Pass::counts:
    case Pass::graph:
    case Pass::nodes: return true;
    case Pass::timing:
    case Pass::memory: break;
    }
    return false;
}

Instruments
make_cuda_instruments([[maybe_unused]] const MeasureSpec& how, [[maybe_unused]] Pass pass) {
#if KVPROF_WITH_CUDA
    Instruments instruments;
    if (is_traced(pass)) {
        instruments.recorder = std::make_unique<cuda::CuptiRecorder>(cuda::load_cupti(), pass);
    }
    instruments.executor = std::make_unique<cuda::CudaExecutor>(static_cast<int>(how.device));
    return instruments;
#else
    throw UnavailableError(
        "could not use --executor cuda: this kvprof was built without CUDA",
        "build with the CUDA toolkit (preset cuda), or use --executor host"
    );
#endif
}

Instruments make_host_instruments(Pass pass) {
    if (!is_traced(pass)) {
        return {nullptr, std::make_unique<host::HostExecutor>()};
    }
    auto recorder = std::make_unique<host::HostRecorder>();
    auto executor = std::make_unique<host::HostExecutor>(recorder.get());
    return {std::move(recorder), std::move(executor)};
}

} // namespace

ExecutorKind resolve(ExecutorKind kind) {
    if (kind != ExecutorKind::automatic) {
        return kind;
    }
    return kHasCuda && gpu_count() > 0 ? ExecutorKind::cuda : ExecutorKind::host;
}

#if !KVPROF_WITH_CUDA
CuptiProbe probe_cupti_session(const Libraries& /*libraries*/) {
    return {
        .failure = "this kvprof was built without CUDA",
        .remedy = "build with the CUDA toolkit (preset cuda)"};
}
#endif

Ceilings measure_ceilings([[maybe_unused]] std::int64_t device) {
#if KVPROF_WITH_CUDA
    return cuda::measure_ceilings(static_cast<int>(device));
#else
    throw UnavailableError(
        "could not measure what a GPU reaches: this kvprof was built without CUDA",
        "build with the CUDA toolkit (preset cuda)"
    );
#endif
}

Instruments make_instruments(const MeasureSpec& how, Pass pass) {
    switch (resolve(how.executor)) {
    case ExecutorKind::cuda: return make_cuda_instruments(how, pass);
    case ExecutorKind::scripted:
        return {nullptr, std::make_unique<scripted::ScriptedExecutor>(how.script)};
    case ExecutorKind::automatic: // resolved above
    case ExecutorKind::host: break;
    }
    return make_host_instruments(pass);
}

} // namespace kvprof

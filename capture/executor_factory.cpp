#include "capture/executor_factory.h"

#include "capture/host/host_executor.h"
#include "capture/model/error.h"
#include "capture/probe.h"
#include "capture/scripted/scripted_executor.h"

#if KVPROF_WITH_CUDA
#include "capture/cuda/cuda_executor.h"
#endif

namespace kvprof {

namespace {

constexpr bool kHasCuda = KVPROF_WITH_CUDA != 0;

std::unique_ptr<Executor> make_cuda_executor([[maybe_unused]] const MeasureSpec& how) {
#if KVPROF_WITH_CUDA
    return std::make_unique<cuda::CudaExecutor>(static_cast<int>(how.device));
#else
    throw UnavailableError(
        "could not use --executor cuda: this kvprof was built without CUDA",
        "build with the CUDA toolkit (preset cuda), or use --executor host"
    );
#endif
}

} // namespace

ExecutorKind resolve(ExecutorKind kind) {
    if (kind != ExecutorKind::automatic) {
        return kind;
    }
    return kHasCuda && gpu_count() > 0 ? ExecutorKind::cuda : ExecutorKind::host;
}

std::unique_ptr<Executor> make_executor(const MeasureSpec& how) {
    switch (resolve(how.executor)) {
    case ExecutorKind::cuda: return make_cuda_executor(how);
    case ExecutorKind::scripted: return std::make_unique<scripted::ScriptedExecutor>(how.script);
    case ExecutorKind::automatic: // resolved above
    case ExecutorKind::host: break;
    }
    return std::make_unique<host::HostExecutor>();
}

} // namespace kvprof

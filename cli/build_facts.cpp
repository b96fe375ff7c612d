#include "cli/version.h"

namespace kvprof::cli {

std::string_view cuda_architectures() noexcept {
    return KVPROF_CUDA_ARCHITECTURES;
}

int cuda_runtime() noexcept {
    return KVPROF_CUDA_RUNTIME;
}

std::string_view sqlite_version() noexcept {
    return KVPROF_SQLITE_VERSION;
}

} // namespace kvprof::cli

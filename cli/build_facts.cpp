#include "cli/version.h"

namespace kvprof::cli {

std::string_view cuda_architectures() noexcept {
    return KVPROF_CUDA_ARCHITECTURES;
}

std::string_view sqlite_version() noexcept {
    return KVPROF_SQLITE_VERSION;
}

} // namespace kvprof::cli

#pragma once

#include "capture/cupti_failure.h"
#include "capture/libraries.h"

#include <cstdint>
#include <string>

namespace kvprof {

/// The CUPTI library that this machine offers to this process.
struct CuptiLibrary {
    void* handle = nullptr; ///< null when none was found
    std::string file;       ///< the name or path that opened it
    std::uint32_t version = 0;
    std::string why; ///< of a null handle
};

/// In this order: a CUPTI 13 that the process has already (two copies would fight over the driver),
/// the file that KVPROF_CUPTI names and then no other, libcupti.so.13 by name and in the toolkit
/// folders. An older CUPTI is returned only where there is no 13, so that it can be named.
[[nodiscard]] CuptiLibrary find_cupti_library(const Libraries& libraries = system_libraries());

/// What a message about a failed CUPTI call says of this machine: the driver, and whether it keeps
/// profiling for administrators. Starts no CUDA.
[[nodiscard]] CuptiContext read_cupti_context(const Libraries& libraries = system_libraries());

} // namespace kvprof

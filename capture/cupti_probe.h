#pragma once

#include "capture/libraries.h"

#include <cstdint>
#include <string>

namespace kvprof {

/// What came of opening CUPTI for a moment.
struct CuptiProbe {
    bool is_usable = false;
    std::string path; ///< of the library; empty when none was loaded
    std::uint32_t version = 0;
    int code = 0;               ///< a CUptiResult, or a CuptiCode below zero; 0 when usable
    std::string rival;          ///< the tool that holds CUPTI in this process
    std::string virtualization; ///< "none", "pass-through", "virtual GPU"; empty: not known
    std::string failure;        ///< empty when usable
    std::string remedy;
};

/// Loads CUPTI, takes this process's place at it and gives it back. A process that means to record
/// does not call this first: before CUPTI 13.1.1 there is one place a process, for once.
[[nodiscard]] CuptiProbe probe_cupti_session(const Libraries& libraries = system_libraries());

} // namespace kvprof

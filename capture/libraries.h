#pragma once

#include <functional>
#include <string>

namespace kvprof {

/// How shared libraries are opened; a test brings its own. Opened libraries stay open: a driver
/// library that is unloaded takes its threads' code with it.
struct Libraries {
    std::function<void*(const std::string& file)> open; ///< null when it can not be opened
    std::function<void*(void* library, const char* symbol)> symbol;
    std::function<std::string()> why; ///< why the last `open` failed
};

/// dlopen, dlsym and dlerror.
[[nodiscard]] const Libraries& system_libraries();

} // namespace kvprof

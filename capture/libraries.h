#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace kvprof {

/// How shared libraries are opened; a test brings its own. Opened libraries stay open: a driver
/// library that is unloaded takes its threads' code with it.
struct Libraries {
    std::function<void*(const std::string& file)> open; ///< null when it can not be opened
    std::function<void*(void* library, const char* symbol)> symbol;
    std::function<std::string()> why; ///< why the last `open` failed
    /// As `open`, but null unless this process has the library already. May be absent.
    std::function<void*(const std::string& file)> loaded;
};

/// dlopen, dlsym and dlerror.
[[nodiscard]] const Libraries& system_libraries();

/// Calls `int symbol(T*)` of an open library; empty when it has no such symbol or returns an error.
template<typename T>
[[nodiscard]] std::optional<T>
ask_library(const Libraries& libraries, void* library, const char* symbol) {
    using Function = int (*)(T*);
    const auto function = reinterpret_cast<Function>(libraries.symbol(library, symbol));
    T value{};
    if (function == nullptr || function(&value) != 0) {
        return std::nullopt;
    }
    return value;
}

/// Folders of CUDA toolkits, those that the environment names first. They need not exist.
[[nodiscard]] std::vector<std::string> toolkit_folders();

} // namespace kvprof

#include "capture/cupti_library.h"

#include <fmt/format.h>

#include <cstdlib>
#include <fstream>
#include <string_view>
#include <vector>

namespace kvprof {

namespace {

constexpr const char* kSoName = "libcupti.so.13";
constexpr const char* kAdminOnly = "RmProfilingAdminOnly:";

std::vector<std::string> candidates() {
    if (const char* file = std::getenv("KVPROF_CUPTI"); file != nullptr && *file != '\0') {
        return {file};
    }
    std::vector<std::string> files;
    for (const char* name : {kSoName, "libcupti.so.12"}) {
        files.emplace_back(name);
        for (const std::string& folder : toolkit_folders()) {
            for (const char* place : {"extras/CUPTI/lib64", "targets/x86_64-linux/lib", "lib64"}) {
                files.push_back(fmt::format("{}/{}/{}", folder, place, name));
            }
        }
    }
    return files;
}

/// Fills in handle, file and version; `why` when the library does not tell its version.
CuptiLibrary identify(const Libraries& libraries, void* handle, const std::string& file) {
    const auto version = ask_library<std::uint32_t>(libraries, handle, "cuptiGetVersion");
    if (!version) {
        return {.why = fmt::format("{} does not tell its version", file)};
    }
    return {.handle = handle, .file = file, .version = *version};
}

std::optional<bool> profiling_is_admin_only() {
    std::ifstream params("/proc/driver/nvidia/params");
    std::string line;
    while (std::getline(params, line)) {
        if (line.starts_with(kAdminOnly)) {
            return line.find('1') != std::string::npos;
        }
    }
    return std::nullopt;
}

} // namespace

CuptiLibrary find_cupti_library(const Libraries& libraries) {
    if (libraries.loaded) {
        if (void* handle = libraries.loaded(kSoName)) {
            return identify(libraries, handle, kSoName);
        }
    }
    CuptiLibrary older;
    std::string why;
    for (const std::string& file : candidates()) {
        void* handle = libraries.open(file);
        if (handle == nullptr) {
            // The first name is the one to act on; the folders that follow are guesses.
            why = why.empty() ? libraries.why() : why;
            continue;
        }
        CuptiLibrary found = identify(libraries, handle, file);
        if (found.handle != nullptr && cupti_major(found.version) == 13) {
            return found;
        }
        if (found.handle == nullptr) {
            why = found.why;
        } else if (older.handle == nullptr) {
            older = std::move(found);
        }
    }
    older.why = older.handle == nullptr ? why : "";
    return older;
}

CuptiContext read_cupti_context(const Libraries& libraries) {
    CuptiContext context;
    if (void* driver = libraries.open("libcuda.so.1")) {
        context.driver_version = ask_library<int>(libraries, driver, "cuDriverGetVersion");
    }
    context.is_admin_only = profiling_is_admin_only();
    return context;
}

} // namespace kvprof

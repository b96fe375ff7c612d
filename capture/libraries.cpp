#include "capture/libraries.h"

#include <dlfcn.h>

#include <cstdlib>

namespace kvprof {

const Libraries& system_libraries() {
    static const Libraries libraries{
        .open = [](const std::string& file) { return dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL); },
        .symbol = [](void* library, const char* symbol) { return dlsym(library, symbol); },
        .why =
            [] {
                const char* text = dlerror();
                return std::string(text == nullptr ? "no reason given" : text);
            },
        .loaded = [](const std::string& file
                  ) { return dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL | RTLD_NOLOAD); }};
    return libraries;
}

std::vector<std::string> toolkit_folders() {
    std::vector<std::string> folders;
    for (const char* variable : {"CUDA_HOME", "CUDA_PATH"}) {
        if (const char* folder = std::getenv(variable); folder != nullptr && *folder != '\0') {
            folders.emplace_back(folder);
        }
    }
    folders.insert(folders.end(), {"/usr/local/cuda", "/usr/local/cuda-13", "/usr/local/cuda-12"});
    return folders;
}

} // namespace kvprof

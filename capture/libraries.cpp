#include "capture/libraries.h"

#include <dlfcn.h>

namespace kvprof {

const Libraries& system_libraries() {
    static const Libraries libraries{
        .open = [](const std::string& file) { return dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL); },
        .symbol = [](void* library, const char* symbol) { return dlsym(library, symbol); },
        .why =
            [] {
                const char* text = dlerror();
                return std::string(text == nullptr ? "no reason given" : text);
            }};
    return libraries;
}

} // namespace kvprof

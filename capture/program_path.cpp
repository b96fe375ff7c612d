#include "capture/program_path.h"

#include <unistd.h>

#include <algorithm>
#include <cstddef>
#include <cstdlib>

namespace kvprof {

std::optional<std::string> find_program(std::string_view name) {
    const char* path = std::getenv("PATH");
    std::string_view rest = path == nullptr ? "" : path;
    while (!rest.empty()) {
        const std::size_t colon = std::min(rest.find(':'), rest.size());
        std::string file(rest.substr(0, colon));
        file.append("/").append(name);
        if (access(file.c_str(), X_OK) == 0) {
            return file;
        }
        rest.remove_prefix(std::min(colon + 1, rest.size()));
    }
    return std::nullopt;
}

} // namespace kvprof

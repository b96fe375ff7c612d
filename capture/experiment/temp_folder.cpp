#include "capture/experiment/temp_folder.h"

#include "capture/model/error.h"

#include <fmt/format.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <string>
#include <system_error>

namespace kvprof::experiment {

TempFolder::TempFolder() {
    std::error_code ignored;
    const std::filesystem::path parent = std::filesystem::temp_directory_path(ignored);
    std::string name = (parent.empty() ? "/tmp" : parent) / "kvprof-XXXXXX";
    if (mkdtemp(name.data()) == nullptr) {
        throw UnavailableError(
            fmt::format("could not make a temporary folder {}: {}", name, std::strerror(errno)),
            "set TMPDIR to a folder that you can write"
        );
    }
    path_ = name;
}

TempFolder::~TempFolder() {
    std::error_code ignored; // a folder that stays is no reason to lose the result
    std::filesystem::remove_all(path_, ignored);
}

} // namespace kvprof::experiment

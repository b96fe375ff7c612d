#include "cli/bundle_place.h"

namespace kvprof::cli {

std::filesystem::path bundle_beside(std::filesystem::path report) {
    if (report.extension() == ".gz") {
        report.replace_extension();
    }
    return report.replace_extension(".db");
}

} // namespace kvprof::cli

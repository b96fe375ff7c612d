#pragma once

#include <string>

namespace kvprof::cli {

/// One line of `kvprof doctor`.
struct DoctorRow {
    std::string name;
    bool is_fine = true;
    std::string text;
    std::string cost;   ///< what can not be had without it; empty when it is fine
    std::string remedy; ///< what to do

    friend bool operator==(const DoctorRow&, const DoctorRow&) = default;
};

/// Makes the row one that needs a look; several costs and remedies are joined.
void add_trouble(DoctorRow& row, const std::string& cost, const std::string& remedy);

} // namespace kvprof::cli

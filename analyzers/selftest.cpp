#include "analyzers/selftest.h"

#include <algorithm>

namespace kvprof::analyzers {

bool holds(const std::vector<SelftestRow>& rows) {
    return !rows.empty() && std::all_of(rows.begin(), rows.end(), [](const SelftestRow& row) {
        return row.holds;
    });
}

} // namespace kvprof::analyzers

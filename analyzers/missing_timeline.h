#pragma once

#include "capture/model/run.h"

#include <optional>
#include <string>

namespace kvprof::analyzers {

/// Why a run has none of something, and what gives some.
struct Missing {
    std::string cause; ///< "its nodes pass was not run (--passes timing)"
    std::string hint;  ///< may be empty

    friend bool operator==(const Missing&, const Missing&) = default;
};

/// Why the nodes pass of one of kvprof's own runs saw nothing: the run is not complete, or the pass
/// was not run or failed. Nothing where it ran.
[[nodiscard]] std::optional<Missing> missing_nodes(const Run& run);

/// Why a run has no events.
[[nodiscard]] Missing missing_timeline(const Run& run);

} // namespace kvprof::analyzers

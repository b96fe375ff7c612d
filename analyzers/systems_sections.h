#pragma once

#include "analyzers/section.h"
#include "capture/model/run.h"

#include <string>
#include <vector>

namespace kvprof::analyzers {

/// "219 complete, 231 not run, 0 invalid": every system of a matrix is counted.
[[nodiscard]] std::string describe_systems(const std::vector<Run>& runs);

/// The cross-shape table of a matrix of systems: a section a preset with a row a backend, pool and
/// stage (KV tokens, graph memory by source, launches, time, and how it stands against the static
/// row of its preset and backend), then the systems that could not be measured, with the reason.
/// Bytes and launches are exact, so one run a row decides them; a time of one run decides nothing
/// and its verdict is inconclusive.
[[nodiscard]] std::vector<Section> systems_sections(const std::vector<Run>& runs);

/// What the measured systems noted, each text once with the number of its rows, in the order of
/// their first. The reasons of the others are in the table.
[[nodiscard]] std::vector<std::string> systems_remarks(const std::vector<Run>& runs);

} // namespace kvprof::analyzers

#pragma once

#include "analyzers/case_facts.h"
#include "analyzers/compare_rows.h"

namespace kvprof::analyzers {

/// Equality is the test; the policy may allow a difference. Runs that disagree within a side are
/// inconclusive. A primary row that is better in neither direction must not change at all.
/// @pre both sides have values
void judge_exact(Delta& shown, const CaseFacts& facts);

/// Whether a metric is a reading of the whole device's memory: a lower bound in steps of 2 MiB.
[[nodiscard]] bool is_device_wide(const MetricDef& metric);

/// A reading of the device's memory proves no zero; a change counts above 2 MiB and above what
/// equal runs differ by, and only while no other process holds memory on the device.
/// @pre both sides have values
void judge_device_wide(Row& row, const CaseFacts& facts);

} // namespace kvprof::analyzers

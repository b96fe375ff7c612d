#pragma once

#include "analyzers/case_facts.h"
#include "analyzers/compare_rows.h"

namespace kvprof::analyzers {

/// First half: settles what needs no test (forbidden, no value, exact, explains, memory that the
/// device reports) or must not be judged by one (capture failure, unstable machine, stored
/// baseline), and tests the sampled rows. A row with a test and without a verdict waits for
/// `decide`.
void prepare(Row& row, const CaseFacts& facts);

/// Second half, when p is adjusted: the limits, then clocks and controls that take a verdict back.
/// @param controls null: there are none
void decide(Row& row, const CaseFacts& facts, const Controls* controls);

} // namespace kvprof::analyzers

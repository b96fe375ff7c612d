#pragma once

#include "analyzers/step_timeline.h"
#include "report/html_text.h"

#include <cstddef>
#include <vector>

namespace kvprof::report {

/// What all bars of a drawing may take, in bytes: bars that stand close are drawn as one until they
/// do. A page stays short enough to attach, however many kernels a step has.
inline constexpr std::size_t kBarRoom = 240'000;

/// The steps one above the other on one axis that begins at the first record of each: a lane a
/// stream, a bar a kernel with its full name, start and length as its title, gaps left blank. Bars
/// of one name have one colour on all sides; those with the most time have one of their own, which
/// a key below names. Drawn without a script, coloured by the page's style.
/// @pre a timeline, with lanes
void add_timeline(Html& html, const std::vector<analyzers::StepTimeline>& timelines);

} // namespace kvprof::report

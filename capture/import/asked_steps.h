#pragma once

#include "capture/import/options.h"
#include "capture/import/profile_builder.h"

namespace kvprof::import {

/// That a file has the steps that were asked for: a rule other than `automatic` and `none` finds
/// some, and some are left where others are skipped.
/// @throws UsageError
void require_asked_steps(const FileProfile& file, const ReadOptions& options);

} // namespace kvprof::import

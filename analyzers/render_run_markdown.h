#pragma once

#include "capture/model/run.h"

#include <string>

namespace kvprof::analyzers {

/// The report on one run as GitHub-flavoured Markdown: what run_text() says, a table a section.
[[nodiscard]] std::string run_markdown(const Run& run);

} // namespace kvprof::analyzers

#pragma once

#include "report/html_text.h"
#include "report/report.h"

namespace kvprof::report {

/// Every fact that is stored of the machines, beside each other for the sides of a comparison.
void add_environment(Html& html, const Report& report);

} // namespace kvprof::report

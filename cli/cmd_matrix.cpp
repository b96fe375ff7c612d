#include "cli/commands.h"
#include "cli/listed_rows.h"

namespace kvprof::cli {

ExitCode run(const MatrixOptions& options) {
    return measure_rows(options.run, {options.resumes, options.unfinished});
}

} // namespace kvprof::cli

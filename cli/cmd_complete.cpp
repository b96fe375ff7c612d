#include "cli/commands.h"
#include "cli/complete.h"
#include "cli/output.h"

namespace kvprof::cli {

ExitCode run(const CompleteOptions& options) {
    if (const auto what = parse_enum<Completed>(options.what)) {
        Output output(options.common);
        output.write(completed_words(options.common, *what));
    }
    return ExitCode::done;
}

} // namespace kvprof::cli

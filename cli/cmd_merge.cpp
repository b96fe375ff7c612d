#include "cli/commands.h"
#include "cli/merging.h"
#include "cli/stores.h"

namespace kvprof::cli {

ExitCode run(const MergeOptions& options) {
    const bool fits =
        merge_into(store_path_of(options.common), options.sources, options.common.is_quiet);
    return fits ? ExitCode::done : ExitCode::difference;
}

} // namespace kvprof::cli

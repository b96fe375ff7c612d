#include "analyzers/json_roofline.h"
#include "analyzers/roofline_sections.h"
#include "capture/ceilings.h"
#include "cli/commands.h"
#include "cli/output.h"
#include "cli/stores.h"
#include "db/store.h"
#include "report/text_table.h"

#include <filesystem>
#include <vector>

namespace kvprof::cli {

namespace {

/// Those of a store, if there is one.
std::vector<Ceilings> stored_in(const std::filesystem::path& path) {
    return std::filesystem::exists(path) ? db::Store(path, db::OpenMode::read).ceilings()
                                         : std::vector<Ceilings>{};
}

std::string text_of(const analyzers::Section& section) {
    std::string text = report::text_table(*section.table);
    for (const std::string& line : section.lines) {
        text += line + "\n";
    }
    return text;
}

} // namespace

ExitCode run(const CeilingsOptions& options) {
    Output output(options.common);
    const std::filesystem::path path = store_path_of(options.common);
    std::vector<Ceilings> known = stored_in(path);
    if (options.remeasures || known.empty()) {
        Ceilings fresh = measure_ceilings(options.device);
        fresh.measured_at = utc_now();
        db::Store store(path, db::OpenMode::create);
        store.add_ceilings(fresh);
        known = store.ceilings();
    }
    output.write(
        options.common.format == Format::json ? analyzers::ceilings_json(known)
                                              : text_of(analyzers::ceilings_section(known))
    );
    return ExitCode::done;
}

} // namespace kvprof::cli

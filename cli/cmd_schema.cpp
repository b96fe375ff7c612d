#include "capture/model/params.h"
#include "cli/commands.h"
#include "cli/output.h"
#include "db/sql.h"
#include "report/schemas.h"

#include <fmt/format.h>

#include <string_view>
#include <vector>

namespace kvprof::cli {

ExitCode run(const SchemaOptions& options) {
    constexpr std::string_view kTables = "tables";
    const auto documents = report::schema_names(); // `names` looks into it
    std::vector<std::string_view> names{kTables};
    names.insert(names.end(), documents.begin(), documents.end());
    Output output(options.common);
    if (options.name.empty()) {
        std::string list;
        for (const std::string_view name : names) {
            list += fmt::format("{}\n", name);
        }
        output.write(list);
        return ExitCode::done;
    }
    if (options.name == kTables) {
        output.write(db::table_definitions());
        return ExitCode::done;
    }
    for (const std::string_view name : names) {
        if (name == options.name) {
            output.write(report::schema_text(name));
            return ExitCode::done;
        }
    }
    refuse_choice("the name", options.name, names);
}

} // namespace kvprof::cli

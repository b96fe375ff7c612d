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
    std::vector<std::string_view> names{kTables};
    for (const std::string_view name : report::schema_names()) {
        names.push_back(name);
    }
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

#include "analyzers/render_json.h"
#include "analyzers/render_markdown.h"
#include "analyzers/render_text.h"
#include "cli/commands.h"
#include "cli/output.h"
#include "cli/stores.h"
#include "db/selector.h"
#include "db/store.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <filesystem>

namespace kvprof::cli {

namespace {

/// The stored experiments; none when there is no store yet.
std::vector<analyzers::ListingRow> listing(const std::filesystem::path& path, std::int64_t limit) {
    if (!std::filesystem::exists(path)) {
        return {};
    }
    std::vector<analyzers::ListingRow> rows;
    for (const auto& stored : db::Store(path, db::OpenMode::read).list_experiments()) {
        if (limit > 0 && std::ssize(rows) == limit) {
            break;
        }
        rows.push_back(
            {.uuid = stored.uuid,
             .started_at = stored.started_at,
             .label = stored.label,
             .command_line = stored.command_line,
             .state = stored.state,
             .runs = stored.runs,
             .complete_runs = stored.complete_runs,
             .variants = stored.variants,
             .tags = stored.tags}
        );
    }
    return rows;
}

/// The selected runs inside their experiment.
Experiment load(const db::Selection& selection) {
    Experiment experiment =
        db::Store(selection.store, db::OpenMode::read).load_experiment(selection.experiment);
    const auto is_left_out = [&](const Run& run) {
        return std::find(selection.runs.begin(), selection.runs.end(), run.uuid)
               == selection.runs.end();
    };
    std::erase_if(experiment.runs, is_left_out);
    return experiment;
}

/// Every tag with what it names.
std::string tag_list(const std::vector<db::Tag>& tags, Format format) {
    nlohmann::json json{{"schema", "kvprof.tags/1"}, {"tags", nlohmann::json::array()}};
    std::string text;
    for (const db::Tag& tag : tags) {
        nlohmann::json row{{"name", tag.name}, {"experiment", tag.experiment}};
        row["run"] = tag.run ? nlohmann::json(*tag.run) : nlohmann::json();
        json["tags"].push_back(std::move(row));
        text += tag.run ? fmt::format("{}  run {}\n", tag.name, tag.run->substr(0, 8))
                        : fmt::format("{}  experiment {}\n", tag.name, tag.experiment.substr(0, 8));
    }
    if (format == Format::json) {
        return json.dump(2) + "\n";
    }
    return text.empty() ? "no tags\n" : text;
}

/// The run that the reference names alone, else its experiment.
std::string target_of(const db::Store& store, const db::Selection& selection) {
    const bool is_one =
        selection.runs.size() == 1 && store.list_runs(selection.experiment).size() > 1;
    return is_one ? selection.runs.front() : selection.experiment;
}

} // namespace

ExitCode run(const ListOptions& options) {
    const Output output(options.common);
    const auto rows = listing(store_path_of(options.common), options.limit);
    output.write(
        options.common.format == Format::json ? analyzers::listing_json(rows)
                                              : analyzers::listing_text(rows)
    );
    return ExitCode::done;
}

ExitCode run(const ShowOptions& options) {
    const Output output(options.common);
    const Experiment experiment =
        load(db::select(store_path_of(options.common), options.reference));
    switch (options.common.format) {
    case Format::text:
        output.write(
            experiment.runs.size() == 1 ? analyzers::run_text(experiment.runs.front())
                                        : analyzers::experiment_text(experiment)
        );
        break;
    case Format::markdown: output.write(analyzers::experiment_markdown(experiment)); break;
    case Format::json: output.write(analyzers::experiment_json(experiment)); break;
    }
    return ExitCode::done;
}

ExitCode run(const RemoveOptions& options) {
    db::Store store(store_path_of(options.common), db::OpenMode::write);
    for (const std::string& reference : options.references) {
        const db::Selection selection = db::resolve(store, reference);
        const std::size_t all = store.list_runs(selection.experiment).size();
        if (selection.runs.size() == all) {
            store.remove(selection.experiment);
        } else {
            for (const std::string& uuid : selection.runs) {
                store.remove(uuid);
            }
        }
        if (!options.common.is_quiet) {
            fmt::print(
                stderr,
                "removed {} of {} runs of experiment {}\n",
                selection.runs.size(),
                all,
                selection.experiment.substr(0, 8)
            );
        }
    }
    return ExitCode::done;
}

ExitCode run(const TagOptions& options) {
    const std::filesystem::path path = store_path_of(options.common);
    if (options.name.empty()) {
        const Output output(options.common);
        output.write(tag_list(db::Store(path, db::OpenMode::read).tags(), options.common.format));
        return ExitCode::done;
    }
    db::Store store(path, db::OpenMode::write);
    if (options.deletes) {
        store.untag(options.name);
    } else {
        store.tag(options.name, target_of(store, db::resolve(store, options.reference)));
    }
    return ExitCode::done;
}

} // namespace kvprof::cli

#include "analyzers/render_json.h"
#include "cli/commands.h"
#include "cli/messages.h"
#include "cli/output.h"
#include "cli/stores.h"
#include "db/selector.h"
#include "db/store.h"
#include "report/listing.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <filesystem>
#include <map>
#include <set>
#include <system_error>

namespace kvprof::cli {

namespace {

/// The stored experiments; none when there is no store yet.
std::vector<analyzers::ListingRow> listing(const std::filesystem::path& path, std::int64_t limit) {
    std::error_code ignored; // what can not be looked at is named by opening it
    if (std::filesystem::status(path, ignored).type() == std::filesystem::file_type::not_found) {
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
             .kind = stored.kind,
             .runs = stored.runs,
             .complete_runs = stored.complete_runs,
             .void_runs = stored.void_runs,
             .variants = stored.variants,
             .tags = stored.tags}
        );
    }
    return rows;
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
        return json.dump(2, ' ', false, nlohmann::json::error_handler_t::replace) + "\n";
    }
    return text.empty() ? "no tags\n" : text;
}

/// The run that the reference names alone, else its experiment.
std::string target_of(const db::Store& store, const db::Selection& selection) {
    if (selection.experiment.empty()) {
        throw UsageError(
            fmt::format(
                "could not tag \"{}\": it names runs of several experiments", selection.reference
            ),
            "tag one of them; kvprof baseline set names several"
        );
    }
    const std::size_t all = store.list_runs(selection.experiment).size();
    if (selection.runs.size() == all) {
        return selection.experiment;
    }
    if (selection.runs.size() == 1) {
        return selection.runs.front();
    }
    throw UsageError(
        fmt::format(
            "could not tag \"{}\": it names {} of {} runs, and a tag names an experiment or a run",
            selection.reference,
            selection.runs.size(),
            all
        ),
        "tag the experiment and write its variants after the tag, as in NAME/batch=8"
    );
}

/// What goes: these runs of an experiment, or with its last run the experiment.
std::vector<std::string> doomed_of(
    const db::Store& store, const std::string& experiment, const std::set<std::string>& runs
) {
    if (runs.size() == store.list_runs(experiment).size()) {
        return {experiment};
    }
    return {runs.begin(), runs.end()};
}

} // namespace

ExitCode run(const ListOptions& options) {
    Output output(options.common);
    const auto rows = listing(store_path_of(options.common), options.limit);
    output.write(
        options.common.format == Format::json ? analyzers::listing_json(rows)
                                              : report::listing_text(rows)
    );
    return ExitCode::done;
}

ExitCode run(const RemoveOptions& options) {
    db::Store store(store_path_of(options.common), db::OpenMode::write);
    // All of them before anything goes: a removal would change what @latest~1 names.
    std::map<std::string, std::set<std::string>> chosen;
    for (const std::string& reference : options.references) {
        const db::Selection selection = db::resolve(store, reference);
        if (!selection.experiment.empty()) {
            chosen[selection.experiment]; // one without runs goes too
        }
        for (const std::string& run : selection.runs) {
            chosen[store.experiment_of(run)].insert(run);
        }
    }
    std::vector<std::string> doomed;
    std::string removed;
    for (const auto& [experiment, runs] : chosen) {
        const std::size_t all = store.list_runs(experiment).size();
        for (std::string& uuid : doomed_of(store, experiment, runs)) {
            doomed.push_back(std::move(uuid));
        }
        removed += fmt::format(
            "removed {} of {} runs of experiment {}\n", runs.size(), all, experiment.substr(0, 8)
        );
    }
    store.remove(doomed);
    if (!options.common.is_quiet) {
        say(removed);
    }
    return ExitCode::done;
}

ExitCode run(const TagOptions& options) {
    const std::filesystem::path path = store_path_of(options.common);
    if (options.name.empty()) {
        Output output(options.common);
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

#include "capture/model/error.h"
#include "cli/commands.h"
#include "cli/messages.h"
#include "cli/output.h"
#include "cli/stores.h"
#include "db/selector.h"
#include "db/store.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <set>

namespace kvprof::cli {

namespace {

using db::Baseline;

const Baseline* current(const std::vector<Baseline>& baselines, const std::string& name) {
    const auto found = std::find_if(baselines.begin(), baselines.end(), [&](const Baseline& one) {
        return one.name == name; // the newest revision comes first
    });
    return found == baselines.end() ? nullptr : &*found;
}

/// The complete runs that the references name, each once, in that order.
std::vector<std::string> chosen_runs(const db::Store& store, const BaselineOptions& options) {
    std::vector<std::string> runs;
    std::set<std::string> known;
    const auto add = [&](const std::string& uuid) {
        if (known.insert(uuid).second) {
            runs.push_back(uuid);
        }
    };
    if (options.adds) {
        const std::vector<Baseline> baselines = store.baselines();
        if (const Baseline* const old = current(baselines, options.name)) {
            std::for_each(old->runs.begin(), old->runs.end(), add);
        }
    }
    const std::size_t held = runs.size();
    for (const std::string& reference : options.references) {
        const db::Selection selection = db::resolve(store, reference);
        for (const Run& run : store.load_runs(selection.runs)) {
            if (run.status.state == RunState::complete) {
                add(run.uuid);
            }
        }
    }
    if (options.adds && runs.size() == held) {
        throw UsageError(
            fmt::format("could not add to baseline {}: it holds these runs already", options.name),
            "kvprof baseline ls shows what it holds"
        );
    }
    if (runs.empty()) {
        throw UsageError(
            fmt::format("could not set baseline {}: no chosen run is complete", options.name),
            "kvprof show REF says what became of them"
        );
    }
    return runs;
}

std::int64_t revision_of(const db::Store& store, const std::string& name) {
    const std::vector<Baseline> baselines = store.baselines();
    const Baseline* const one = current(baselines, name);
    return one == nullptr ? 0 : one->revision;
}

ExitCode set_baseline(const BaselineOptions& options) {
    db::Store store(store_path_of(options.common), db::OpenMode::write);
    std::int64_t before = 0;
    std::int64_t revision = 0;
    std::vector<std::string> runs;
    // --add builds on the revision that it read: when another process set one meanwhile, once more.
    do {
        before = revision_of(store, options.name);
        runs = chosen_runs(store, options);
        revision = store.set_baseline(
            {.name = options.name,
             .revision = 0,
             .set_at = utc_now(),
             .author = options.author,
             .reason = options.reason,
             .runs = runs}
        );
    } while (options.adds && revision != before + 1);
    if (!options.common.is_quiet) {
        say(fmt::format(
            "baseline {}: revision {} with {} runs, by {}\n",
            options.name,
            revision,
            runs.size(),
            options.author
        ));
    }
    return ExitCode::done;
}

std::string list_text(const std::vector<Baseline>& baselines) {
    std::string text;
    for (const Baseline& one : baselines) {
        text += fmt::format(
            "{}  revision {}  {} runs  {}  {}: {}\n",
            one.name,
            one.revision,
            one.runs.size(),
            one.set_at,
            one.author,
            one.reason
        );
    }
    return text.empty() ? "no baseline is set\n" : text;
}

std::string list_json(const std::vector<Baseline>& baselines) {
    nlohmann::json json{{"schema", "kvprof.baselines/1"}, {"baselines", nlohmann::json::array()}};
    for (const Baseline& one : baselines) {
        json["baselines"].push_back(
            {{"name", one.name},
             {"revision", one.revision},
             {"set_at", one.set_at},
             {"author", one.author},
             {"reason", one.reason},
             {"runs", one.runs}}
        );
    }
    return json.dump(2, ' ', false, nlohmann::json::error_handler_t::replace) + "\n";
}

} // namespace

ExitCode run(const BaselineOptions& options) {
    switch (options.action) {
    case BaselineAction::set: return set_baseline(options);
    case BaselineAction::list: {
        Output output(options.common);
        const auto baselines =
            db::Store(store_path_of(options.common), db::OpenMode::read).baselines();
        output.write(
            options.common.format == Format::json ? list_json(baselines) : list_text(baselines)
        );
        return ExitCode::done;
    }
    case BaselineAction::remove:
        db::Store(store_path_of(options.common), db::OpenMode::write).remove_baseline(options.name);
        return ExitCode::done;
    }
    return ExitCode::internal;
}

} // namespace kvprof::cli

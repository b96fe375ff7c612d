#include "cli/merging.h"

#include "cli/messages.h"
#include "db/merge.h"

#include <fmt/format.h>

#include <string_view>

namespace kvprof::cli {

namespace {

std::string_view kind_word(db::MergeConflict::Kind kind) {
    switch (kind) {
    case db::MergeConflict::Kind::experiment: return "experiment";
    case db::MergeConflict::Kind::run: return "run";
    case db::MergeConflict::Kind::tag: return "tag";
    case db::MergeConflict::Kind::baseline: return "baseline";
    }
    return {};
}

std::string count_words(const db::MergeCount& count, std::string_view what) {
    return fmt::format("{} {} ({} known)", count.added, what, count.known);
}

void say_conflicts(const std::filesystem::path& source, const db::MergeResult& result) {
    for (const db::MergeConflict& conflict : result.conflicts) {
        say(fmt::format(
            "kvprof: {}: {} {} was left out: {}\n",
            source.string(),
            kind_word(conflict.kind),
            conflict.name,
            conflict.cause
        ));
    }
    if (!result.conflicts.empty()) {
        say("  hint: the store keeps what it had; another --db takes both\n");
    }
}

} // namespace

bool merge_into(
    const std::filesystem::path& path,
    const std::vector<std::filesystem::path>& sources,
    bool is_quiet
) {
    std::vector<db::Store> opened;
    for (const std::filesystem::path& source : sources) {
        opened.emplace_back(source, db::OpenMode::read); // all, before anything is added
    }
    db::Store store(path, db::OpenMode::create, db::kMergeLockWait);
    bool has_conflicts = false;
    for (const db::Store& source : opened) {
        const db::MergeResult result = db::merge(store, source);
        has_conflicts = has_conflicts || !result.conflicts.empty();
        if (!is_quiet) {
            say(fmt::format(
                "{}: added {}, {}, {}, {}\n",
                source.path().string(),
                count_words(result.experiments, "experiments"),
                count_words(result.runs, "runs"),
                count_words(result.tags, "tags"),
                count_words(result.baselines, "baselines")
            ));
        }
        if (!is_quiet && result.states_updated + result.events_added > 0) {
            say(fmt::format(
                "{}: {} experiments have ended since, {} runs got their timeline\n",
                source.path().string(),
                result.states_updated,
                result.events_added
            ));
        }
        say_conflicts(source.path(), result);
    }
    return !has_conflicts;
}

} // namespace kvprof::cli

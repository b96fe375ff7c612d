#include "db/reference_target.h"

#include "capture/model/error.h"
#include "capture/model/params.h"
#include "db/stored_name.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cctype>
#include <utility>

namespace kvprof::db {

namespace {

constexpr std::size_t kShortestPrefix = 6;

/// One thing that a word could name.
struct Candidate {
    std::string experiment;
    std::optional<std::string> run;
    std::string text; ///< for the list of an ambiguous reference
};

bool is_same_target(const Candidate& a, const Candidate& b) {
    return a.experiment == b.experiment && a.run == b.run;
}

std::optional<std::string> as_prefix(std::string_view word) {
    std::string prefix(word);
    for (char& letter : prefix) {
        letter = static_cast<char>(std::tolower(static_cast<unsigned char>(letter)));
    }
    const bool is_hex = prefix.find_first_not_of("0123456789abcdef") == std::string::npos;
    return is_hex && prefix.size() >= kShortestPrefix ? std::optional(prefix) : std::nullopt;
}

std::vector<Candidate> tagged(const Store& store, std::string_view name) {
    std::vector<Candidate> found;
    for (const Tag& tag : store.tags()) {
        if (tag.name == name) {
            found.push_back(
                {tag.experiment,
                 tag.run,
                 fmt::format("tag:{} (of {})", name, tag.run.value_or(tag.experiment))}
            );
        }
    }
    return found;
}

/// The newest experiment with the label: a label names a line of work, and its last state is meant.
std::vector<Candidate> labelled(const Store& store, std::string_view name) {
    for (const ExperimentSummary& experiment : store.list_experiments()) {
        if (!name.empty() && experiment.label == name) {
            return {
                {experiment.uuid,
                 std::nullopt,
                 fmt::format("label:{} (experiment {})", name, experiment.uuid)}};
        }
    }
    return {};
}

std::vector<Candidate> identified(const Store& store, std::string_view word) {
    const auto prefix = as_prefix(word);
    if (!prefix) {
        return {};
    }
    std::vector<Candidate> found;
    for (const StoredId& id : store.ids_starting_with(*prefix)) {
        found.push_back(
            {id.experiment,
             id.is_run ? std::optional(id.uuid) : std::nullopt,
             fmt::format("{} {} of {}", id.is_run ? "run" : "experiment", id.uuid, id.started_at)}
        );
    }
    return found;
}

std::vector<Candidate> candidates_of(const Store& store, std::string_view word) {
    const std::size_t colon = word.find(':');
    const std::string_view kind = word.substr(0, colon == std::string_view::npos ? 0 : colon);
    const std::string_view name = colon == std::string_view::npos ? word : word.substr(colon + 1);
    if (kind == "tag") {
        return tagged(store, name);
    }
    if (kind == "label") {
        return labelled(store, name);
    }
    if (kind == "id") {
        return identified(store, name);
    }
    std::vector<Candidate> found = tagged(store, word);
    for (auto& list : {labelled(store, word), identified(store, word)}) {
        for (const Candidate& candidate : list) {
            const bool is_known = std::any_of(found.begin(), found.end(), [&](const auto& other) {
                return is_same_target(candidate, other);
            });
            if (!is_known) {
                found.push_back(candidate);
            }
        }
    }
    return found;
}

/// Each once, sorted.
std::vector<std::string> baseline_names(const Store& store) {
    std::vector<std::string> names;
    for (const Baseline& baseline : store.baselines()) {
        if (names.empty() || names.back() != baseline.name) {
            names.push_back(baseline.name);
        }
    }
    return names;
}

[[noreturn]] void refuse_unknown(const Store& store, std::string_view word) {
    const std::vector<ExperimentSummary> experiments = store.list_experiments();
    if (experiments.empty()) {
        throw UsageError(
            fmt::format(
                "could not resolve \"{}\": the store {} holds no experiment",
                word,
                store.path().string()
            ),
            "measure one with: kvprof run"
        );
    }
    const std::vector<Tag> tags = store.tags();
    std::vector<std::string> names{std::string(kLatest)};
    for (const Tag& tag : tags) {
        names.push_back(tag.name);
    }
    for (const std::string& name : baseline_names(store)) {
        names.push_back(std::string(kBaselinePrefix) + name);
    }
    for (const ExperimentSummary& experiment : experiments) {
        if (!experiment.label.empty()) {
            names.push_back(experiment.label);
        }
    }
    const std::string_view near = nearest(word, {names.begin(), names.end()});
    const std::string suggestion = near.empty() ? "" : fmt::format("did you mean {}? ", near);
    throw UsageError(
        fmt::format(
            "could not resolve \"{}\": none of the {} experiments in {} has that tag, label or id "
            "({} hex digits at least)",
            word,
            experiments.size(),
            store.path().string(),
            kShortestPrefix
        ),
        suggestion + "list them with: kvprof ls"
    );
}

[[noreturn]] void refuse_ambiguous(std::string_view word, const std::vector<Candidate>& found) {
    std::string list;
    for (const Candidate& candidate : found) {
        list += fmt::format("\n  {}", candidate.text);
    }
    throw UsageError(
        fmt::format("could not resolve \"{}\": it could be any of{}", word, list),
        "write more digits of the id, or say which: tag:NAME, label:NAME, id:PREFIX"
    );
}

/// "@latest~2" of the newest-first list.
Candidate latest(const Store& store, std::string_view word) {
    std::size_t back = 0;
    if (word.size() > kLatest.size()) {
        const auto count = parse_count(word.substr(kLatest.size() + 1), word);
        back = count < 0 ? std::string::npos : static_cast<std::size_t>(count);
    }
    const std::vector<ExperimentSummary> experiments = store.list_experiments();
    if (experiments.empty()) {
        refuse_unknown(store, word);
    }
    if (back >= experiments.size()) {
        throw UsageError(
            fmt::format(
                "could not resolve \"{}\": the store {} holds {} experiments, the oldest is {}~{}",
                word,
                store.path().string(),
                experiments.size(),
                kLatest,
                experiments.size() - 1
            ),
            "list them with: kvprof ls"
        );
    }
    return {experiments[back].uuid, std::nullopt, {}};
}

[[noreturn]] void refuse_baseline(const Store& store, std::string_view name) {
    const std::vector<std::string> names = baseline_names(store);
    const std::string_view near = nearest(name, {names.begin(), names.end()});
    throw UsageError(
        fmt::format(
            "could not resolve \"{}{}\": the store {} has no baseline of that name",
            kBaselinePrefix,
            name,
            store.path().string()
        ),
        names.empty() ? "set one with: kvprof baseline set NAME REF"
                      : fmt::format(
                          "{}the baselines are: {}",
                          near.empty() ? "" : fmt::format("did you mean {}? ", near),
                          fmt::join(names, ", ")
                      )
    );
}

/// The runs of the current revision of "baseline/NAME"; nothing for a word that names no baseline.
std::optional<std::vector<std::string>> held_runs(const Store& store, std::string_view word) {
    if (!word.starts_with(kBaselinePrefix)) {
        return std::nullopt;
    }
    const std::string_view name = word.substr(kBaselinePrefix.size());
    for (const Baseline& baseline : store.baselines()) { // the newest revision is the first
        if (baseline.name == name) {
            return baseline.runs;
        }
    }
    if (candidates_of(store, word).empty()) { // a label may be so called, and an old store's tag
        refuse_baseline(store, name);
    }
    return std::nullopt;
}

} // namespace

ReferenceTarget find_target(const Store& store, std::string_view word) {
    if (word == kLatest || word.starts_with("@latest~")) {
        return {latest(store, word).experiment, std::nullopt, {}};
    }
    if (auto held = held_runs(store, word)) {
        return {{}, std::nullopt, *std::move(held)};
    }
    const std::vector<Candidate> found = candidates_of(store, word);
    if (found.empty()) {
        refuse_unknown(store, word);
    }
    if (found.size() > 1) {
        refuse_ambiguous(word, found);
    }
    return {found.front().experiment, found.front().run, {}};
}

} // namespace kvprof::db

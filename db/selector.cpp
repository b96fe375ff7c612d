#include "db/selector.h"

#include "capture/model/error.h"
#include "capture/model/params.h"
#include "db/variant_filter.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cctype>
#include <optional>
#include <set>
#include <system_error>
#include <utility>

namespace kvprof::db {

namespace {

constexpr std::size_t kShortestPrefix = 6;
constexpr std::string_view kLatest = "@latest";

/// One thing that a word could name.
struct Candidate {
    std::string kind; ///< "tag", "label" or "id"
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
                {"tag",
                 tag.experiment,
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
                {"label",
                 experiment.uuid,
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
            {"id",
             id.experiment,
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
    std::vector<std::string_view> names{kLatest};
    for (const Tag& tag : tags) {
        names.emplace_back(tag.name);
    }
    for (const ExperimentSummary& experiment : experiments) {
        if (!experiment.label.empty()) {
            names.emplace_back(experiment.label);
        }
    }
    const std::string_view near = nearest(word, names);
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
    return {"latest", experiments[back].uuid, std::nullopt, {}};
}

Candidate find(const Store& store, std::string_view word) {
    if (word == kLatest || word.starts_with("@latest~")) {
        return latest(store, word);
    }
    const std::vector<Candidate> found = candidates_of(store, word);
    if (found.empty()) {
        refuse_unknown(store, word);
    }
    if (found.size() > 1) {
        refuse_ambiguous(word, found);
    }
    return found.front();
}

std::vector<std::string> matching_runs(
    const Store& store, const std::vector<std::string>& uuids, const VariantReference& reference
) {
    const std::vector<Run> runs = store.load_runs(uuids);
    std::vector<std::string> matching;
    std::set<std::string> variants;
    for (const Run& run : runs) {
        variants.insert(run.variant);
        if (has_fields(run, reference.fields)) {
            matching.push_back(run.uuid);
        }
    }
    if (matching.empty()) {
        throw UsageError(
            fmt::format("could not resolve \"{}\": no run has these values", reference.text),
            fmt::format("{} has the variants: {}", reference.base, fmt::join(variants, "; "))
        );
    }
    return matching;
}

Selection resolve_split(const Store& store, const VariantReference& reference) {
    const Candidate target = find(store, reference.base);
    Selection selection{reference.text, store.path(), target.experiment, {}};
    if (target.run) {
        selection.runs = {*target.run};
    } else {
        for (const RunSummary& run : store.list_runs(target.experiment)) {
            selection.runs.push_back(run.uuid);
        }
    }
    if (!reference.fields.empty()) {
        selection.runs = matching_runs(store, selection.runs, reference);
    }
    return selection;
}

bool is_store_extension(const std::filesystem::path& path) {
    return path.extension() == ".db" || path.extension() == ".sqlite";
}

bool is_file(const std::string& word) {
    std::error_code ignored;
    const bool looks_like_path = is_store_extension(word) || word.find('/') != std::string::npos;
    return looks_like_path && std::filesystem::is_regular_file(word, ignored);
}

} // namespace

Selection resolve(const Store& store, std::string_view reference) {
    return resolve_split(store, split_reference(reference));
}

Selection select(const std::filesystem::path& default_store, std::string_view reference) {
    VariantReference split;
    if (is_file(std::string(reference))) {
        split.base = split.text = reference;
    } else {
        split = split_reference(reference);
    }
    if (is_file(split.base)) {
        const Store store(split.base, OpenMode::read);
        VariantReference newest = split;
        newest.base = kLatest;
        return resolve_split(store, newest);
    }
    const std::string_view base = split.base;
    const bool says_its_kind =
        base.starts_with("tag:") || base.starts_with("label:") || base.starts_with("id:");
    if (is_store_extension(base) && !says_its_kind) {
        throw UsageError(
            fmt::format("could not resolve \"{}\": there is no file of that name", split.base),
            "list what is stored with: kvprof ls"
        );
    }
    std::error_code ignored; // what can not be looked at is named by opening it
    if (std::filesystem::status(default_store, ignored).type()
        == std::filesystem::file_type::not_found) {
        throw UsageError(
            fmt::format(
                "could not resolve \"{}\": there is no store at {} yet",
                reference,
                default_store.string()
            ),
            "measure something with: kvprof run; or name another store with --db"
        );
    }
    return resolve_split(Store(default_store, OpenMode::read), split);
}

std::vector<Run> load_runs(const Selection& selection) {
    return Store(selection.store, OpenMode::read).load_runs(selection.runs);
}

} // namespace kvprof::db

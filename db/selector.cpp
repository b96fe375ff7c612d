#include "db/selector.h"

#include "capture/model/error.h"
#include "db/reference_target.h"
#include "db/stored_name.h"
#include "db/variant_filter.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <set>
#include <system_error>
#include <utility>

namespace kvprof::db {

namespace {

/// Of all these runs; empty when they are of several.
std::string experiment_of(const Store& store, const std::vector<std::string>& runs) {
    std::set<std::string> experiments;
    for (const std::string& run : runs) {
        experiments.insert(store.experiment_of(run));
    }
    return experiments.size() == 1 ? *experiments.begin() : std::string();
}

void require_sides(const std::vector<Run>& runs, const VariantReference& reference) {
    const auto& fields = reference.fields;
    const bool asks = std::any_of(fields.begin(), fields.end(), [](const Param& field) {
        return field.name == kSideField;
    });
    const bool has_some =
        std::any_of(runs.begin(), runs.end(), [](const Run& run) { return run.ab.has_value(); });
    if (asks && !has_some && !runs.empty()) {
        throw UsageError(
            fmt::format(
                "could not resolve \"{}\": {} is no A/B experiment: its runs stand on no side",
                reference.text,
                reference.base
            ),
            "choose its runs by another field; an A/B experiment is made by: kvprof run --ab"
        );
    }
}

std::vector<std::string> matching_runs(
    const Store& store, const std::vector<std::string>& uuids, const VariantReference& reference
) {
    const std::vector<Run> runs = store.load_runs(uuids);
    require_sides(runs, reference);
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

/// All runs that the reference's base names.
Selection base_selection(const Store& store, const VariantReference& reference) {
    ReferenceTarget target = find_target(store, reference.base);
    Selection selection{reference.text, store.path(), target.experiment, std::move(target.held)};
    if (target.run) {
        selection.runs = {*target.run};
    } else if (!target.experiment.empty()) {
        for (const RunSummary& run : store.list_runs(target.experiment)) {
            selection.runs.push_back(run.uuid);
        }
    }
    return selection;
}

Selection resolve_split(const Store& store, const VariantReference& reference) {
    Selection selection = base_selection(store, reference);
    if (!reference.fields.empty()) {
        selection.runs = matching_runs(store, selection.runs, reference);
    }
    if (selection.experiment.empty()) {
        selection.experiment = experiment_of(store, selection.runs);
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

/// What a file stands for: its newest experiment that is no calibration, for calibrations come
/// along with what they judge.
std::string newest_of(const Store& store) {
    for (const ExperimentSummary& experiment : store.list_experiments()) {
        if (experiment.kind != ExperimentKind::calibration) {
            return "id:" + experiment.uuid;
        }
    }
    return std::string(kLatest);
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
        newest.base = newest_of(store);
        return resolve_split(store, newest);
    }
    const std::string_view base = split.base;
    const bool says_its_kind = base.starts_with("tag:") || base.starts_with("label:")
                               || base.starts_with("id:") || base.starts_with(kBaselinePrefix);
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

} // namespace kvprof::db

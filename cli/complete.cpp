#include "cli/complete.h"

#include "capture/model/plain_text.h"
#include "cli/stores.h"
#include "db/store.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <exception>
#include <filesystem>
#include <set>
#include <string_view>

namespace kvprof::cli {

namespace {

constexpr std::size_t kMostIds = 50;
constexpr std::size_t kIdDigits = 8;
constexpr std::chrono::milliseconds kLockWait{200}; // somebody waits for the word

/// Words in their order, each once. What an older store or another program put into a name can not
/// stand on a line, and is left out.
class Words {
  public:
    void add(const std::string& word, const std::string& what) {
        if (!word.empty() && is_plain_text(word) && seen_.insert(word).second) {
            text_ += fmt::format("{}\t{}\n", word, what);
        }
    }

    [[nodiscard]] const std::string& text() const { return text_; }

  private:
    std::set<std::string> seen_;
    std::string text_;
};

/// Whether the name alone could be read as another kind of reference.
bool is_ambiguous(std::string_view name) {
    constexpr std::size_t kFewestDigits = 6;
    const bool is_hex = name.size() >= kFewestDigits
                        && name.find_first_not_of("0123456789abcdefABCDEF") == name.npos;
    return is_hex || name.starts_with('@') || name.find_first_of(":/") != name.npos
           || name.ends_with(".db") || name.ends_with(".sqlite");
}

std::string described(const db::ExperimentSummary& experiment) {
    return fmt::format(
        "{} of {}, {} runs", to_string(experiment.kind), experiment.started_at, experiment.runs
    );
}

void add_baselines(Words& words, const db::Store& store, std::string_view prefix) {
    for (const db::Baseline& baseline : store.baselines()) {
        words.add(
            fmt::format("{}{}", prefix, baseline.name),
            fmt::format("baseline of {}, {} runs", baseline.set_at, baseline.runs.size())
        );
    }
}

void add_references(Words& words, const db::Store& store) {
    const std::vector<db::ExperimentSummary> experiments = store.list_experiments();
    for (std::size_t i = 0; i < std::min<std::size_t>(experiments.size(), 2); ++i) {
        words.add(i == 0 ? "@latest" : fmt::format("@latest~{}", i), described(experiments[i]));
    }
    const std::vector<db::Tag> tags = store.tags();
    std::set<std::string> labels;
    for (const db::ExperimentSummary& experiment : experiments) {
        labels.insert(experiment.label);
    }
    std::set<std::string> tagged;
    for (const db::Tag& tag : tags) {
        tagged.insert(tag.name);
        const bool needs_kind = labels.contains(tag.name) || is_ambiguous(tag.name);
        words.add(
            (needs_kind ? "tag:" : "") + tag.name,
            fmt::format("tag of {}", tag.run.value_or(tag.experiment).substr(0, kIdDigits))
        );
    }
    add_baselines(words, store, "baseline/");
    for (const db::ExperimentSummary& experiment : experiments) {
        if (!experiment.label.empty()) {
            const bool needs_kind =
                tagged.contains(experiment.label) || is_ambiguous(experiment.label);
            words.add((needs_kind ? "label:" : "") + experiment.label, described(experiment));
        }
    }
    for (std::size_t i = 0; i < std::min(experiments.size(), kMostIds); ++i) {
        words.add(experiments[i].uuid.substr(0, kIdDigits), described(experiments[i]));
    }
}

} // namespace

std::string completed_words(const CommonOptions& common, Completed what) noexcept {
    try {
        const std::filesystem::path path = store_path_of(common);
        if (!std::filesystem::exists(path)) {
            return {};
        }
        const db::Store store(path, db::OpenMode::read, kLockWait);
        Words words;
        if (what == Completed::references) {
            add_references(words, store);
        } else {
            add_baselines(words, store, "");
        }
        return words.text();
    } catch (const std::exception&) {
        return {}; // a shell that completes a word has no place for a message
    }
}

} // namespace kvprof::cli

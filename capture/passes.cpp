#include "capture/passes.h"

#include "capture/model/error.h"
#include "capture/model/params.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <string_view>

namespace kvprof {

namespace {

constexpr std::string_view kAuto = "auto";
constexpr std::string_view kAll = "all";

std::vector<Pass> offered_by(ExecutorKind executor) {
    switch (executor) {
    case ExecutorKind::cuda:
        return {Pass::timing, Pass::counts, Pass::graph, Pass::nodes, Pass::memory};
    case ExecutorKind::host:
    case ExecutorKind::automatic: return {Pass::timing, Pass::nodes};
    case ExecutorKind::scripted: break;
    }
    return {Pass::timing};
}

std::vector<std::string_view> words_of(std::string_view text) {
    std::vector<std::string_view> words;
    while (true) {
        const std::size_t end = text.find('+');
        words.push_back(text.substr(0, end));
        if (end == std::string_view::npos) {
            return words;
        }
        text.remove_prefix(end + 1);
    }
}

Pass pass_named(std::string_view word) {
    if (const auto pass = parse_enum<Pass>(word)) {
        return *pass;
    }
    if (word == kAll || word == kAuto) {
        throw UsageError(fmt::format("could not plan the passes: {} stands alone", word));
    }
    if (word.find(',') != std::string_view::npos) {
        throw UsageError(
            fmt::format("could not plan the passes: \"{}\" is no pass", word),
            "join passes with +, as in timing+nodes"
        );
    }
    std::vector<std::string_view> choices = choices_of<Pass>();
    choices.insert(choices.end(), {kAll, kAuto});
    refuse_choice("passes", word, choices);
}

} // namespace

std::string canonical_passes(const MeasureSpec& how) {
    if (how.passes == kAuto || how.passes == kAll) {
        return how.passes;
    }
    std::vector<std::string_view> names;
    for (const Pass pass : passes_of(how, 0)) {
        names.push_back(to_string(pass));
    }
    return fmt::format("{}", fmt::join(names, "+"));
}

bool names_passes(const MeasureSpec& how) {
    return how.passes != kAuto;
}

std::vector<Pass> passes_of(const MeasureSpec& how, std::int64_t repeat) {
    const std::vector<Pass> offered = offered_by(how.executor);
    if (how.passes == kAll) {
        return offered;
    }
    if (how.passes == kAuto) {
        return repeat == 0 ? offered : std::vector{Pass::timing};
    }
    std::vector<Pass> passes{Pass::timing};
    for (const std::string_view word : words_of(how.passes)) {
        const Pass pass = pass_named(word);
        if (std::find(offered.begin(), offered.end(), pass) == offered.end()) {
            std::vector<std::string_view> names;
            for (const Pass one : offered) {
                names.push_back(to_string(one));
            }
            throw UsageError(
                fmt::format(
                    "could not plan the passes: the {} executor has no {} pass",
                    to_string(how.executor),
                    word
                ),
                fmt::format("it has {}", fmt::join(names, ", "))
            );
        }
        passes.push_back(pass);
    }
    std::sort(passes.begin(), passes.end());
    passes.erase(std::unique(passes.begin(), passes.end()), passes.end());
    return passes;
}

} // namespace kvprof

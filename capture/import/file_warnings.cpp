#include "capture/import/file_warnings.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <string_view>
#include <utility>

namespace kvprof::import {

namespace {

using Warnings = std::map<std::string, ProfileWarning, std::less<>>;

/// Of kernel time. Programmatic dependent launch lets the next kernel start a little early (0.7 %
/// at most in real decode loops); a broken end covers far more.
constexpr std::int64_t kOverlapPercent = 5;
constexpr std::int64_t kMissingPercent = 5;
/// The edges of a capture cut some launches from their kernels: fewer are no sign.
constexpr std::int64_t kMissingAtLeast = 10;

void add(Warnings& to, std::string_view word, std::int64_t count, std::string text) {
    const auto [found, is_new] = to.try_emplace(std::string(word));
    if (is_new) {
        found->second = {.word = std::string(word), .count = 0, .text = std::move(text)};
    }
    found->second.count += count;
}

std::string rejected_text(std::string_view reason) {
    if (reason == "non-finite-time") {
        return "events whose time is no number were left out";
    }
    if (reason == "negative-duration") {
        return "events that end before they start were left out";
    }
    if (reason == "absurd-duration") {
        return "events of more than 7 days were left out";
    }
    if (reason == "rejected-events") {
        return "events without a readable time were left out";
    }
    return fmt::format("events were left out: {}", reason);
}

/// Over all ranks of the file.
RankTotals summed(const std::vector<RankTotals>& ranks) {
    RankTotals all;
    for (const RankTotals& rank : ranks) {
        all.kernels.count += rank.kernels.count;
        all.kernels.sum = sum_of(all.kernels.sum, rank.kernels.sum);
        all.overlaps.count += rank.overlaps.count;
        all.overlaps.sum = sum_of(all.overlaps.sum, rank.overlaps.sum);
        all.replays.count += rank.replays.count;
        all.untimed_kernels += rank.untimed_kernels;
        all.untimed_copies += rank.untimed_copies;
        all.untimed_replays += rank.untimed_replays;
        all.lost_orphans += rank.lost_orphans;
        all.calls.count += rank.calls.count;
        all.launches += rank.launches;
        all.launches_without_kernel += rank.launches_without_kernel;
        all.graphs_without_kernels += rank.graphs_without_kernels;
    }
    return all;
}

void add_times(Warnings& to, const RankTotals& of) {
    if (const std::int64_t untimed = of.untimed_kernels + of.untimed_copies; untimed > 0) {
        add(to,
            "kernels-without-timestamp",
            untimed,
            "kernels, copies or fills have no timestamp: they count as work without time");
    }
    const std::int64_t share = of.kernels.sum / 100 * kOverlapPercent;
    if (of.overlaps.count > 0 && of.overlaps.sum > share) {
        add(to,
            "same-stream-overlap",
            of.overlaps.count,
            fmt::format(
                "kernels start while another of their stream runs, for {} ns of {} ns of kernel "
                "time: some end too late, and the sum is too large",
                of.overlaps.sum,
                of.kernels.sum
            ));
    }
}

void add_graphs(Warnings& to, const RankTotals& of) {
    if (const std::int64_t replays = of.replays.count + of.untimed_replays; replays > 0) {
        add(to,
            "graph-level-trace",
            replays,
            "graphs were recorded as whole replays: the kernels in them are unknown, and kernel "
            "counts and times are of what ran outside");
    }
    if (of.untimed_replays > 0) {
        add(to,
            "graph-without-timestamp",
            of.untimed_replays,
            "replays of graphs have no timestamp: they are in no time");
    }
    if (of.graphs_without_kernels > 0) {
        add(to,
            "graph-without-kernels",
            of.graphs_without_kernels,
            "graphs were launched of which no work was recorded");
    }
}

void add_launches(Warnings& to, const RankTotals& of) {
    if (of.lost_orphans > 0 && of.calls.count > 0) {
        add(to,
            "orphan-kernels",
            of.lost_orphans,
            "kernels were launched by calls that the file does not have: they are in kernel time, "
            "and in no step");
    }
    const std::int64_t missing = of.launches_without_kernel;
    if (missing >= kMissingAtLeast && missing * 100 > of.launches * kMissingPercent) {
        add(to,
            "launches-without-kernels",
            missing,
            fmt::format(
                "of {} launches, these ran no kernel in the file: it was cut, lost records, or a "
                "graph was captured in it; launch counts are not comparable",
                of.launches
            ));
    }
}

} // namespace

std::vector<ProfileWarning> file_warnings(const Recorded& recorded, const Figures& figures) {
    Warnings all = recorded.warnings;
    for (const auto& [reason, count] : recorded.rejected) {
        add(all, reason, count, rejected_text(reason));
    }
    const RankTotals totals = summed(figures.totals());
    const bool has_foreign_events = recorded.warnings.contains("begin-end-events");
    if (recorded.lanes.size() == 0 && recorded.annotations.empty() && recorded.rejected.empty()
        && !has_foreign_events) {
        add(all, "no-events", 1, "the file holds no kernel, no call and no operator");
    } else if (recorded.gpu.size() == 0) {
        add(all, "no-gpu-activity", 1, "no GPU work was recorded: figures are of the host alone");
    } else {
        add_graphs(all, totals);
        add_launches(all, totals);
    }
    add_times(all, totals);
    std::vector<ProfileWarning> list;
    for (auto& [word, warning] : all) {
        list.push_back(std::move(warning));
    }
    return list;
}

} // namespace kvprof::import

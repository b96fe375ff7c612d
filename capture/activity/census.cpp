#include "capture/activity/census.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <map>
#include <string_view>
#include <utility>

namespace kvprof::activity {

namespace {

/// Spreads every bit over the word, so that sums of mixed values tell multisets apart
/// (the finaliser of SplitMix64).
std::uint64_t mix(std::uint64_t value) {
    value += 0x9e3779b97f4a7c15U;
    value = (value ^ (value >> 30U)) * 0xbf58476d1ce4e5b9U;
    value = (value ^ (value >> 27U)) * 0x94d049bb133111ebU;
    return value ^ (value >> 31U);
}

} // namespace

Census::Census(const Recording& recording, const Attribution& attribution, std::int64_t steps)
    : recording_(recording),
      attribution_(attribution),
      has_record_(attribution.launches().size()),
      is_seen_(static_cast<std::size_t>(steps)) {
    for (const Shape& shape : recording.shapes) {
        hash_of_shape_.push_back(mix(std::hash<std::string_view>{}(shape.name)));
    }
    replay_of_launch_.resize(attribution.launches().size(), kNoIndex);
    for (std::size_t launch = 0; launch < replay_of_launch_.size(); ++launch) {
        if (attribution.is_replay(launch)) {
            replay_of_launch_[launch] = static_cast<std::uint32_t>(replays_.size());
            replays_.push_back({.step = attribution.step_of(launch)});
        }
    }
    evidence_.dropped = recording.dropped;
    evidence_.nodes_cross_checked = recording.nodes_cross_checked;
    evidence_.steps = steps;
}

void Census::add(const Record& record, const Attributed& attributed) {
    if (!is_timed(record)) {
        ++evidence_.untimed;
    }
    if (attributed.launch != kNoIndex) {
        has_record_[attributed.launch] = 1;
        const std::uint32_t replay = replay_of_launch_[attributed.launch];
        if (replay != kNoIndex && record.node != 0) {
            add_node(replays_[replay], record);
        }
    }
    switch (attributed.origin) {
    case Origin::node: ++evidence_.by_node; break;
    case Origin::launch: ++evidence_.by_launch; break;
    case Origin::outside: return;
    case Origin::unknown_op:
        if (evidence_.unattributed++ == 0) {
            first_unknown_ = record;
        }
        break;
    case Origin::unknown_call:
        if (evidence_.orphans++ == 0) {
            first_orphan_ = record;
        }
        return;
    }
    ++evidence_.records;
    is_seen_[attributed.step] = 1;
}

void Census::add_node(Replay& replay, const Record& record) {
    const auto executable = static_cast<std::uint32_t>(record.node >> 32U);
    replay.has_several |= replay.executable != 0 && replay.executable != executable;
    replay.executable = executable;
    replay.work += mix(record.node ^ hash_of_shape_[record.shape]);
    switch (recording_.shapes[record.shape].kind) {
    case ActivityKind::kernel: ++replay.kernels; break;
    case ActivityKind::memory_copy: ++replay.memory_copies; break;
    case ActivityKind::memory_set: ++replay.memory_sets; break;
    }
}

PassResult Census::evidence() const {
    return evidence_;
}

const Executable* Census::executable_of(const Replay& replay) const {
    const auto found =
        std::ranges::find(recording_.executables, replay.executable, &Executable::id);
    return found == recording_.executables.end() ? nullptr : &*found;
}

bool Census::has_all_nodes(const Replay& replay) const {
    const Executable* executable = executable_of(replay);
    // A fill may be recorded as the kernel that does it.
    return executable != nullptr && !replay.has_several
           && replay.memory_copies == executable->memory_copies
           && replay.kernels + replay.memory_sets == executable->kernels + executable->memory_sets;
}

std::string Census::describe(const Replay& replay) const {
    if (replay.executable == 0) {
        return "nothing recorded";
    }
    const Executable* executable = executable_of(replay);
    if (replay.has_several || executable == nullptr) {
        return fmt::format(
            "nodes of {}", replay.has_several ? "several graphs" : "a graph that is unknown"
        );
    }
    return fmt::format(
        "{} kernels, {} copies and {} fills of {}, {} and {}",
        replay.kernels,
        replay.memory_copies,
        replay.memory_sets,
        executable->kernels,
        executable->memory_copies,
        executable->memory_sets
    );
}

std::optional<std::string> Census::wrong_replays() const {
    const auto is_wrong = [this](const Replay& replay) { return !has_all_nodes(replay); };
    const auto first = std::ranges::find_if(replays_, is_wrong);
    if (first == replays_.end()) {
        return std::nullopt;
    }
    return fmt::format(
        "{} of {} replays did not record the nodes of their graph, the first in step {}: {}",
        std::count_if(first, replays_.end(), is_wrong),
        replays_.size(),
        first->step,
        describe(*first)
    );
}

std::optional<std::string> Census::differing_replays() const {
    std::map<std::uint32_t, const Replay*> first_of;
    std::int64_t differing = 0;
    std::string first_text;
    for (const Replay& replay : replays_) {
        if (!has_all_nodes(replay)) {
            continue; // said by wrong_replays()
        }
        const Replay& first = *first_of.try_emplace(replay.executable, &replay).first->second;
        if (replay.work != first.work && differing++ == 0) {
            first_text = fmt::format("that of step {} than that of {}", replay.step, first.step);
        }
    }
    if (differing == 0) {
        return std::nullopt;
    }
    return fmt::format(
        "{} of {} replays ran other kernels than the first of their graph: {}",
        differing,
        replays_.size(),
        first_text
    );
}

std::optional<std::string> Census::silent_launches() const {
    std::int64_t expected = 0;
    std::int64_t silent = 0;
    std::size_t first = 0;
    for (std::size_t launch = 0; launch < has_record_.size(); ++launch) {
        if (attribution_.step_of(launch) == kNoIndex || attribution_.is_replay(launch)) {
            continue;
        }
        ++expected;
        if (has_record_[launch] == 0 && silent++ == 0) {
            first = launch;
        }
    }
    if (silent == 0) {
        return std::nullopt;
    }
    return fmt::format(
        "{} of {} launches outside graphs have no record, the first in step {} (correlation {})",
        silent,
        expected,
        attribution_.step_of(first),
        attribution_.launches()[first].correlation
    );
}

std::optional<std::string> Census::empty_steps() const {
    const auto first = std::ranges::find(is_seen_, 0);
    if (first == is_seen_.end()) {
        return std::nullopt;
    }
    return fmt::format(
        "{} of {} steps have no record, the first is step {}",
        std::count(first, is_seen_.end(), 0),
        is_seen_.size(),
        first - is_seen_.begin()
    );
}

std::optional<std::string> Census::repeated_correlation() const {
    const std::vector<Launch>& launches = attribution_.launches();
    const auto first = std::ranges::adjacent_find(launches, {}, &Launch::correlation);
    if (first == launches.end()) {
        return std::nullopt;
    }
    return fmt::format("correlation {} names more than one launch", first->correlation);
}

std::vector<Condition> Census::conditions() const {
    std::vector<Condition> all;
    check_loss(recording_, evidence_, all);
    const auto mismatch = [&all](std::optional<std::string> what) {
        if (what) {
            all.push_back({ConditionKind::census_mismatch, *std::move(what)});
        }
    };
    if (evidence_.orphans > 0) {
        mismatch(fmt::format(
            "{} records of no known launch, the first of correlation {} and node {:#x}",
            evidence_.orphans,
            first_orphan_.correlation,
            first_orphan_.node
        ));
    }
    if (evidence_.unattributed > 0) {
        mismatch(fmt::format(
            "{} records of steps belong to no known op, the first of correlation {} and node {:#x}",
            evidence_.unattributed,
            first_unknown_.correlation,
            first_unknown_.node
        ));
    }
    mismatch(wrong_replays());
    mismatch(silent_launches());
    mismatch(empty_steps());
    mismatch(repeated_correlation());
    if (std::optional<std::string> what = differing_replays()) {
        all.push_back({ConditionKind::kernel_set_differs, *std::move(what)});
    }
    return all;
}

void check_loss(
    const Recording& recording, const PassResult& evidence, std::vector<Condition>& conditions
) {
    const std::size_t kept = recording.records.size() + recording.spans.size();
    if (recording.dropped > 0) {
        std::string what = fmt::format("{} records were lost and {} kept", recording.dropped, kept);
        if (recording.refused_buffers > 0) { // else CUPTI's own ran out
            what +=
                fmt::format(": kvprof had no buffer to lend {} times", recording.refused_buffers);
        }
        conditions.push_back({ConditionKind::dropped_records, std::move(what)});
    }
    if (recording.unknown_kinds > 0) {
        conditions.push_back(
            {ConditionKind::dropped_records,
             fmt::format(
                 "{} records are of a kind that this program can not read", recording.unknown_kinds
             )}
        );
    }
    if (evidence.untimed > 0) {
        conditions.push_back(
            {ConditionKind::untimed_records,
             fmt::format(
                 "{} of {} records have no start, no end, or an end before the start",
                 evidence.untimed,
                 kept
             )}
        );
    }
}

} // namespace kvprof::activity

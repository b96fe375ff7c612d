#include "capture/activity/attribution.h"

#include <algorithm>

namespace kvprof::activity {

namespace {

std::uint32_t recorded_step(const Launch& launch, const StepsRun& how) {
    const bool is_of_a_step = launch.tag.role == Role::op || launch.tag.role == Role::replay;
    const std::int64_t step = launch.step - how.first_step;
    const bool is_recorded = launch.step >= 0 && step >= 0 && step < how.steps;
    return is_of_a_step && is_recorded ? static_cast<std::uint32_t>(step) : kNoIndex;
}

} // namespace

Attribution::Attribution(const Recording& recording, const StepsRun& how)
    : node_tags_(recording.node_tags),
      launches_(recording.launches) {
    std::ranges::stable_sort(launches_, {}, &Launch::correlation);
    step_of_.reserve(launches_.size());
    for (const Launch& launch : launches_) {
        step_of_.push_back(recorded_step(launch, how));
    }
    const std::size_t known = std::min(recording.executables.size(), node_tags_.size());
    for (std::size_t index = 0; index < known; ++index) {
        index_of_executable_.emplace(
            recording.executables[index].id, static_cast<std::uint32_t>(index)
        );
    }
}

std::uint32_t Attribution::find_launch(std::uint32_t correlation) {
    const auto matches = [&](std::size_t launch) {
        return launch < launches_.size() && launches_[launch].correlation == correlation;
    };
    if (matches(last_launch_)) {
        return last_launch_;
    }
    if (matches(std::size_t{last_launch_} + 1)) {
        return ++last_launch_;
    }
    const auto found = std::ranges::lower_bound(launches_, correlation, {}, &Launch::correlation);
    const auto launch = static_cast<std::uint32_t>(found - launches_.begin());
    if (!matches(launch)) {
        return kNoIndex;
    }
    last_launch_ = launch;
    return launch;
}

const Tag* Attribution::find_tag(std::uint64_t node) {
    const auto executable = static_cast<std::uint32_t>(node >> 32U);
    const auto index = static_cast<std::uint32_t>(node);
    if (executable != last_executable_) {
        const auto found = index_of_executable_.find(executable);
        last_executable_ = executable;
        last_executable_index_ = found == index_of_executable_.end() ? kNoIndex : found->second;
    }
    if (last_executable_index_ == kNoIndex) {
        return nullptr;
    }
    const std::vector<Tag>& tags = node_tags_[last_executable_index_];
    return index < tags.size() ? &tags[index] : nullptr;
}

Attributed Attribution::of(const Record& record) {
    Attributed result{.launch = find_launch(record.correlation)};
    if (result.launch == kNoIndex) {
        return result;
    }
    const Launch& launch = launches_[result.launch];
    const bool is_replay = launch.kind == ApiKind::graph_launch;
    if (record.node != 0 && !is_replay) {
        return {}; // what the correlation names did not launch it
    }
    result.step = step_of_[result.launch];
    if (result.step == kNoIndex) {
        result.origin = Origin::outside;
        return result;
    }
    const Tag* tag = record.node != 0 ? find_tag(record.node) : &launch.tag;
    if (tag != nullptr && tag->role == Role::op && is_replay == (record.node != 0)) {
        result.origin = record.node != 0 ? Origin::node : Origin::launch;
        result.op = op_slot(tag->op, tag->placement);
    } else if (tag != nullptr && tag->role == Role::between_steps) {
        result.origin = Origin::outside;
    } else {
        result.origin = Origin::unknown_op;
    }
    return result;
}

Tag Attribution::tag_of(const Record& record, const Attributed& attributed) {
    if (attributed.origin == Origin::launch) {
        return launches_[attributed.launch].tag;
    }
    const Tag* tag = find_tag(record.node);
    return tag == nullptr ? Tag{} : *tag;
}

} // namespace kvprof::activity

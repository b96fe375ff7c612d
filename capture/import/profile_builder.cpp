#include "capture/import/profile_builder.h"

#include "capture/import/figures.h"
#include "capture/import/file_warnings.h"
#include "capture/import/kernel_table.h"
#include "capture/import/neighbours.h"
#include "capture/import/records.h"
#include "capture/import/step_names.h"
#include "capture/import/steps.h"

#include <algorithm>
#include <utility>

namespace kvprof::import {

struct ProfileBuilder::Records : Recorded {};

ProfileBuilder::ProfileBuilder(ReadOptions options)
    : records_(std::make_unique<Records>()) {
    records_->options = std::move(options);
}

ProfileBuilder::~ProfileBuilder() = default;
ProfileBuilder::ProfileBuilder(ProfileBuilder&&) noexcept = default;
ProfileBuilder& ProfileBuilder::operator=(ProfileBuilder&&) noexcept = default;

Names& ProfileBuilder::names() noexcept {
    return records_->names;
}

void ProfileBuilder::add(const TraceEvent& event) {
    Recorded& to = *records_;
    if (event.kind == EventKind::annotation) {
        ++to.ranges;
        if (event.has_time && step_pattern_of(to.names.text(event.name), to.options)) {
            const std::int64_t end = sum_of(event.start_ns, event.duration_ns);
            to.annotations.push_back({event.name, event.process, event.start_ns, end});
        }
        return;
    }
    const bool is_on_host = event.kind == EventKind::api || event.kind == EventKind::cpu_op;
    const std::uint32_t lane = to.lanes.id_of(
        {.kind = event.kind,
         .has_time = event.has_time,
         .process = event.process,
         .place = is_on_host ? event.thread : event.device,
         .stream = is_on_host ? 0 : event.stream}
    );
    const std::uint32_t duration =
        to.durations.key_of(static_cast<std::uint64_t>(std::max<std::int64_t>(event.duration_ns, 0))
        );
    if (event.kind == EventKind::cpu_op) {
        to.ops.push_back({event.start_ns, duration, lane});
        return;
    }
    const std::uint32_t correlation =
        event.correlation ? to.correlations.key_of(*event.correlation) : WideValues::kNone;
    if (event.kind == EventKind::api) {
        to.calls.push_back({event.start_ns, duration, lane, event.name, correlation});
        return;
    }
    const std::uint64_t node = to.options.keep_events > 0 ? event.graph_node : 0;
    const std::uint32_t shape = to.shapes.id_of(event.shape);
    const std::uint32_t work = to.works.id_of({event.kind, event.name, shape, node});
    to.gpu.push_back({event.start_ns, duration, lane, work, correlation});
}

void ProfileBuilder::add_other_range() {
    ++records_->ranges;
}

void ProfileBuilder::reject(std::string_view reason) {
    const auto found = records_->rejected.find(reason);
    if (found == records_->rejected.end()) {
        records_->rejected.emplace(reason, 1);
    } else {
        ++found->second;
    }
}

void ProfileBuilder::warn(std::string_view word, std::string text, std::int64_t count) {
    const auto [found, is_new] = records_->warnings.try_emplace(std::string(word));
    ProfileWarning& warning = found->second;
    if (is_new) {
        warning = {.word = std::string(word), .count = 0, .text = std::move(text)};
    }
    warning.count += count;
}

void ProfileBuilder::set_rank(std::string rank) {
    records_->rank = std::move(rank);
}

void ProfileBuilder::set_rank_of(std::uint32_t process, std::string rank) {
    records_->rank_of[process] = std::move(rank);
}

void ProfileBuilder::set_gpu(std::string name) {
    records_->gpu_name = std::move(name);
}

void ProfileBuilder::set_source(ProfileSource source, std::string writer) {
    records_->source = source;
    records_->writer = std::move(writer);
}

void ProfileBuilder::set_capability(std::string_view name, Capability state) {
    records_->capabilities.insert_or_assign(std::string(name), state);
}

void ProfileBuilder::set_partial() {
    records_->is_partial = true;
}

namespace {

ProfileRank make_rank(
    const Recorded& recorded,
    const Figures& figures,
    const Steps& steps,
    std::size_t at,
    const std::string& file
) {
    ProfileRank rank;
    rank.rank = figures.ranks().names()[at];
    rank.file = file;
    rank.gpu = recorded.gpu_name;
    rank.figures = figures.of_rank(at);
    rank.steps = steps.of_rank(at);
    if (!steps.found().ranges.empty()) {
        rank.figures.push_back({"steps.count", static_cast<std::int64_t>(rank.steps.size())});
    }
    if (steps.skipped(at) > 0) {
        rank.figures.push_back({"steps.skipped", steps.skipped(at)});
    }
    if (steps.found().graph_launches) {
        rank.figures.push_back({"steps.graph_launches", *steps.found().graph_launches});
    }
    return rank;
}

} // namespace

FileProfile ProfileBuilder::finish(std::string file_name) {
    Recorded& recorded = *records_;
    FileProfile file;
    Figures figures(recorded);
    Steps steps(recorded, figures);
    Profile& profile = file.profile;
    profile.source = recorded.source;
    profile.writer = recorded.writer;
    profile.step_rule = steps.found().rule;
    profile.is_partial = recorded.is_partial;
    for (std::size_t rank = 0; rank < figures.totals().size(); ++rank) {
        profile.ranks.push_back(make_rank(recorded, figures, steps, rank, file_name));
    }
    for (const auto& [name, state] : recorded.capabilities) {
        profile.capabilities.push_back({name, state});
    }
    file.ranges = recorded.ranges;
    profile.warnings = file_warnings(recorded, figures);
    KernelTable kernels = kernel_table(recorded, figures);
    file.events = steps.kept_events(kernels);
    profile.neighbours = neighbours_of(recorded, figures.ranks(), kernels);
    file.kernels = std::move(kernels.kernels);
    file.calls = call_table(recorded, figures.calls());
    return file;
}

} // namespace kvprof::import

#include "capture/host/host_recorder.h"

#include <utility>

namespace kvprof::host {

std::uint32_t HostRecorder::shape_of(ActivityKind kind, std::string_view name) {
    const auto [known, is_new] =
        shapes_.emplace(name, static_cast<std::uint32_t>(recording_.shapes.size()));
    if (is_new) {
        activity::Shape shape;
        shape.kind = kind;
        shape.copy =
            kind == ActivityKind::memory_copy ? CopyKind::device_to_device : CopyKind::none;
        shape.name = name;
        recording_.shapes.push_back(std::move(shape));
    }
    return known->second;
}

void HostRecorder::command(
    const activity::Scope& scope,
    ActivityKind kind,
    std::string_view name,
    Clock::time_point start,
    Clock::time_point end
) {
    const auto correlation = static_cast<std::uint32_t>(recording_.launches.size() + 1);
    const bool is_copy = kind == ActivityKind::memory_copy;
    recording_.launches.push_back({
        .correlation = correlation,
        .kind = is_copy ? ApiKind::memory_copy : ApiKind::kernel_launch,
        .tag = scope.tag,
        .step = scope.step,
    });
    const auto since_start = [](Clock::time_point at) {
        return static_cast<std::uint64_t>(
            std::chrono::duration_cast<std::chrono::nanoseconds>(at.time_since_epoch()).count()
        );
    };
    recording_.records.append({
        .start = since_start(start),
        .end = since_start(end),
        .correlation = correlation,
        .shape = shape_of(kind, name),
    });
}

void HostRecorder::start() {
    recording_ = {};
    shapes_.clear();
}

activity::Recording HostRecorder::stop() {
    return std::move(recording_);
}

} // namespace kvprof::host

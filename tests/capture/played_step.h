#pragma once

#include "capture/executor.h"

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

namespace kvprof::test {

/// A step that takes what it is told: one time a batch, the last one for all that follow.
class PlayedStep final : public PreparedStep {
  public:
    explicit PlayedStep(std::vector<double> us_per_replay)
        : us_(std::move(us_per_replay)) {}

    Sample replay(std::int64_t times) override {
        batches_.push_back(times);
        const double us = us_[std::min(batches_.size(), us_.size()) - 1];
        const std::chrono::nanoseconds time{
            static_cast<std::int64_t>(us * 1e3 * static_cast<double>(times))};
        Sample sample;
        sample.replays = times;
        sample.gpu_time = time;
        sample.wall_time = time;
        return sample;
    }

    /// Replays of each batch so far.
    [[nodiscard]] const std::vector<std::int64_t>& batches() const { return batches_; }

    [[nodiscard]] std::int64_t copies() const override { return 1; }

    [[nodiscard]] std::vector<std::byte> read(
        workload::BufferId /*buffer*/, const workload::Region& /*region*/, std::int64_t /*copy*/
    ) const override {
        return {};
    }

    [[nodiscard]] std::int64_t graph_nodes() const override { return 0; }

    [[nodiscard]] std::vector<MemoryStat> memory() const override { return {}; }

    [[nodiscard]] std::int64_t steps_run() const override { return 0; }

    [[nodiscard]] bool is_apart() const override { return false; }

    [[nodiscard]] std::optional<HostTimes> host_times(std::int64_t /*steps*/) override {
        return std::nullopt;
    }

  private:
    std::vector<double> us_;
    std::vector<std::int64_t> batches_;
};

} // namespace kvprof::test

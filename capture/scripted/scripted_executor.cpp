#include "capture/scripted/scripted_executor.h"

#include "capture/host/host_executor.h"
#include "capture/host/host_step.h"
#include "capture/model/error.h"

#include <fmt/format.h>
#include <unistd.h>

#include <csignal>
#include <cstdint>
#include <fstream>
#include <optional>
#include <string_view>

namespace kvprof::scripted {

namespace {

void log_event(const Script& script, const std::string& event) {
    if (!script.log_file.empty()) {
        std::ofstream(script.log_file, std::ios::app) << event << '\n';
    }
}

void fail_at(const Script& script, const std::string& stage) {
    if (script.fail_stage == stage) {
        throw UnavailableError(script.fail_text);
    }
}

class ScriptedStep final : public PreparedStep {
  public:
    ScriptedStep(std::shared_ptr<const Script> script, std::unique_ptr<PreparedStep> host)
        : script_(std::move(script)),
          host_(std::move(host)) {}

    Sample replay(std::int64_t times) override {
        log_event(*script_, fmt::format("replay {}", times));
        fail_at(*script_, "replay");
        if (script_->has_crash) {
            std::raise(SIGKILL);
        }
        while (script_->has_hang) {
            ::pause();
        }
        static_cast<void>(host_->replay(1));
        const double us = script_->gpu_us[next_++ % script_->gpu_us.size()];
        const auto time = std::chrono::nanoseconds(
            static_cast<std::int64_t>(us * 1e3 * static_cast<double>(times))
        );
        return {.replays = times, .gpu_time = time, .wall_time = time};
    }

    [[nodiscard]] std::int64_t copies() const override { return 1; }

    [[nodiscard]] std::vector<std::byte> read(
        workload::BufferId buffer, const workload::Region& region, std::int64_t copy
    ) const override {
        log_event(*script_, "read");
        auto bytes = host_->read(buffer, region, copy);
        if (script_->has_wrong_ids && buffer == workload::BufferId::stream && !bytes.empty()) {
            bytes.front() ^= std::byte{1};
        }
        return bytes;
    }

    [[nodiscard]] std::int64_t graph_nodes() const override { return host_->graph_nodes(); }

    [[nodiscard]] std::vector<MemoryStat> memory() const override {
        log_event(*script_, "memory");
        return {};
    }

    [[nodiscard]] std::int64_t steps_run() const override { return host_->steps_run(); }

    [[nodiscard]] bool is_apart() const override { return host_->is_apart(); }

    [[nodiscard]] std::optional<HostTimes> host_times(std::int64_t steps) override {
        return host_->host_times(steps);
    }

  private:
    std::shared_ptr<const Script> script_;
    std::unique_ptr<PreparedStep> host_;
    std::size_t next_ = 0;
};

/// What a look at the scripted device sees; nothing where the script tells of none.
std::optional<DeviceReading>
look_at(const Script& script, std::string_view when, std::size_t number) {
    if (script.clock_mhz.empty() && !script.reasons) {
        return std::nullopt;
    }
    DeviceReading reading;
    reading.state.when = when;
    reading.state.event_reasons = script.reasons;
    if (!script.clock_mhz.empty()) {
        reading.state.sm_clock_mhz = script.clock_mhz[number % script.clock_mhz.size()];
    }
    reading.company.lists_self = true;
    return reading;
}

} // namespace

ScriptedExecutor::ScriptedExecutor(const std::string& path)
    : script_(std::make_shared<const Script>(read_script(path))) {}

Environment ScriptedExecutor::environment() const {
    log_event(*script_, "environment");
    Environment environment = host::HostExecutor().environment();
    environment.executor = "scripted";
    for (const Param& fact : script_->facts) {
        set_field(environment, fact.name, fact.value);
    }
    return environment;
}

ReadDevice ScriptedExecutor::watcher() const {
    return [script = script_, looks = std::size_t{0}](std::string_view when) mutable {
        return look_at(*script, when, looks++);
    };
}

void ScriptedExecutor::require_room(const workload::StepPlan& plan) const {
    host::HostExecutor().require_room(plan);
}

MemoryLife ScriptedExecutor::memory_life(
    const workload::StepPlan& plan, const workload::InitialState& state, const MeasureSpec& how
) {
    return host::HostExecutor().memory_life(plan, state, how);
}

std::unique_ptr<PreparedStep> ScriptedExecutor::prepare(
    const workload::StepPlan& plan, const workload::InitialState& state, const MeasureSpec& /*how*/
) {
    log_event(*script_, "prepare");
    fail_at(*script_, "prepare");
    return std::make_unique<ScriptedStep>(
        script_, host::prepare_host_step(plan, state, host::KvPool::held)
    );
}

} // namespace kvprof::scripted

#include "capture/scripted/scripted_executor.h"

#include "capture/host/host_executor.h"
#include "capture/host/host_step.h"
#include "capture/model/error.h"
#include "capture/model/units.h"

#include <fmt/format.h>
#include <unistd.h>

#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <system_error>

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

constexpr double kLeastUs = 0.001; ///< a nanosecond, the unit that times are kept in
constexpr double kMostUs = 1e9;

void read_line(const std::string& key, std::istringstream& rest, Script& script) {
    if (key == "gpu_us") {
        script.gpu_us.clear();
        for (std::string word; rest >> word;) {
            const double gpu_us = parse_real(word, "gpu_us");
            if (gpu_us < kLeastUs || gpu_us > kMostUs) {
                throw UsageError(fmt::format(
                    "could not read the script: gpu_us {} is outside {} to {:.0f}",
                    word,
                    kLeastUs,
                    kMostUs
                ));
            }
            script.gpu_us.push_back(gpu_us);
        }
    } else if (key == "fail") {
        rest >> script.fail_stage;
        std::getline(rest >> std::ws, script.fail_text);
    } else if (key == "wrong_ids") {
        script.has_wrong_ids = true;
    } else if (key == "crash") {
        script.has_crash = true;
    } else if (key == "hang") {
        script.has_hang = true;
    } else if (key == "log") {
        std::getline(rest >> std::ws, script.log_file);
    } else {
        throw UsageError(fmt::format("could not read the script: unknown word \"{}\"", key));
    }
}

} // namespace

Script read_script(const std::string& path) {
    Script script;
    if (path.empty()) {
        return script;
    }
    std::error_code ignored;
    if (!std::filesystem::is_regular_file(path, ignored)) {
        throw UsageError(fmt::format("could not read the script {}: there is no such file", path));
    }
    std::ifstream file(path);
    if (!file) {
        throw UsageError(fmt::format("could not read the script {}: it can not be opened", path));
    }
    for (std::string line; std::getline(file, line);) {
        std::istringstream words(line.substr(0, line.find('#')));
        if (std::string key; words >> key) {
            read_line(key, words, script);
        }
    }
    if (script.gpu_us.empty()) {
        throw UsageError(fmt::format("could not read the script {}: gpu_us names no time", path));
    }
    return script;
}

ScriptedExecutor::ScriptedExecutor(const std::string& path)
    : script_(std::make_shared<const Script>(read_script(path))) {}

Environment ScriptedExecutor::environment() const {
    log_event(*script_, "environment");
    Environment environment = host::HostExecutor().environment();
    environment.executor = "scripted";
    return environment;
}

ReadDevice ScriptedExecutor::watcher() const {
    return host::HostExecutor().watcher();
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

#pragma once

#include "capture/executor.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace kvprof::scripted {

/// What a script says. Lines are `KEY VALUE`; # starts a comment.
///   gpu_us N...     device time of one replay, repeated cyclically by sample
///   fail STAGE TEXT  throw at `prepare` or `replay` (UnavailableError with TEXT)
///   wrong_ids        flip one id of the stream, so verification must fail
///   crash | hang     end the process by a signal, or never return, at the first replay
///   log FILE         append one line per event: environment, prepare, replay N, read, memory
struct Script {
    std::vector<double> gpu_us{1.0};
    std::string fail_stage;
    std::string fail_text;
    bool has_wrong_ids = false;
    bool has_crash = false;
    bool has_hang = false;
    std::string log_file;
};

/// @throws UsageError for an unreadable file or an unknown line.
[[nodiscard]] Script read_script(const std::string& path);

/// Plays times, events and failures from a file over a host step: the protocol of a run can be
/// tested, and a child can be made to crash, without a device. Neither it nor --script
/// stands in --help.
class ScriptedExecutor final : public Executor {
  public:
    /// An empty path plays 1 us per replay and no failure.
    explicit ScriptedExecutor(const std::string& path);

    [[nodiscard]] Environment environment() const override;
    [[nodiscard]] ReadDevice watcher() const override;
    void require_room(const workload::StepPlan& plan) const override;
    [[nodiscard]] std::unique_ptr<PreparedStep> prepare(
        const workload::StepPlan& plan, const workload::InitialState& state, const MeasureSpec& how
    ) override;
    [[nodiscard]] MemoryLife memory_life(
        const workload::StepPlan& plan, const workload::InitialState& state, const MeasureSpec& how
    ) override;

  private:
    std::shared_ptr<const Script> script_;
};

} // namespace kvprof::scripted

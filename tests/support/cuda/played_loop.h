#pragma once

#include "capture/activity/recording.h"
#include "capture/model/pass.h"
#include "tests/support/cuda/fake_cupti.h"

#include <cstdint>

namespace kvprof::test {

/// A decode loop on the fake: a warm-up launch, a graph of four nodes (two kernels, a copy, a fill)
/// for two ops, one replay outside steps; then steps of one eager kernel and one replay.
class PlayedLoop {
  public:
    PlayedLoop(FakeCupti& fake, Pass pass)
        : fake_(fake),
          recorder_(fake.api(), pass, [&fake](CUgraph graph) { return fake.nodes_of(graph); }) {}

    void set_up() {
        fake_.launch("warm_up");
        fake_.begin_capture();
        {
            const activity::TagScope scope(in_graph(OpKind::page_table, 0));
            fake_.copy(64);
            fake_.launch("build_table", 7);
        }
        {
            const activity::TagScope scope(in_graph(OpKind::attention, 1));
            fake_.fill(32);
            fake_.launch("attend", 9);
        }
        graph_ = fake_.end_capture();
        executable_ = fake_.instantiate(graph_);
        fake_.replay(executable_);
    }

    void run(std::int64_t steps) {
        for (std::int64_t step = 0; step < steps; ++step) {
            const activity::StepScope in_step(step);
            {
                const activity::TagScope scope({.role = Role::op, .op = OpKind::append});
                fake_.launch("append", 3);
            }
            const activity::TagScope scope({.role = Role::replay});
            fake_.replay(executable_);
        }
        fake_.call("cudaDeviceSynchronize");
    }

    [[nodiscard]] activity::Recording record(std::int64_t steps) {
        set_up();
        recorder_.start();
        run(steps);
        return recorder_.stop();
    }

    [[nodiscard]] cuda::CuptiRecorder& recorder() { return recorder_; }

    [[nodiscard]] CUgraph graph() const { return graph_; }

    [[nodiscard]] CUgraphExec executable() const { return executable_; }

  private:
    static activity::Tag in_graph(OpKind op, std::int32_t ordinal) {
        return {.role = Role::op, .op = op, .placement = Placement::in, .ordinal = ordinal};
    }

    FakeCupti& fake_;
    cuda::CuptiRecorder recorder_;
    CUgraph graph_ = nullptr;
    CUgraphExec executable_ = nullptr;
};

} // namespace kvprof::test

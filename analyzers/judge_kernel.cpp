#include "analyzers/judge_kernel.h"

#include "analyzers/controls.h"
#include "analyzers/validity.h"

namespace kvprof::analyzers {

namespace {

Scale scale_of(const KernelDelta& kernel, double step_ns) {
    return {.base = kernel.base_median, .pieces = kernel.base_launches, .step_ns = step_ns};
}

Judgement
judge(const KernelDelta& kernel, const SampledTest& test, double step_ns, const CaseFacts& facts) {
    return judge_within(
        test,
        Direction::lower,
        kernel_limits(facts.how->policy),
        scale_of(kernel, step_ns),
        facts.has_primary_kernels ? facts.alpha : facts.q
    );
}

} // namespace

void judge_kernel(
    KernelDelta& kernel, double step_ns, const CaseFacts& facts, const Controls* controls
) {
    if (!kernel.test) {
        return;
    }
    kernel.threshold =
        widest(*kernel.test, kernel_limits(facts.how->policy), scale_of(kernel, step_ns));
    kernel.verdict = Verdict::inconclusive;
    if (facts.is_disturbed || is_disturbed(*facts.base, Pass::nodes)
        || is_disturbed(*facts.candidate, Pass::nodes)) {
        kernel.reason = "unstable-machine";
        return;
    }
    if (facts.how->is_stored_baseline) {
        kernel.reason = "stored-baseline"; // one traced run an occasion is no unit of a test
        return;
    }
    const Judgement judgement = judge(kernel, *kernel.test, step_ns, facts);
    kernel.verdict = judgement.verdict;
    kernel.reason = judgement.reason;
    if (controls == nullptr || judgement.verdict == Verdict::inconclusive
        || !kernel.test->is_ratio) {
        return;
    }
    const SampledTest adjusted = without_drift(*kernel.test, *controls);
    if (judge(kernel, adjusted, step_ns, facts).verdict != judgement.verdict) {
        kernel.verdict = Verdict::inconclusive;
        kernel.reason = "environment-drift";
    }
}

} // namespace kvprof::analyzers

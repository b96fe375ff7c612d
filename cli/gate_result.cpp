#include "cli/gate_result.h"

#include "cli/gate_evidence.h"
#include "cli/judging.h"

namespace kvprof::cli {

analyzers::GateResult result_of(
    const Experiment& experiment, const analyzers::CompareOptions& how, const GateRules& rules
) {
    analyzers::GateResult result = analyzers::gate_of(
        compare_experiment(experiment, how), how.policy, rules.day, rules.allows_single_layout
    );
    weigh_failures(result, experiment.runs);
    weigh_end(result, experiment);
    return result;
}

analyzers::GateResult result_of_both(
    const Experiment& first,
    const Experiment& second,
    const analyzers::CompareOptions& how,
    const GateRules& rules
) {
    analyzers::GateResult result =
        analyzers::confirmed(result_of(first, how, rules), result_of(second, how, rules));
    weigh_failures(result, second.runs);
    return result;
}

} // namespace kvprof::cli

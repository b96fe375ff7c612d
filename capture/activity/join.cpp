#include "capture/activity/join.h"

#include "capture/activity/attribution.h"
#include "capture/activity/census.h"
#include "capture/activity/step_reader.h"
#include "capture/activity/step_spans.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace kvprof::activity {

namespace {

bool is_usable(const Recording& recording, const Joined& joined) {
    return recording.failure.empty() && joined.conditions.empty();
}

/// Why there are no figures; empty when there are.
std::string refusal(const std::vector<Condition>& conditions) {
    std::string causes;
    for (const Condition& condition : conditions) {
        causes += fmt::format("{}{}", causes.empty() ? "" : "; ", condition.detail);
    }
    return causes.empty()
               ? causes
               : fmt::format("could not use the recording: {}. Fewer steps: --trace-steps", causes);
}

void join_nodes(const Recording& recording, const StepsRun& how, Joined& joined) {
    Attribution attribution(recording, how);
    Census census(recording, attribution, how.steps);
    std::vector<std::uint32_t> step_of(recording.records.size(), kNoIndex);
    for (std::size_t index = 0; index < recording.records.size(); ++index) {
        const Record& record = recording.records[index];
        const Attributed attributed = attribution.of(record);
        census.add(record, attributed);
        if (attributed.origin == Origin::node || attributed.origin == Origin::launch) {
            step_of[index] = attributed.step;
        }
    }
    joined.evidence = census.evidence();
    joined.conditions = census.conditions();
    if (is_usable(recording, joined)) {
        const RecordsByStep grouped = group_by_step(step_of, static_cast<std::size_t>(how.steps));
        StepReader(recording, how, attribution).read(grouped, joined);
    }
}

/// Adds the condition that the steps have no replay, or not every replay one span.
void check_spans(
    const Attribution& attribution,
    const std::vector<std::int64_t>& spans_of_launch,
    std::vector<Condition>& conditions
) {
    std::int64_t replays = 0;
    std::int64_t wrong = 0;
    std::string first;
    for (std::size_t launch = 0; launch < spans_of_launch.size(); ++launch) {
        if (!attribution.is_replay(launch)) {
            continue;
        }
        ++replays;
        if (spans_of_launch[launch] != 1 && wrong++ == 0) {
            first =
                fmt::format("{} in step {}", spans_of_launch[launch], attribution.step_of(launch));
        }
    }
    if (replays == 0) {
        conditions.push_back(
            {ConditionKind::census_mismatch, "no step replayed a graph, and spans are of replays"}
        );
    }
    if (wrong > 0) {
        conditions.push_back(
            {ConditionKind::census_mismatch,
             fmt::format("{} of {} replays do not have one span: {}", wrong, replays, first)}
        );
    }
}

void join_spans(const Recording& recording, const StepsRun& how, Joined& joined) {
    Attribution attribution(recording, how);
    std::vector<std::int64_t> spans_of_launch(attribution.launches().size());
    std::vector<Span> of_steps;
    for (const Span& span : recording.spans) {
        joined.evidence.untimed += is_timed(span) ? 0 : 1;
        const std::uint32_t launch = attribution.find_launch(span.correlation);
        if (launch == kNoIndex) {
            ++joined.evidence.orphans;
        } else if (attribution.is_replay(launch)) {
            ++spans_of_launch[launch];
            of_steps.push_back(span);
        }
    }
    joined.evidence.dropped = recording.dropped;
    joined.evidence.nodes_cross_checked = recording.nodes_cross_checked;
    joined.evidence.steps = how.steps;
    joined.evidence.records = std::ssize(of_steps);
    check_loss(recording, joined.evidence, joined.conditions);
    if (joined.evidence.orphans > 0) {
        joined.conditions.push_back(
            {ConditionKind::census_mismatch,
             fmt::format("{} spans of no known launch", joined.evidence.orphans)}
        );
    }
    check_spans(attribution, spans_of_launch, joined.conditions);
    if (is_usable(recording, joined)) {
        std::ranges::sort(of_steps, {}, &Span::start);
        for (const Span& span : of_steps) {
            joined.graph_spans.push_back(between(span.start, span.end));
        }
    }
}

} // namespace

Joined join(const Recording& recording, const StepsRun& how) {
    Joined joined;
    joined.recorded.resize(batch_count(how));
    if (how.pass == Pass::graph) {
        join_spans(recording, how, joined);
    } else {
        join_nodes(recording, how, joined);
    }
    joined.evidence.failure =
        recording.failure.empty() ? refusal(joined.conditions) : recording.failure;
    return joined;
}

} // namespace kvprof::activity

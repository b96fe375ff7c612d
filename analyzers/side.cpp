#include "analyzers/side.h"

#include "analyzers/spec_diff.h"
#include "capture/model/error.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <utility>

namespace kvprof::analyzers {

namespace {

void add_run(Side& side, const Run& run) {
    if (run.status.state == RunState::complete) {
        side.runs.push_back(run);
    } else {
        side.excluded.push_back({run.uuid, run.variant, run.status.state, run.status.reason});
    }
}

Side empty_side(std::string label, const Run& run) {
    return {
        .label = std::move(label),
        .step = run.step,
        .measure = run.measure,
        .runs = {},
        .excluded = {}};
}

/// "index-mode: rectangle, stream; batch: 8, 64"
std::string describe_values(const std::vector<Run>& runs, const std::vector<std::string>& names) {
    std::string text;
    for (const std::string& name : names) {
        std::vector<std::string> values;
        for (const Run& run : runs) {
            std::string value = value_of(params_of(run), name);
            if (std::find(values.begin(), values.end(), value) == values.end()) {
                values.push_back(std::move(value));
            }
        }
        text += fmt::format("{}{}:", text.empty() ? "" : "; ", name);
        for (std::size_t i = 0; i < values.size(); ++i) {
            text += fmt::format("{} {}", i == 0 ? "" : ",", values[i]);
        }
    }
    return text;
}

/// "before/batch=8,index-mode=stream"; a label that names values already gets more of them.
std::string
reference_to(const std::string& label, const Run& run, const std::vector<std::string>& names) {
    std::string values;
    for (const std::string& name : names) {
        values +=
            fmt::format("{}{}={}", values.empty() ? "" : ",", name, value_of(params_of(run), name));
    }
    const bool has_values = label.find('=') != std::string::npos;
    return fmt::format("{}{}{}", label, has_values ? "," : "/", values);
}

} // namespace

Side side_of(std::string label, const std::vector<Run>& runs) {
    if (runs.empty()) {
        throw UsageError(
            fmt::format("could not compare \"{}\": it holds no run", label),
            "choose an experiment with runs: kvprof ls"
        );
    }
    const std::vector<std::string> varying = varying_fields(runs);
    if (!varying.empty()) {
        throw UsageError(
            fmt::format(
                "could not compare \"{}\" as one side: its runs differ in {}",
                label,
                describe_values(runs, varying)
            ),
            fmt::format(
                "choose one variant by all of these, as in {}; or compare its variants with each "
                "other",
                reference_to(label, runs.front(), varying)
            )
        );
    }
    Side side = empty_side(std::move(label), runs.front());
    for (const Run& run : runs) {
        add_run(side, run);
    }
    return side;
}

std::vector<Side> sides_of(const std::vector<Run>& runs) {
    std::vector<Side> sides;
    for (const Run& run : runs) {
        auto side = std::find_if(sides.begin(), sides.end(), [&](const Side& candidate) {
            return candidate.step == run.step && candidate.measure == run.measure;
        });
        if (side == sides.end()) {
            sides.push_back(empty_side(run.variant, run));
            side = std::prev(sides.end());
        }
        add_run(*side, run);
    }
    return sides;
}

} // namespace kvprof::analyzers

#include "tests/report/sample_reports.h"

#include "analyzers/gate.h"
#include "tests/analyzers/ab_runs.h"
#include "tests/analyzers/gate_rows.h"
#include "tests/support/example_runs.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>

namespace kvprof::test {

namespace {

using analyzers::Case;
using analyzers::Policy;
using analyzers::Side;
using report::Format;
using report::Judged;
using report::Report;

Policy toml_policy() {
    Policy policy;
    policy.origin = "kvprof.toml";
    policy.primary = {"step_time", "launches", "graph_memory"};
    policy.primary_line = 3;
    analyzers::MetricRule rule;
    rule.metric = "step_time";
    rule.limits.ratio = 0.01;
    rule.line = 7;
    policy.rules = {rule};
    return policy;
}

Case case_of(std::string cell, std::int64_t batch, Side base, Side candidate) {
    for (Side* side : {&base, &candidate}) {
        side->step.batch = batch;
        for (Run& run : side->runs) {
            run.step.batch = batch;
            run.variant += " batch=" + std::to_string(batch);
        }
    }
    return {std::move(cell), std::move(base), std::move(candidate)};
}

Case same_case() {
    StepTimes same = v16_base();
    std::reverse(same.begin(), same.end());
    return case_of("batch=8", 8, ab_side(AbSide::a, v16_base()), ab_side(AbSide::b, same));
}

Case slower_case(std::string cell) {
    return case_of(
        std::move(cell),
        64,
        traced_ab_side(AbSide::a, v16_base()),
        traced_ab_side(AbSide::b, v16_candidate())
    );
}

Report headed(Format format) {
    Report report;
    report.recipe.format = format;
    report.recipe.is_gate = true;
    report.recipe.day = "2026-11-29";
    report.recipe.sides = {{"@latest", uuid_of('e'), {}}};
    report.tool.version = "0.1.0";
    return report;
}

Report gated(Format format, const std::vector<Case>& cases, const Policy& policy) {
    analyzers::CompareOptions how;
    how.policy = policy;
    how.treatment = {"delay-op", "delay-us"};
    how.is_interleaved = true;
    Report report = headed(format);
    Judged judged;
    judged.gate =
        analyzers::gate_of(analyzers::compare_cases(cases, how), policy, report.recipe.day);
    report.subject = std::move(judged);
    return report;
}

Run numbered(Run run, char digit, const std::string& variant) {
    run.uuid = uuid_of(digit);
    run.variant = variant;
    run.step.batch = 8;
    return run;
}

void make_hostile(Side& side, const std::string& name) {
    for (Run& run : side.runs) {
        run.variant = name;
        run.environment.device_name = name;
        run.environment.git_revision = name;
        run.notes = {name};
        for (KernelStat& kernel : run.kernels) {
            kernel.name += name;
        }
        run.memory.push_back({name, MemorySource::ledger, "graph", Bytes{1024}});
        run.memory.push_back({name + "\xfe", MemorySource::ledger, "graph", Bytes{512}});
        run.memory.push_back({name + "\xff", MemorySource::ledger, "graph", Bytes{512}});
    }
}

} // namespace

Report gate_report(Format format) {
    return gated(format, {same_case(), slower_case("batch=64")}, toml_policy());
}

Report lone_gate_report(Format format) {
    return gated(format, {slower_case("")}, toml_policy());
}

Report report_of(Format format, std::vector<analyzers::Delta> rows, const Policy& policy) {
    Report report = headed(format);
    Judged judged;
    judged.gate = analyzers::test_rows::gate(std::move(rows), policy);
    report.subject = std::move(judged);
    return report;
}

Report experiment_report(Format format) {
    Report report = headed(format);
    Experiment experiment;
    experiment.uuid = uuid_of('e');
    experiment.state = ExperimentState::complete;
    const std::string rectangle = "index-mode=rectangle";
    const std::string stream = "index-mode=stream";
    experiment.runs = {
        numbered(step_run(IndexMode::rectangle, {9}), '1', rectangle),
        numbered(step_run(IndexMode::stream, {3}), '2', stream),
        numbered(step_run(IndexMode::rectangle, {8}), '3', rectangle),
        numbered(step_run(IndexMode::stream, {4}), '4', stream),
        numbered(step_run(IndexMode::stream, {40}), '5', stream)};
    experiment.runs.back().status = {RunState::voided, "foreign-process: 1.20 GiB came", 0};
    report.recipe.is_gate = false;
    report.subject = std::move(experiment);
    return report;
}

Report run_report(Format format) {
    Report report = headed(format);
    report.recipe.is_gate = false;
    report.subject = traced_run();
    return report;
}

std::string hostile_name() {
    return "a \"b\" 'c'\r\nd | `e` <script>&amp;</script> ]]> 100%, f:g \\ \x01 \xc3\x28 "
           "\xed\xa0\x80 -48"
           + std::string(5000, 'k');
}

Report hostile_report(Format format) {
    const std::string name = hostile_name();
    Policy policy = toml_policy();
    policy.origin = name;
    policy.primary.emplace_back("kernels");
    policy.accepted = {
        {"launches", "", "2026-12-31", name, 12}, {"kernels", "", "2026-12-31", name, 13}};
    Case slower = slower_case("preset=" + name);
    make_hostile(slower.base, name);
    make_hostile(slower.candidate, name);
    Report report = gated(format, {same_case(), slower}, policy);
    report.recipe.sides = {{name, uuid_of('e'), {}}};
    report.recipe.policy = report::EmbeddedFile{name, name};
    std::get<Judged>(report.subject).unpaired = {{name, name}};
    report::ClaimAnswer answer;
    answer.claim.text = name;
    answer.claim.prose = name;
    answer.claim.line = 2;
    answer.cell = name;
    answer.verdict = report::ClaimVerdict::contradicted;
    answer.measured = name;
    answer.why = name;
    report.claims = report::CheckedClaims{{name, name, {answer.claim}}, {answer}};
    return report;
}

std::string without_recipe(const Report& report, std::string text) {
    const std::string id = report_id(report.recipe);
    for (std::size_t at = text.find(id); at != std::string::npos; at = text.find(id, at)) {
        text.replace(at, id.size(), "ID");
    }
    if (const std::size_t at = text.find("kvprof.recipe"); at != std::string::npos) {
        const std::size_t start = text.rfind('\n', at) + 1;
        text.erase(start, text.find('\n', at) + 1 - start);
    }
    return text;
}

} // namespace kvprof::test

#include "analyzers/cost_law_sections.h"
#include "analyzers/figures.h"
#include "analyzers/limits.h"
#include "analyzers/profile_sections.h"
#include "analyzers/systems_sections.h"
#include "analyzers/tuning_sections.h"
#include "report/document_parts.h"

#include <fmt/format.h>

namespace kvprof::report {

namespace {

void add_tuning(const Experiment& experiment, Document& document) {
    const analyzers::Tuning tuning = analyzers::tuning_of(experiment.runs);
    document.lead.push_back(analyzers::describe_tuning(tuning));
    document.parts.push_back({"", Weight::body, analyzers::tuning_sections(tuning)});
    document.parts.push_back({"", Weight::body, {analyzers::tuning_choices(tuning)}});
}

void add_sweep(const Experiment& experiment, Document& document) {
    const std::vector<analyzers::SideLaws> sides = analyzers::cost_laws(experiment.runs);
    if (experiment.ab) {
        document.lead.push_back(analyzers::describe_sweep_sides(*experiment.ab));
    }
    if (!sides.empty()) {
        document.lead.push_back(analyzers::describe_axes(sides.front()));
    }
    document.parts.push_back({"", Weight::body, {analyzers::flag_section(sides)}});
    document.parts.push_back({"", Weight::body, analyzers::law_change_sections(sides)});
    document.parts.push_back({"", Weight::body, analyzers::law_sections(sides)});
    document.parts.push_back({"", Weight::body, {analyzers::missing_points_section(sides)}});
    document.parts.push_back(
        {"the runs", Weight::detail, {{"", analyzers::run_table(experiment.runs), {}}}}
    );
}

} // namespace

Document document_of(const Experiment& experiment) {
    const std::string kind = experiment.kind == ExperimentKind::matrix
                                 ? ""
                                 : fmt::format("{}, ", to_string(experiment.kind));
    const std::string id = "experiment " + analyzers::short_id(experiment.uuid);
    const bool is_of_systems = experiment.kind == ExperimentKind::systems;
    const bool is_tuning = experiment.kind == ExperimentKind::tune;
    const bool is_sweep = experiment.kind == ExperimentKind::sweep;
    Document document;
    document.title = experiment.label.empty() ? id : experiment.label;
    const bool is_import = experiment.kind == ExperimentKind::imported; // its runs have a state
    document.lead = {fmt::format(
        "{}: {}: {}",
        id,
        is_import ? "imported" : fmt::format("{}{}", kind, to_string(experiment.state)),
        analyzers::describe_runs(experiment.runs)
    )};
    if (experiment.ab && !is_sweep) {
        document.lead.push_back(analyzers::describe_design(*experiment.ab));
    }
    if (is_of_systems) {
        document.lead.push_back(analyzers::describe_systems(experiment.runs));
        document.lead.emplace_back(
            "one run a system: launches and bytes are exact, a time of one run decides nothing"
        );
        document.parts.push_back({"", Weight::body, analyzers::systems_sections(experiment.runs)});
    } else if (is_tuning) {
        add_tuning(experiment, document);
    } else if (is_sweep) {
        add_sweep(experiment, document);
    } else if (is_import) {
        for (const Run& run : experiment.runs) {
            document.lead.push_back(analyzers::describe_profile(run));
            document.parts.push_back({"", Weight::body, analyzers::profile_sections(run)});
        }
    } else {
        document.parts.push_back(
            {"", Weight::body, {{"", analyzers::run_table(experiment.runs), {}}}}
        );
    }
    document.parts.push_back(
        {"",
         Weight::body,
         {{"notes",
           std::nullopt,
           is_of_systems || is_tuning || is_sweep ? analyzers::systems_remarks(experiment.runs)
                                                  : analyzers::run_remarks(experiment.runs)},
          {"measured on", std::nullopt, analyzers::environment_lines(experiment.runs)}}}
    );
    ExperimentHead head;
    head.uuid = experiment.uuid;
    head.started_at = experiment.started_at;
    head.command_line = experiment.command_line;
    document.parts.push_back({"how it was measured", Weight::detail, {origin_section({head})}});
    document.not_measured = analyzers::limits_of(experiment.runs);
    return document;
}

} // namespace kvprof::report

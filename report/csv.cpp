#include "analyzers/compare_rows.h"
#include "analyzers/json_rows.h"
#include "analyzers/json_run.h"
#include "analyzers/metrics_of.h"
#include "report/csv_text.h"
#include "report/renderers.h"
#include "stats/median.h"

#include <array>

namespace kvprof::report {

namespace {

using analyzers::Comparison;
using analyzers::Json;

constexpr std::array kComparedMetrics{
    CsvColumn{"cell", "/cell"},
    CsvColumn{"metric", "/id"},
    CsvColumn{"unit", "/unit"},
    CsvColumn{"better", "/better"},
    CsvColumn{"kind", "/kind"},
    CsvColumn{"base_n", "/base/n"},
    CsvColumn{"base_min", "/base/min"},
    CsvColumn{"base_median", "/base/median"},
    CsvColumn{"base_max", "/base/max"},
    CsvColumn{"base_mad", "/base/mad"},
    CsvColumn{"candidate_n", "/candidate/n"},
    CsvColumn{"candidate_min", "/candidate/min"},
    CsvColumn{"candidate_median", "/candidate/median"},
    CsvColumn{"candidate_max", "/candidate/max"},
    CsvColumn{"candidate_mad", "/candidate/mad"},
    CsvColumn{"difference", "/difference"},
    CsvColumn{"ratio", "/ratio"},
    CsvColumn{"change_kind", "/change/kind"},
    CsvColumn{"change", "/change/estimate"},
    CsvColumn{"change_low", "/change/low"},
    CsvColumn{"change_high", "/change/high"},
    CsvColumn{"level", "/change/level"},
    CsvColumn{"method", "/change/method"},
    CsvColumn{"p", "/p"},
    CsvColumn{"p_adjusted", "/p_adjusted"},
    CsvColumn{"family", "/family"},
    CsvColumn{"threshold", "/threshold"},
    CsvColumn{"detectable", "/detectable"},
    CsvColumn{"verdict", "/verdict"},
    CsvColumn{"confirmed", "/confirmed"},
    CsvColumn{"reason", "/reason"}};

constexpr std::array kRunMetrics{
    CsvColumn{"run", "/run"},
    CsvColumn{"variant", "/variant"},
    CsvColumn{"position", "/position"},
    CsvColumn{"metric", "/id"},
    CsvColumn{"unit", "/unit"},
    CsvColumn{"better", "/better"},
    CsvColumn{"kind", "/kind"},
    CsvColumn{"n", "/n"},
    CsvColumn{"min", "/min"},
    CsvColumn{"median", "/median"},
    CsvColumn{"max", "/max"},
    CsvColumn{"mad", "/mad"}};

constexpr std::array kSamples{
    CsvColumn{"cell", "/cell"},
    CsvColumn{"side", "/side"},
    CsvColumn{"run", "/run"},
    CsvColumn{"variant", "/variant"},
    CsvColumn{"started_at", "/started_at"},
    CsvColumn{"position", "/position"},
    CsvColumn{"block", "/place/block"},
    CsvColumn{"place", "/place/place"},
    CsvColumn{"metric", "/id"},
    CsvColumn{"unit", "/unit"},
    CsvColumn{"value", "/value"}};

constexpr std::array kComparedKernels{
    CsvColumn{"cell", "/cell"},
    CsvColumn{"op", "/op"},
    CsvColumn{"placement", "/placement"},
    CsvColumn{"kernel", "/name"},
    CsvColumn{"base_launches", "/base/launches"},
    CsvColumn{"base_ns", "/base/median_ns"},
    CsvColumn{"candidate_launches", "/candidate/launches"},
    CsvColumn{"candidate_ns", "/candidate/median_ns"},
    CsvColumn{"change_ns", "/change_ns"},
    CsvColumn{"of_step", "/of_step"},
    CsvColumn{"of_step_change", "/of_step_change"},
    CsvColumn{"same_code", "/same_code"},
    CsvColumn{"change_kind", "/change/kind"},
    CsvColumn{"change", "/change/estimate"},
    CsvColumn{"change_low", "/change/low"},
    CsvColumn{"change_high", "/change/high"},
    CsvColumn{"level", "/change/level"},
    CsvColumn{"p", "/p"},
    CsvColumn{"p_adjusted", "/p_adjusted"},
    CsvColumn{"threshold", "/threshold"},
    CsvColumn{"verdict", "/verdict"},
    CsvColumn{"reason", "/reason"}};

constexpr std::array kRunKernels{
    CsvColumn{"run", "/run"},
    CsvColumn{"variant", "/variant"},
    CsvColumn{"position", "/position"},
    CsvColumn{"op", "/op"},
    CsvColumn{"placement", "/placement"},
    CsvColumn{"kind", "/kind"},
    CsvColumn{"copy", "/copy"},
    CsvColumn{"kernel", "/name"},
    CsvColumn{"grid_x", "/grid/0"},
    CsvColumn{"grid_y", "/grid/1"},
    CsvColumn{"grid_z", "/grid/2"},
    CsvColumn{"block_x", "/block/0"},
    CsvColumn{"block_y", "/block/1"},
    CsvColumn{"block_z", "/block/2"},
    CsvColumn{"registers", "/registers"},
    CsvColumn{"static_shared_bytes", "/static_shared_bytes"},
    CsvColumn{"dynamic_shared_bytes", "/dynamic_shared_bytes"},
    CsvColumn{"local_bytes", "/local_bytes"},
    CsvColumn{"launches", "/launches"},
    CsvColumn{"time_ns", "/time_ns"},
    CsvColumn{"shortest_ns", "/shortest_ns"},
    CsvColumn{"longest_ns", "/longest_ns"},
    CsvColumn{"blocks", "/blocks"},
    CsvColumn{"blocks_with_work", "/blocks_with_work"}};

/// Which run a row is of.
Json head_of(const Run& run) {
    return {{"run", run.uuid}, {"variant", run.variant}, {"position", run.position}};
}

/// Which value of which run.
Json sample_head(const Run& run, const std::string& cell, const char* side) {
    Json json = head_of(run);
    json["cell"] = cell;
    json["side"] = side;
    json["started_at"] = run.started_at;
    json["place"] = run.ab ? analyzers::place_object(*run.ab) : Json(nullptr);
    return json;
}

/// One value a run, as the comparison takes it.
void add_samples(const Comparison& comparison, CsvText& csv) {
    for (const analyzers::Row& row : analyzers::rows_of(comparison.base, comparison.candidate)) {
        const auto add = [&](const analyzers::Side& side, const char* name, const auto& values) {
            for (std::size_t i = 0; i < side.runs.size(); ++i) {
                if (values[i]) {
                    Json json = sample_head(side.runs[i], comparison.cell, name);
                    json.update(analyzers::definition(row.shown.id, *row.shown.metric));
                    json["value"] = analyzers::figure(row.shown.metric->unit, *values[i]);
                    csv.add(json);
                }
            }
        };
        add(comparison.base, "base", row.base);
        add(comparison.candidate, "candidate", row.candidate);
    }
}

void add_samples(const Run& run, CsvText& csv) {
    const char* side = !run.ab ? "" : run.ab->side == AbSide::a ? "base" : "candidate";
    for (const analyzers::Series& series : analyzers::metrics_of(run)) {
        Json json = sample_head(run, "", side);
        json.update(analyzers::definition(series.id, *series.metric));
        json["value"] = analyzers::figure(series.metric->unit, stats::median(series.values));
        csv.add(json);
    }
}

/// The rows of a list of the run's own document.
void add_rows(const Run& run, const char* list, CsvText& csv) {
    const Json all = analyzers::run_object(run);
    for (const Json& row : all[list]) {
        Json json = head_of(run);
        json.update(row);
        csv.add(json);
    }
}

std::string table_of(CsvTable table, const std::vector<Comparison>& cases) {
    const bool is_kernels = table == CsvTable::kernels;
    CsvText csv = table == CsvTable::samples ? CsvText(kSamples)
                  : is_kernels               ? CsvText(kComparedKernels)
                                             : CsvText(kComparedMetrics);
    for (const Comparison& comparison : cases) {
        const auto add = [&](const Json& row) {
            Json json{{"cell", comparison.cell}};
            json.update(row);
            csv.add(json);
        };
        switch (table) {
        case CsvTable::samples: add_samples(comparison, csv); break;
        case CsvTable::metrics:
            for (const analyzers::Delta& row : comparison.deltas) {
                add(analyzers::delta_object(row));
            }
            break;
        case CsvTable::kernels:
            for (const analyzers::KernelDelta& kernel : comparison.kernels) {
                add(analyzers::kernel_object(kernel));
            }
            break;
        }
    }
    return csv.text();
}

std::string table_of(CsvTable table, std::span<const Run> runs) {
    CsvText csv = table == CsvTable::samples   ? CsvText(kSamples)
                  : table == CsvTable::kernels ? CsvText(kRunKernels)
                                               : CsvText(kRunMetrics);
    for (const Run& run : runs) {
        switch (table) {
        case CsvTable::samples: add_samples(run, csv); break;
        case CsvTable::metrics: add_rows(run, "metrics", csv); break;
        case CsvTable::kernels: add_rows(run, "kernels", csv); break;
        }
    }
    return csv.text();
}

} // namespace

std::string csv_table(const Report& report) {
    const CsvTable table = report.recipe.table;
    if (const auto* run = std::get_if<Run>(&report.subject)) {
        return table_of(table, std::span(run, 1));
    }
    if (const auto* experiment = std::get_if<Experiment>(&report.subject)) {
        return table_of(table, experiment->runs);
    }
    return table_of(table, std::get<Judged>(report.subject).gate.cases);
}

} // namespace kvprof::report

#include "analyzers/figures.h"
#include "analyzers/imported_runs.h"
#include "analyzers/roofline_sections.h"
#include "analyzers/summary.h"
#include "capture/model/units.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <utility>

namespace kvprof::analyzers {

namespace {

std::string figure(const std::vector<Series>& metrics, std::string_view id) {
    const auto found = std::find_if(metrics.begin(), metrics.end(), [&](const Series& series) {
        return series.id == id;
    });
    if (found == metrics.end()) {
        return "-";
    }
    const Summary summary = *summarise(found->values);
    const Unit unit = found->metric->unit;
    if (found->metric->kind == MetricKind::exact) {
        return format_value(unit, summary.median);
    }
    return fmt::format(
        "{} [{} .. {}]",
        format_value(unit, summary.median),
        format_value(unit, summary.min),
        format_value(unit, summary.max)
    );
}

std::string_view time_metric(const Run& run) {
    return run.measure.op.empty() ? "step.gpu_time" : "op.gpu_time";
}

std::string time_title(const std::vector<Run>& runs) {
    const auto is_op = [](const Run& run) { return !run.measure.op.empty(); };
    if (std::all_of(runs.begin(), runs.end(), is_op)) {
        return "op.gpu_time [min .. max]";
    }
    return std::any_of(runs.begin(), runs.end(), is_op) ? "gpu_time of step or op [min .. max]"
                                                        : "step.gpu_time [min .. max]";
}

/// Whether a step ran at all: else the run was measured nowhere.
bool has_run(const Run& run) {
    switch (run.status.state) {
    case RunState::complete:
    case RunState::voided:
    case RunState::invalid: return true;
    case RunState::not_run:
    case RunState::interrupted: return false;
    }
    return false;
}

/// " (driver 580.95, runtime 13.0)" of what is known; empty when nothing is.
std::string software_of(const Environment& where) {
    std::vector<std::string> parts;
    for (const auto& [what, version] :
         {std::pair{"driver", &where.driver}, std::pair{"runtime", &where.cuda_runtime}}) {
        if (!version->empty()) {
            parts.push_back(fmt::format("{} {}", what, *version));
        }
    }
    return parts.empty() ? std::string() : fmt::format(" ({})", fmt::join(parts, ", "));
}

/// "A", "B".
std::string side_letter(const Run& run) {
    if (!run.ab) {
        return "-";
    }
    return run.ab->side == AbSide::a ? "A" : "B";
}

/// "2.4": the fourth place of the second block; "2.4 (2)" of a run that replaced a void one.
std::string block_cell(const Run& run) {
    if (!run.ab) {
        return "-";
    }
    const std::string place = fmt::format("{}.{}", run.ab->block + 1, run.ab->place + 1);
    return run.ab->attempt == 0 ? place : fmt::format("{} ({})", place, run.ab->attempt + 1);
}

std::string environment_line(const Run& run) {
    const Environment& where = run.environment;
    return fmt::format(
        "{} executor on {}{}, L2 {}, {}{}, kvprof {}",
        where.executor,
        where.device_name,
        software_of(where),
        to_string(run.measure.l2),
        run.measure.op.empty() ? "" : fmt::format("op {} alone, ", run.measure.op),
        where.hostname,
        where.build
    );
}

/// "Kineto on NVIDIA H200, NVIDIA B200": all that is known of where a profile was captured.
std::string capture_line(const Run& run) {
    std::vector<std::string> gpus;
    for (const ProfileRank& rank : run.profile->ranks) {
        if (!rank.gpu.empty() && std::find(gpus.begin(), gpus.end(), rank.gpu) == gpus.end()) {
            gpus.push_back(rank.gpu);
        }
    }
    return fmt::format(
        "{} on {}",
        run.profile->writer,
        gpus.empty() ? "a GPU that the profile does not name"
                     : fmt::format("{}", fmt::join(gpus, ", "))
    );
}

} // namespace

std::string short_id(std::string_view uuid) {
    constexpr std::size_t kDigits = 8;
    return std::string(uuid.substr(0, kDigits));
}

std::string variant_name(std::string_view variant) {
    return variant.empty() ? "(as given)" : std::string(variant);
}

std::string check_cell(const Run& run) {
    std::vector<std::string> parts;
    if (run.check.ids_compared > 0 && run.environment.executor != "host") {
        parts.push_back(fmt::format("{} ids equal", format_count(run.check.ids_compared)));
    }
    if (run.check.attention_error) {
        parts.push_back(fmt::format("attention error {:.1e}", *run.check.attention_error));
    }
    return parts.empty() ? "none" : fmt::format("{}", fmt::join(parts, "; "));
}

Table run_table(const std::vector<Run>& runs) {
    const bool has_sides =
        std::any_of(runs.begin(), runs.end(), [](const Run& run) { return run.ab.has_value(); });
    std::vector<Column> columns{
        {"run"},
        {"variant", Align::left, Fit::elided},
        {"status"},
        {time_title(runs), Align::right},
        {"launches", Align::right},
        {"graph nodes", Align::right},
        {"graph bytes (ledger)", Align::right},
        {"check", Align::left, Fit::elided}};
    const bool has_floors = std::any_of(runs.begin(), runs.end(), [](const Run& run) {
        return over_floor(run).has_value();
    });
    constexpr int kAfterTime = 4;
    if (has_floors) {
        columns.insert(columns.begin() + kAfterTime, {"over floor", Align::right});
    }
    if (has_sides) {
        columns.insert(columns.begin() + 1, {{"side"}, {"block"}});
    }
    Table table(columns);
    for (const Run& run : runs) {
        const std::vector<Series> metrics = metrics_of(run);
        std::vector<Cell> cells{
            short_id(run.uuid),
            variant_name(run.variant),
            std::string(to_string(run.status.state)),
            figure(metrics, time_metric(run)),
            figure(metrics, "step.launches"),
            figure(metrics, "graph.nodes"),
            figure(metrics, "ledger.graph.bytes"),
            check_cell(run)};
        if (has_floors) {
            cells.insert(cells.begin() + kAfterTime, over_floor_cell(over_floor(run)));
        }
        if (has_sides) {
            cells.insert(cells.begin() + 1, {side_letter(run), block_cell(run)});
        }
        table.add(std::move(cells));
    }
    return table;
}

std::string describe_runs(const std::vector<Run>& runs) {
    const auto count = [&](RunState state) {
        return std::count_if(runs.begin(), runs.end(), [&](const Run& run) {
            return run.status.state == state;
        });
    };
    const auto voided = count(RunState::voided);
    const auto partial = std::count_if(runs.begin(), runs.end(), is_partial);
    std::string words = fmt::format(
        "{} of {} runs complete", count(RunState::complete) - partial, std::ssize(runs) - voided
    );
    words += partial == 0 ? std::string() : fmt::format(", {} partial", partial);
    return voided == 0 ? words : fmt::format("{}, {} void", words, voided);
}

std::string describe_design(const AbDesign& design) {
    std::string words = fmt::format(
        "A: {}; B: {}; ABBA blocks, {}{} runs a side, seed {}",
        variant_name(design.a),
        variant_name(design.b),
        design.looks > 1 ? "at most " : "",
        design.runs,
        design.seed
    );
    words += design.looks > 1 ? fmt::format(", {} looks share alpha", design.looks) : "";
    words += design.attempt > 1 ? fmt::format(", attempt {}", design.attempt) : "";
    words += design.treatment.empty()
                 ? "; no field is meant to differ"
                 : fmt::format("; meant to differ: {}", fmt::join(design.treatment, ", "));
    return words;
}

std::vector<std::string> run_remarks(const std::vector<Run>& runs) {
    std::vector<std::string> lines;
    for (const Run& run : runs) {
        const std::string who = fmt::format("{} {}", short_id(run.uuid), variant_name(run.variant));
        if (run.status.state != RunState::complete) {
            lines.push_back(
                fmt::format("{}: {}: {}", who, to_string(run.status.state), run.status.reason)
            );
        }
        for (const std::string& note : run.notes) {
            lines.push_back(fmt::format("{}: {}", who, note));
        }
        const auto discarded =
            std::count_if(run.samples.begin(), run.samples.end(), [](const Sample& sample) {
                return sample.discarded.has_value();
            });
        if (discarded > 0) {
            lines.push_back(
                fmt::format("{}: {} of {} samples discarded", who, discarded, run.samples.size())
            );
        }
    }
    return lines;
}

std::vector<std::string> environment_lines(const std::vector<Run>& runs) {
    std::vector<std::string> lines;
    for (const Run& run : runs) {
        const Environment& where = run.environment;
        if (!has_run(run) || (where.executor.empty() && where.device_name.empty())) {
            continue;
        }
        std::string line = is_imported(run) ? capture_line(run) : environment_line(run);
        if (std::find(lines.begin(), lines.end(), line) == lines.end()) {
            lines.push_back(std::move(line));
        }
    }
    return lines;
}

} // namespace kvprof::analyzers

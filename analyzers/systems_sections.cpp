#include "analyzers/systems_sections.h"

#include "analyzers/metrics_of.h"
#include "analyzers/sampled_test.h"
#include "analyzers/summary.h"
#include "capture/model/units.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <utility>

namespace kvprof::analyzers {

namespace {

/// The figures of one row of the table; absent where the run has none.
struct SystemFigures {
    std::optional<double> graph_ledger; ///< bytes that were asked for
    Bytes model_always;                 ///< bytes by the backend's formulas, on either pool
    Bytes model_added;                  ///< and those that the unified pool adds
    std::optional<double> executable;   ///< bytes of one executable of the graph
    std::optional<double> launches_out;
    std::optional<double> nodes;
    std::optional<double> time_ns;
};

SystemFigures figures_of(const Run& run) {
    const std::vector<Series> metrics = metrics_of(run);
    const auto value = [&](std::string_view id) -> std::optional<double> {
        const auto found = std::find_if(metrics.begin(), metrics.end(), [&](const Series& series) {
            return series.id == id;
        });
        return found == metrics.end() ? std::nullopt
                                      : std::optional(summarise(found->values)->median);
    };
    SystemFigures figures{
        .graph_ledger = value("ledger.graph.bytes"),
        .model_always = {},
        .model_added = {},
        .executable = value("graph.exec.bytes"),
        .launches_out = value("step.launches_out"),
        .nodes = value("graph.nodes"),
        .time_ns = value("step.gpu_time"),
    };
    for (const MemoryStat& stat : run.memory) {
        if (stat.source == MemorySource::model) {
            (stat.group == "added" ? figures.model_added : figures.model_always) += stat.bytes;
        }
    }
    return figures;
}

/// The file's name of a path, without its ending.
std::string short_name(const std::string& name_or_path) {
    const std::size_t slash = name_or_path.find_last_of('/');
    std::string name = slash == std::string::npos ? name_or_path : name_or_path.substr(slash + 1);
    if (name.ends_with(".toml")) {
        name.resize(name.size() - 5);
    }
    return name;
}

std::string stage_of(const Run& run) {
    return run.step.pool == PoolKind::statik ? "-" : std::string(to_string(run.step.stage));
}

bool is_same_system(const Run& a, const Run& b) {
    return a.step.preset == b.step.preset && a.step.attention_backend == b.step.attention_backend;
}

/// The static pool's run of the same preset and backend.
const Run* base_of(const Run& run, const std::vector<Run>& runs) {
    if (run.step.pool == PoolKind::statik) {
        return nullptr;
    }
    const auto found = std::find_if(runs.begin(), runs.end(), [&](const Run& other) {
        return other.step.pool == PoolKind::statik && is_same_system(run, other)
               && other.status.state == RunState::complete;
    });
    return found == runs.end() ? nullptr : &*found;
}

std::string bytes_cell(std::optional<double> bytes) {
    return bytes ? format_bytes(Bytes{std::llround(*bytes)}) : "-";
}

std::string signed_bytes(double change) {
    const auto bytes = std::llround(change);
    return bytes == 0 ? "0" : (bytes > 0 ? "+" : "-") + format_bytes(Bytes{std::abs(bytes)});
}

std::string launches_cell(const SystemFigures& row) {
    if (!row.launches_out || !row.nodes) {
        return "-";
    }
    return fmt::format("{:.10g} + {:.10g}", *row.launches_out, *row.nodes);
}

/// What is exact is decided by one run: less is better of both.
std::string_view exact_verdict(double change) {
    if (change == 0.0) {
        return to_string(Verdict::same);
    }
    return to_string(change > 0.0 ? Verdict::regressed : Verdict::improved);
}

/// Change of launches, graph bytes and time against the static row, and the verdicts.
std::vector<Cell> against_base(const SystemFigures& row, const Run* base) {
    if (base == nullptr) {
        return {"-", "-", "-", "-"};
    }
    const SystemFigures other = figures_of(*base);
    std::vector<std::string> verdicts;
    std::string launches = "-";
    if (row.launches_out && other.launches_out && row.nodes && other.nodes) {
        const double change = *row.launches_out + *row.nodes - *other.launches_out - *other.nodes;
        launches = change == 0.0 ? "0" : fmt::format("{:+.10g}", change);
        verdicts.push_back(fmt::format("launches {}", exact_verdict(change)));
    }
    std::string graph = "-";
    if (row.graph_ledger && other.graph_ledger) {
        const double change = *row.graph_ledger - *other.graph_ledger;
        graph = signed_bytes(change);
        verdicts.push_back(fmt::format("graph memory {}", exact_verdict(change)));
    }
    std::string time = "-";
    if (row.time_ns && other.time_ns && *other.time_ns > 0.0) {
        time = fmt::format("{:+.2f} %", (*row.time_ns / *other.time_ns - 1.0) * 100.0);
        verdicts.push_back(fmt::format("time {}", to_string(Verdict::inconclusive)));
    }
    return {launches, graph, time, fmt::format("{}", fmt::join(verdicts, ", "))};
}

Table table_of(const std::vector<const Run*>& rows, const std::vector<Run>& runs) {
    Table table(
        {{"backend"},
         {"pool"},
         {"stage"},
         {"page", Align::right},
         {"batch", Align::right},
         {"KV tokens", Align::right},
         {"graph, ledger", Align::right},
         {"graph, model: always", Align::right},
         {"added", Align::right},
         {"executable", Align::right},
         {"launches: before + in graph", Align::right},
         {"step", Align::right},
         {"launches vs static", Align::right},
         {"graph vs static", Align::right},
         {"step vs static", Align::right},
         {"verdict"}}
    );
    for (const Run* run : rows) {
        const SystemFigures figures = figures_of(*run);
        const bool is_complete = run->status.state == RunState::complete;
        std::vector<Cell> cells{
            short_name(run->step.attention_backend),
            std::string(to_string(run->step.pool)),
            stage_of(*run),
            fmt::format("{}", run->step.page_size),
            fmt::format("{}", run->step.batch),
            format_count(run->pool.schedulable_tokens),
            bytes_cell(figures.graph_ledger),
            is_complete ? format_bytes(figures.model_always) : "-",
            is_complete ? format_bytes(figures.model_added) : "-",
            bytes_cell(figures.executable),
            launches_cell(figures),
            figures.time_ns ? format_value(Unit::nanoseconds, *figures.time_ns) : "-"};
        for (Cell& cell : against_base(figures, base_of(*run, runs))) {
            cells.push_back(std::move(cell));
        }
        if (!is_complete) {
            cells.back() = std::string(to_string(run->status.state)) + ": " + run->status.reason;
        }
        table.add(std::move(cells));
    }
    return table;
}

/// Systems that were not measured, those of one preset, backend and reason in one row.
Section missing_section(const std::vector<Run>& runs) {
    struct Missing {
        const Run* first;
        std::vector<std::string> forms;
    };

    std::vector<Missing> rows;
    for (const Run& run : runs) {
        if (run.status.state != RunState::not_run) {
            continue;
        }
        const std::string form = run.step.pool == PoolKind::statik
                                     ? "static"
                                     : fmt::format("unified {}", to_string(run.step.stage));
        const auto same = std::find_if(rows.begin(), rows.end(), [&](const Missing& row) {
            return is_same_system(*row.first, run) && row.first->status.reason == run.status.reason;
        });
        if (same == rows.end()) {
            rows.push_back({&run, {form}});
        } else {
            same->forms.push_back(form);
        }
    }
    if (rows.empty()) {
        return {"not run", std::nullopt, {}};
    }
    Table table({{"preset"}, {"backend"}, {"rows", Align::right}, {"pool and stage"}, {"reason"}});
    for (const Missing& row : rows) {
        table.add(
            {short_name(row.first->step.preset),
             short_name(row.first->step.attention_backend),
             fmt::format("{}", row.forms.size()),
             fmt::format("{}", fmt::join(row.forms, ", ")),
             row.first->status.reason}
        );
    }
    return {"not run", std::move(table), {}};
}

} // namespace

std::string describe_systems(const std::vector<Run>& runs) {
    std::map<RunState, std::size_t> counts;
    for (const Run& run : runs) {
        ++counts[run.status.state];
    }
    std::vector<std::string> words;
    for (const auto& [state, count] : counts) {
        words.push_back(fmt::format("{} {}", count, to_string(state)));
    }
    return fmt::format("{} systems: {}", runs.size(), fmt::join(words, ", "));
}

std::vector<std::string> systems_remarks(const std::vector<Run>& runs) {
    std::vector<std::pair<std::string, std::size_t>> remarks;
    const auto count = [&](const std::string& text) {
        const auto same = std::find_if(remarks.begin(), remarks.end(), [&](const auto& remark) {
            return remark.first == text;
        });
        if (same == remarks.end()) {
            remarks.emplace_back(text, 1);
        } else {
            ++same->second;
        }
    };
    for (const Run& run : runs) {
        if (run.status.state == RunState::not_run) {
            continue;
        }
        std::for_each(run.notes.begin(), run.notes.end(), count);
        if (std::any_of(run.samples.begin(), run.samples.end(), [](const Sample& sample) {
                return sample.discarded.has_value();
            })) {
            count("samples were discarded");
        }
    }
    std::vector<std::string> lines;
    for (const auto& [text, rows] : remarks) {
        lines.push_back(fmt::format("{} row{}: {}", rows, rows == 1 ? "" : "s", text));
    }
    return lines;
}

std::vector<Section> systems_sections(const std::vector<Run>& runs) {
    std::vector<std::string> presets;
    std::map<std::string, std::vector<const Run*>> rows;
    for (const Run& run : runs) {
        if (run.status.state == RunState::not_run) {
            continue;
        }
        std::vector<const Run*>& of_preset = rows[run.step.preset];
        if (of_preset.empty()) {
            presets.push_back(run.step.preset);
        }
        of_preset.push_back(&run);
    }
    std::vector<Section> sections;
    for (const std::string& preset : presets) {
        sections.push_back({short_name(preset), table_of(rows[preset], runs), {}});
    }
    Section missing = missing_section(runs);
    if (missing.table) {
        sections.push_back(std::move(missing));
    }
    return sections;
}

} // namespace kvprof::analyzers

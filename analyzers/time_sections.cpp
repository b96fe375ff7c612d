#include "analyzers/metric.h"
#include "analyzers/pass_times.h"
#include "analyzers/run_sections.h"
#include "analyzers/time_ledger.h"
#include "capture/model/units.h"

#include <fmt/format.h>

namespace kvprof::analyzers {

namespace {

std::string duration(double ns) {
    return format_duration_ns(ns);
}

/// "12.1 .. 12.9 us"; "-" without an interval.
std::string interval_cell(const std::optional<Interval>& interval) {
    return interval ? fmt::format("{} .. {}", duration(interval->low), duration(interval->high))
                    : "-";
}

std::string percent(double part, double whole) {
    return whole > 0.0 ? fmt::format("{:.1f} %", 100.0 * part / whole) : "-";
}

std::string note_of(const TimeLine& line, const TimeLedger& ledger) {
    switch (line.part) {
    case TimePart::op: return {};
    case TimePart::overlap: return "durations added up, less the time in which any record ran";
    case TimePart::gap: return ledger.has_long_gaps ? "not to be quoted" : "inside a step";
    case TimePart::tail: return "from the last record to the next step's first";
    case TimePart::unexplained:
        return fmt::format(
            "{} {} that clock and batches leave open; {} a batch, at its two ends",
            ledger.is_finding() ? "over the" : "within the",
            duration(ledger.unexplained_limit),
            duration(ledger.unexplained_per_batch)
        );
    }
    return {};
}

void add_tracing_rows(const TimeLedger& ledger, Table& table) {
    if (!ledger.untraced) {
        return;
    }
    const double cost = *ledger.tracing_cost();
    table.add(
        {"tracing cost",
         duration(-cost),
         "-",
         percent(-cost, ledger.traced.value),
         ledger.records > 0.0 ? fmt::format(
             "{} for each of {:.1f} records", duration(cost / ledger.records), ledger.records
         )
                              : std::string()}
    );
    table.add(
        {"= untraced step",
         duration(ledger.untraced->value),
         interval_cell(ledger.untraced->interval),
         percent(ledger.untraced->value, ledger.traced.value),
         "median of the timing pass"}
    );
}

void add_host_rows(const Run& run, Table& table) {
    if (!run.host_times || run.host_times->steps <= 0) {
        return;
    }
    const HostTimes& times = *run.host_times;
    const auto add = [&](const char* name, std::chrono::nanoseconds time) {
        const double each = static_cast<double>(time.count()) / static_cast<double>(times.steps);
        table.add({name, duration(each), "-", "-", "runs beside the device; untraced"});
    };
    add("host: before the replay", times.before);
    add("host: graph launch", times.launch);
    add("host: after", times.after);
}

void add_timing_row(const Run& run, Table& table) {
    const std::optional<Estimate> step = untraced_step(run);
    if (!step) {
        return;
    }
    std::int64_t replays = 0;
    std::int64_t kept = 0;
    for (const Sample& sample : run.samples) {
        replays += sample.discarded ? 0 : sample.replays;
        kept += sample.discarded ? 0 : 1;
    }
    table.add(
        {std::string(to_string(Pass::timing)),
         format_count(replays),
         format_count(kept),
         duration(step->value),
         interval_cell(step->interval),
         "-",
         "median, untraced"}
    );
}

Table ledger_table() {
    return Table(
        {{"part"},
         {"per step", Align::right},
         {"95 %", Align::right},
         {"of the traced step", Align::right},
         {"note"}}
    );
}

} // namespace

Section passes_section(const Run& run) {
    Section section{"passes, each a process of its own", std::nullopt, {}};
    const std::vector<PassTime> times = pass_times(run);
    if (times.empty()) {
        return section;
    }
    Table table(
        {{"pass"},
         {"steps", Align::right},
         {"batches", Align::right},
         {"step", Align::right},
         {"95 %", Align::right},
         {"profiler_overhead", Align::right},
         {"step is"}}
    );
    add_timing_row(run, table);
    for (const PassTime& time : times) {
        table.add(
            {std::string(to_string(time.pass)),
             format_count(time.steps),
             format_count(time.batches),
             duration(time.step.value),
             interval_cell(time.step.interval),
             time.overhead ? fmt::format("{:.3f}", *time.overhead) : std::string("-"),
             "mean, traced"}
        );
    }
    section.table = std::move(table);
    if (!run.graph_spans.empty()) {
        std::vector<double> spans;
        for (const std::chrono::nanoseconds span : run.graph_spans) {
            spans.push_back(static_cast<double>(span.count()));
        }
        const Estimate span = median_with_interval(std::move(spans));
        section.lines.push_back(fmt::format(
            "graph pass: a replay spans {} (median of {}) from its first node's start to its last "
            "one's end",
            duration(span.value),
            format_count(std::ssize(run.graph_spans))
        ));
    }
    return section;
}

Section ledger_section(const Run& run) {
    const std::optional<TimeLedger> ledger = time_ledger(run);
    Table table = ledger_table();
    if (!ledger) {
        add_host_rows(run, table);
        return {
            "host time of a step",
            table.empty() ? std::nullopt : std::optional(std::move(table)),
            {}};
    }
    const double traced = ledger->traced.value;
    for (const TimeLine& line : ledger->parts) {
        table.add(
            {name_of(line),
             duration(line.ns.value),
             interval_cell(line.ns.interval),
             percent(line.ns.value, traced),
             note_of(line, *ledger)}
        );
    }
    table.add(
        {"= traced step",
         duration(traced),
         interval_cell(ledger->traced.interval),
         percent(traced, traced),
         "by device events"}
    );
    add_tracing_rows(*ledger, table);
    add_host_rows(run, table);
    return {
        fmt::format(
            "ledger of time{} (nodes pass, as traced: means of {} steps in {} batches)",
            run.measure.op.empty()
                ? ""
                : fmt::format(
                    " of a replay, {} launches of {}", run.measure.op_launches, run.measure.op
                ),
            format_count(ledger->steps),
            format_count(ledger->batches)
        ),
        std::move(table),
        ledger->warnings};
}

} // namespace kvprof::analyzers

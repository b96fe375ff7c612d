#include "analyzers/as_double.h"
#include "analyzers/pass_times.h"
#include "analyzers/run_sections.h"
#include "analyzers/time_ledger.h"
#include "capture/model/units.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <utility>

namespace kvprof::analyzers {

namespace {

/// "2", "0.25": a count over steps.
std::string each_step(std::int64_t count, double steps) {
    const double value = as_double(count) / steps;
    return value == std::floor(value) ? format_count(static_cast<std::int64_t>(value))
                                      : fmt::format("{:.2f}", value);
}

/// "132", "132x8", "132x8x2": sizes of 1 at the end are left out.
std::string shape(const Dim3& size) {
    std::string text = fmt::format("{}", size[0]);
    if (size[1] != 1 || size[2] != 1) {
        text += fmt::format("x{}", size[1]);
    }
    return size[2] == 1 ? text : text + fmt::format("x{}", size[2]);
}

std::string percent(double part, double whole) {
    return whole > 0.0 ? fmt::format("{:.1f} %", 100.0 * part / whole) : "-";
}

/// What is known of one op in one placement.
struct OpRow {
    OpKind op{};
    Placement placement{};
    std::string stage = "-";
    std::int64_t launches = 0; ///< in a cycle
    std::optional<Estimate> ns;
    std::int64_t blocks = 0; ///< of the nodes pass
    std::int64_t ruled_blocks = 0;
    std::int64_t blocks_with_work = 0;
};

OpRow& row_of(std::vector<OpRow>& rows, OpKind op, Placement placement) {
    const auto found = std::find_if(rows.begin(), rows.end(), [&](const OpRow& row) {
        return row.op == op && row.placement == placement;
    });
    if (found != rows.end()) {
        return *found;
    }
    OpRow& row = rows.emplace_back();
    row.op = op;
    row.placement = placement;
    return row;
}

std::vector<OpRow> op_rows(const Run& run, const std::optional<TimeLedger>& ledger) {
    std::vector<OpRow> rows;
    for (const OpStat& stat : run.ops) {
        OpRow& row = row_of(rows, stat.op, stat.placement);
        row.stage = to_string(stat.stage);
        row.launches += stat.launches;
    }
    if (ledger) {
        for (const TimeLine& line : ledger->parts) {
            if (line.op && line.placement) {
                row_of(rows, *line.op, *line.placement).ns = line.ns;
            }
        }
    }
    for (const KernelStat& stat : run.kernels) {
        if (!stat.op) {
            continue;
        }
        OpRow& row = row_of(rows, *stat.op, stat.placement);
        row.blocks += stat.blocks;
        if (stat.blocks_with_work) {
            row.ruled_blocks += stat.blocks;
            row.blocks_with_work += *stat.blocks_with_work;
        }
    }
    return rows;
}

Table ops_table() {
    return Table(
        {{"op"},
         {"stage"},
         {"placement"},
         {"launches", Align::right},
         {"time, traced", Align::right},
         {"+- 95 %", Align::right},
         {"of the traced step", Align::right},
         {"blocks", Align::right},
         {"with work", Align::right}}
    );
}

std::vector<Cell> op_cells(const OpRow& row, const std::optional<TimeLedger>& ledger) {
    if (!row.ns) {
        return {"-", "-", "-"};
    }
    return {
        format_duration_ns(row.ns->value),
        row.ns->interval ? format_duration_ns(margin_of(*row.ns)) : "-",
        percent(row.ns->value, ledger->traced.value)};
}

Cell kernel_label(const KernelStat& stat) {
    switch (stat.kind) {
    case ActivityKind::kernel: return Cell::code(short_kernel_name(stat.name));
    case ActivityKind::memory_copy: return fmt::format("(copy {})", to_string(stat.copy));
    case ActivityKind::memory_set: return "(fill)";
    }
    return "";
}

std::vector<Cell> kernel_cells(const KernelStat& stat, double steps) {
    const double time = as_double(stat.time);
    const bool is_kernel = stat.kind == ActivityKind::kernel;
    const auto of_kernel = [&](std::string cell) {
        return is_kernel ? std::move(cell) : std::string("-");
    };
    return {
        kernel_label(stat),
        stat.op ? fmt::format("{} ({})", to_string(*stat.op), to_string(stat.placement))
                : std::string(op_words(stat.op)),
        each_step(stat.launches, steps),
        stat.launches > 0 ? format_duration_ns(time / as_double(stat.launches)) : "-",
        format_duration_ns(time / steps),
        of_kernel(stat.blocks > 0 ? shape(stat.grid) : "-"), // the host has no grid
        of_kernel(stat.blocks > 0 ? shape(stat.block) : "-"),
        of_kernel(format_count(stat.registers)),
        of_kernel(format_bytes(Bytes{stat.static_shared_bytes + stat.dynamic_shared_bytes})),
        of_kernel(each_step(stat.blocks, steps)),
        stat.blocks_with_work ? percent(as_double(*stat.blocks_with_work), as_double(stat.blocks))
                              : "-"};
}

/// Where the parameters of a demangled function begin: the first bracket outside template
/// arguments; the end when there is none.
std::size_t end_of_name(std::string_view name) {
    int depth = 0;
    for (std::size_t i = 0; i < name.size(); ++i) {
        depth += name[i] == '<' ? 1 : 0;
        depth -= name[i] == '>' ? 1 : 0;
        if (name[i] == '(' && depth == 0) {
            return i;
        }
    }
    return name.size();
}

/// Where the name begins: behind the last blank outside template arguments.
std::size_t start_of_name(std::string_view name) {
    int depth = 0;
    std::size_t start = 0;
    for (std::size_t i = 0; i < name.size(); ++i) {
        depth += name[i] == '<' ? 1 : 0;
        depth -= name[i] == '>' ? 1 : 0;
        if (name[i] == ' ' && depth == 0) {
            start = i + 1;
        }
    }
    return start;
}

bool is_word(char letter) {
    return std::isalnum(static_cast<unsigned char>(letter)) != 0 || letter == '_';
}

} // namespace

std::string short_kernel_name(std::string_view name) {
    std::string text(name);
    constexpr std::string_view kAnonymous = "(anonymous namespace)::";
    for (std::size_t at = text.find(kAnonymous); at != std::string::npos;
         at = text.find(kAnonymous)) {
        text.erase(at, kAnonymous.size());
    }
    text.erase(end_of_name(text));
    text.erase(0, start_of_name(text));
    for (std::size_t at = text.find("::"); at != std::string::npos; at = text.find("::")) {
        std::size_t first = at;
        while (first > 0 && is_word(text[first - 1])) {
            --first;
        }
        text.erase(first, at + 2 - first);
    }
    return text.empty() ? std::string(name) : text;
}

Section ops_section(const Run& run) {
    const std::optional<TimeLedger> ledger = time_ledger(run);
    const PassResult* const nodes = measured_pass(run, Pass::nodes);
    const double cycle = as_double(std::max<std::int64_t>(run.cycle_steps, 1));
    Table table = ops_table();
    for (const OpRow& row : op_rows(run, ledger)) {
        std::vector<Cell> cells{
            std::string(to_string(row.op)),
            row.stage,
            std::string(to_string(row.placement)),
            each_step(row.launches, cycle)};
        for (Cell& cell : op_cells(row, ledger)) {
            cells.push_back(std::move(cell));
        }
        cells.push_back(
            nodes != nullptr && nodes->steps > 0 ? each_step(row.blocks, as_double(nodes->steps))
                                                 : "-"
        );
        cells.push_back(
            row.ruled_blocks > 0
                ? percent(as_double(row.blocks_with_work), as_double(row.ruled_blocks))
                : "-"
        );
        table.add(std::move(cells));
    }
    return {"ops, of one step", table.empty() ? std::nullopt : std::optional(std::move(table)), {}};
}

Section kernels_section(const Run& run) {
    const PassResult* const nodes = measured_pass(run, Pass::nodes);
    if (nodes == nullptr || nodes->steps <= 0 || run.kernels.empty()) {
        return {};
    }
    Table table(
        {{"kernel", Align::left, Fit::elided},
         {"op", Align::left, Fit::elided},
         {"a step", Align::right},
         {"each", Align::right},
         {"per step", Align::right},
         {"grid", Align::right},
         {"block", Align::right},
         {"regs", Align::right},
         {"shared", Align::right},
         {"blocks", Align::right},
         {"with work", Align::right}}
    );
    for (const KernelStat& stat : run.kernels) {
        table.add(kernel_cells(stat, as_double(nodes->steps)));
    }
    return {"kernels (nodes pass, as traced)", std::move(table), {}};
}

} // namespace kvprof::analyzers

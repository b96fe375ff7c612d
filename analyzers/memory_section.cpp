#include "analyzers/executable_cost.h"
#include "analyzers/memory_marks.h"
#include "analyzers/pass_times.h"
#include "analyzers/run_sections.h"
#include "capture/model/units.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <string_view>
#include <utility>

namespace kvprof::analyzers {

namespace {

/// Bytes of one source, summed over equal names in order of appearance.
struct NamedBytes {
    std::string name;
    std::string group;
    Bytes bytes;
};

std::vector<NamedBytes> of_source(const Run& run, MemorySource source) {
    std::vector<NamedBytes> list;
    for (const MemoryStat& stat : run.memory) {
        if (stat.source != source) {
            continue;
        }
        const auto found = std::find_if(list.begin(), list.end(), [&](const NamedBytes& row) {
            return row.name == stat.name && row.group == stat.group;
        });
        if (found == list.end()) {
            list.push_back({stat.name, stat.group, stat.bytes});
        } else {
            found->bytes += stat.bytes;
        }
    }
    return list;
}

const NamedBytes* named(const std::vector<NamedBytes>& list, std::string_view name) {
    const auto found = std::find_if(list.begin(), list.end(), [&](const NamedBytes& row) {
        return row.name == name;
    });
    return found == list.end() ? nullptr : &*found;
}

std::string model_cell(const NamedBytes* term) {
    return term == nullptr ? "-" : fmt::format("{} ({})", format_bytes(term->bytes), term->group);
}

/// The sources of the readings, in the order of their first one, apart by whether any is not 0.
struct Sources {
    std::vector<MemorySource> shown;
    std::vector<std::string> silent; ///< names of those that read 0 at every mark
};

Sources sources_of(const std::vector<MarkReading>& readings) {
    Sources sources;
    for (const auto& [source, name] : EnumNames<MemorySource>::values) {
        const auto is_its = [wanted = source](const MarkReading& reading) {
            return reading.source == wanted;
        };
        const auto is_some = [&](const MarkReading& reading) {
            return is_its(reading) && reading.bytes != Bytes{};
        };
        if (std::any_of(readings.begin(), readings.end(), is_some)) {
            sources.shown.push_back(source);
        } else if (std::any_of(readings.begin(), readings.end(), is_its)) {
            sources.silent.emplace_back(name);
        }
    }
    return sources;
}

/// "1.00 GiB", "3.00 GiB (+1.00 GiB)", or a mark where an equal reading proves nothing.
std::string mark_cell(const MarkChange& change) {
    const std::string value = format_bytes(change.value);
    switch (change.kind) {
    case MarkReadingKind::first: return value;
    case MarkReadingKind::counted:
        if (change.change == Bytes{} || change.change == change.value) {
            return value;
        }
        return fmt::format(
            "{} ({}{})", value, change.change > Bytes{} ? "+" : "", format_bytes(change.change)
        );
    case MarkReadingKind::cached: return value + " (cached)";
    case MarkReadingKind::unresolved: return value + " (?)";
    }
    return {};
}

/// A row a mark, a column a source.
Table marks_table(
    const std::vector<MarkChange>& changes, const std::vector<MemorySource>& sources
) {
    std::vector<Column> columns{{"mark"}};
    for (const MemorySource source : sources) {
        columns.push_back({std::string(to_string(source)), Align::right});
    }
    Table table(std::move(columns));
    for (const auto& [mark, name] : EnumNames<MemoryMark>::values) {
        std::vector<Cell> cells{std::string(name)};
        for (const MemorySource source : sources) {
            const auto is_cell = [&, wanted = mark](const MarkChange& change) {
                return change.source == source && change.mark == wanted;
            };
            const auto found = std::find_if(changes.begin(), changes.end(), is_cell);
            cells.push_back(found == changes.end() ? "-" : mark_cell(*found));
        }
        table.add(std::move(cells));
    }
    return table;
}

std::string slack_line(std::optional<Bytes> slack) {
    return slack ? fmt::format(
               "(?) 0 B observed; unresolved below slack {}: so much had to be allocated before "
               "free memory moved",
               format_bytes(*slack)
           )
                 : std::string("(?) 0 B observed; unresolved, the slack is unknown");
}

} // namespace

Section memory_section(const Run& run) {
    const std::vector<NamedBytes> ledger = of_source(run, MemorySource::ledger);
    const std::vector<NamedBytes> model = of_source(run, MemorySource::model);
    Table table({{"buffer"}, {"group"}, {"ledger", Align::right}, {"model", Align::right}});
    for (const NamedBytes& row : ledger) {
        table.add({row.name, row.group, format_bytes(row.bytes), model_cell(named(model, row.name))}
        );
    }
    for (const NamedBytes& term : model) {
        if (named(ledger, term.name) == nullptr) {
            table.add({term.name, "-", "-", model_cell(&term)});
        }
    }
    Section section{
        "memory: bytes requested, beside the backend's formula",
        table.empty() ? std::nullopt : std::optional(std::move(table)),
        {}};
    for (const NamedBytes& row : of_source(run, MemorySource::device_free)) {
        section.lines.push_back(
            row.bytes == Bytes{}
                ? fmt::format("device-free {}: did not move, which proves nothing", row.name)
                : fmt::format(
                    "device-free {}: {} (a lower bound)", row.name, format_bytes(row.bytes)
                )
        );
    }
    return section;
}

Section graph_memory_section(const Run& run) {
    if (measured_pass(run, Pass::memory) == nullptr) {
        return {};
    }
    Section section{"graph memory (memory pass; in brackets: since the mark before)", {}, {}};
    const Sources sources = sources_of(run.marks);
    if (!sources.shown.empty()) {
        section.table = marks_table(mark_changes(run.marks, run.slack), sources.shown);
    }
    if (!sources.silent.empty()) {
        section.lines.push_back(
            fmt::format("0 B at every mark: {}", fmt::join(sources.silent, ", "))
        );
    }
    section.lines.push_back(slack_line(run.slack));
    section.lines.emplace_back("(cached) the ledger grew, and a block that was held served it");
    if (!run.executables.empty()) {
        section.lines.push_back(
            "executables: " + describe(executable_cost(run.executables), run.slack)
        );
    }
    return section;
}

} // namespace kvprof::analyzers

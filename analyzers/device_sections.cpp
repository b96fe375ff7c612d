#include "analyzers/device_words.h"
#include "analyzers/run_sections.h"
#include "capture/model/units.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>

namespace kvprof::analyzers {

namespace {

using Reading = std::optional<std::int64_t> DeviceState::*;

std::string plain(std::int64_t value) {
    return fmt::format("{}", value);
}

std::string watts(std::int64_t milliwatts) {
    constexpr double kMilli = 1000.0;
    return fmt::format("{:.1f}", static_cast<double>(milliwatts) / kMilli);
}

std::string bytes(std::int64_t count) {
    return format_bytes(Bytes{count});
}

struct ReadingRow {
    const char* name;
    Reading reading;
    std::string (*format)(std::int64_t);
};

constexpr std::array kRows{
    ReadingRow{"SM clock, MHz", &DeviceState::sm_clock_mhz, plain},
    ReadingRow{"memory clock, MHz", &DeviceState::memory_clock_mhz, plain},
    ReadingRow{"temperature, C", &DeviceState::temperature_c, plain},
    ReadingRow{"power, W", &DeviceState::power_mw, watts},
    ReadingRow{"used memory", &DeviceState::used_bytes, bytes},
    ReadingRow{"utilization, %", &DeviceState::utilization_percent, plain}};

/// The values of `when` in order, "before", "during", "after" as they come.
std::vector<std::string> moments_of(const Run& run) {
    std::vector<std::string> moments;
    for (const DeviceState& state : run.states) {
        if (std::find(moments.begin(), moments.end(), state.when) == moments.end()) {
            moments.push_back(state.when);
        }
    }
    return moments;
}

/// "1980", "1755 .. 1980", "-" when NVML did not tell.
std::string range_cell(const Run& run, const std::string& when, const ReadingRow& row) {
    std::vector<std::int64_t> values;
    for (const DeviceState& state : run.states) {
        if (state.when == when && state.*row.reading) {
            values.push_back(*(state.*row.reading));
        }
    }
    if (values.empty()) {
        return "-";
    }
    const auto [least, most] = std::minmax_element(values.begin(), values.end());
    const std::string low = row.format(*least);
    const std::string high = row.format(*most);
    return low == high ? low : fmt::format("{} .. {}", low, high);
}

/// "clocks during: SW power cap (in 3 of 40 readings)", one line for each reading's words.
std::vector<std::string> reason_lines(const Run& run, const std::string& when) {
    std::vector<std::pair<std::string, std::int64_t>> words;
    std::int64_t readings = 0;
    for (const DeviceState& state : run.states) {
        if (state.when != when || !state.event_reasons) {
            continue;
        }
        ++readings;
        const std::string text = clock_event_words(*state.event_reasons);
        const auto found = std::find_if(words.begin(), words.end(), [&](const auto& entry) {
            return entry.first == text;
        });
        if (found == words.end()) {
            words.emplace_back(text, 1);
        } else {
            ++found->second;
        }
    }
    std::vector<std::string> lines;
    for (const auto& [text, count] : words) {
        lines.push_back(fmt::format(
            "why clocks are below their most, {}: {} (in {} of {} readings)",
            when,
            text,
            count,
            readings
        ));
    }
    return lines;
}

} // namespace

Section conditions_section(const Run& run) {
    Section section{"conditions", std::nullopt, {}};
    for (const Condition& condition : run.conditions) {
        section.lines.push_back(fmt::format(
            "{}: {}: {}",
            to_string(condition.kind),
            !is_void(condition.kind) ? "kept, tagged"
            : condition.pass == Pass::timing
                ? "void: times of this run are not compared"
                : fmt::format(
                    "void: figures of the {} pass are not used", to_string(condition.pass)
                ),
            condition.detail
        ));
    }
    return section;
}

Section device_section(const Run& run) {
    Section section{"device while the timing pass measured", std::nullopt, {}};
    const std::vector<std::string> moments = moments_of(run);
    if (moments.empty()) {
        return section;
    }
    std::vector<Column> columns{{"reading"}};
    for (const std::string& when : moments) {
        columns.push_back({when, Align::right});
    }
    Table table(std::move(columns));
    for (const ReadingRow& row : kRows) {
        std::vector<Cell> cells{row.name};
        for (const std::string& when : moments) {
            cells.push_back(range_cell(run, when, row));
        }
        table.add(std::move(cells));
    }
    section.table = std::move(table);
    for (const std::string& when : moments) {
        for (std::string& line : reason_lines(run, when)) {
            section.lines.push_back(std::move(line));
        }
    }
    return section;
}

} // namespace kvprof::analyzers

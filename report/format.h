#pragma once

#include "capture/model/enum_names.h"

#include <array>
#include <cstdint>
#include <utility>

namespace kvprof::report {

/// The forms of a report. docs/reports.md has a section on each.
enum class Format : std::uint8_t {
    text,
    markdown,
    markdown_table, ///< the first table of `markdown` alone, for a commit message
    html,
    json,
    jsonl,
    csv,
    junit,
    github, ///< step summary, annotations and outputs of a GitHub Actions step
    openmetrics,
    gbench, ///< Google Benchmark's JSON
    bmf,    ///< Bencher Metric Format
    benchstat,
    github_action_benchmark,
    perfetto ///< Chrome trace events
};

/// The tables of Format::csv: one file holds one of them.
enum class CsvTable : std::uint8_t { metrics, samples, kernels };

} // namespace kvprof::report

template<>
struct kvprof::EnumNames<kvprof::report::Format> {
    using enum kvprof::report::Format;
    static constexpr std::array values{
        std::pair{text, "text"},
        std::pair{markdown, "md"},
        std::pair{markdown_table, "md-table"},
        std::pair{html, "html"},
        std::pair{json, "json"},
        std::pair{jsonl, "jsonl"},
        std::pair{csv, "csv"},
        std::pair{junit, "junit"},
        std::pair{github, "github"},
        std::pair{openmetrics, "openmetrics"},
        std::pair{gbench, "gbench"},
        std::pair{bmf, "bmf"},
        std::pair{benchstat, "benchstat"},
        std::pair{github_action_benchmark, "github-action-benchmark"},
        std::pair{perfetto, "perfetto"}};
};

template<>
struct kvprof::EnumNames<kvprof::report::CsvTable> {
    using enum kvprof::report::CsvTable;
    static constexpr std::array values{
        std::pair{metrics, "metrics"},
        std::pair{samples, "samples"},
        std::pair{kernels, "kernels"}};
};

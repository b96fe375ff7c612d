#include "capture/import/inflated_file.h"
#include "capture/import/nsys_database.h"
#include "capture/import/nsys_events.h"
#include "capture/import/nsys_schema.h"
#include "capture/import/readers.h"

#include <fmt/format.h>

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>
#include <vector>

namespace kvprof::import {

namespace {

/// "2026.2.1" of "2026.2.1.210": without the number of the build.
std::string_view release_of(std::string_view product) {
    std::size_t dots = 0;
    for (std::size_t place = 0; place < product.size(); ++place) {
        if (product[place] == '.' && ++dots == 3) {
            return product.substr(0, place);
        }
    }
    return product;
}

std::string writer_of(const NsysSchema& schema) {
    std::string writer = "Nsight Systems";
    if (!schema.product().empty()) {
        writer += fmt::format(" {}", release_of(schema.product()));
    }
    if (!schema.version().empty()) {
        writer += fmt::format(", schema {}", schema.version());
    }
    return writer;
}

/// Whether the recorder was set to write a graph's replay as one row. The table holds environments
/// of processes as well: no row but the mode's is read.
bool is_graph_level(NsysDatabase& database, const NsysSchema& schema) {
    const auto table = schema.find("META_DATA_CAPTURE");
    if (!table) {
        return false;
    }
    NsysRows rows(
        database,
        schema.select(*table, {{"value", true}, {"name", true}})
            + " WHERE name = 'CUDA_GRAPH_TRACE_OPTIONS:MODE'"
              " OR name GLOB 'PROCESS_[0-9]*:CUDA_GRAPH_TRACE_OPTIONS:MODE'"
    );
    bool is_graph = false;
    while (rows.next()) {
        is_graph = is_graph || (rows.is_text(0) && rows.text(0) == "Graph");
    }
    return is_graph;
}

std::int64_t count_losses(NsysDatabase& database, const NsysSchema& schema) {
    const auto table = schema.find("DIAGNOSTIC_EVENT");
    if (!table || !table->has("text")) {
        return 0;
    }
    NsysRows rows(
        database,
        fmt::format(
            "SELECT count(*) FROM main.{} WHERE text LIKE '%dropped%' OR text LIKE '%lost%' "
            "OR text LIKE '%incomplete%'",
            sql_name(table->name)
        )
    );
    return rows.next() ? rows.integer(0) : 0;
}

Capability graph_kernels(const NsysEvents& events, bool is_graph) {
    if (events.graph_replays() > 0) {
        return Capability::absent;
    }
    if (events.graph_kernels() > 0) {
        return Capability::carried;
    }
    return is_graph ? Capability::absent : Capability::unknown;
}

void warn_of(NsysDatabase& database, const NsysSchema& schema, ProfileBuilder& to) {
    if (!schema.is_known()) {
        const std::string& version = schema.version();
        to.warn(
            "schema-version",
            fmt::format(
                "the schema {} is not one of 2.9 to 3.25 that this reader knows: its tables were "
                "read by the names known",
                version.empty() ? "without a version" : version
            )
        );
    }
    if (const std::int64_t losses = count_losses(database, schema); losses > 0) {
        to.warn(
            "recorder-losses",
            "the recorder said that events were dropped or lost, or that its data is incomplete",
            losses
        );
    }
}

void warn_of(const NsysStrings& strings, ProfileBuilder& to) {
    if (strings.dangling() > 0) {
        to.warn(
            "dangling-name",
            "names of kernels or calls are not in StringIds: they are shown as ?",
            strings.dangling()
        );
    }
    if (strings.repairs() > 0) {
        to.warn(
            "invalid-utf8",
            "names were no UTF-8: U+FFFD stands for what could not be read",
            strings.repairs()
        );
    }
}

/// Calls of processes without GPU work count with the first rank.
void name_ranks(const std::vector<ProcessRank>& ranks, ProfileBuilder& to) {
    for (const auto& [process, rank] : ranks) {
        to.set_rank_of(process, rank);
    }
    if (!ranks.empty()) {
        to.set_rank(ranks.front().rank);
    }
}

void read(NsysDatabase& database, const ReadOptions& options, ProfileBuilder& to) {
    const NsysSchema schema(database);
    to.set_source(ProfileSource::nsys, writer_of(schema));
    warn_of(database, schema, to);

    NsysEvents events(database, schema, to);
    events.read(options);
    warn_of(events.strings(), to);
    if (const std::string gpu = events.places().gpu(); !gpu.empty()) {
        to.set_gpu(gpu);
    }
    name_ranks(events.places().ranks(), to);
    to.set_capability("cpu-ops", Capability::absent);
    to.set_capability("graph-kernels", graph_kernels(events, is_graph_level(database, schema)));
    to.set_capability(
        "memory",
        schema.has_rows("CUDA_GPU_MEMORY_USAGE_EVENTS") ? Capability::carried : Capability::unknown
    );
    database.check_unchanged();
}

} // namespace

void read_nsys(const std::filesystem::path& file, const ReadOptions& options, ProfileBuilder& to) {
    std::optional<InflatedFile> inflated;
    if (is_gzip_of_sqlite(file)) {
        std::error_code ignored; // without such a folder the usual one is tried, and named
        const std::filesystem::path folder = std::filesystem::temp_directory_path(ignored);
        inflated.emplace(file, folder.empty() ? "/tmp" : folder);
    }
    NsysDatabase database(inflated ? inflated->path() : file, file);
    read(database, options, to);
}

} // namespace kvprof::import

#include "capture/workload/backend_rules.h"

#include "capture/model/error.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <bit>
#include <optional>
#include <string>

namespace kvprof::workload {

namespace {

/// What a rule is asked about.
struct Case {
    const StepSpec& spec;
    const ModelSpec& model;
    const Backend& backend;

    [[nodiscard]] bool is_static() const { return spec.pool == PoolKind::statik; }

    [[nodiscard]] bool reads_tables() const { return backend.reads == ReadForm::table; }

    [[nodiscard]] bool has_windows() const { return model.swa.layers > 0; }
};

struct Refusal {
    std::string cause;
    std::string hint;
};

using Answer = std::optional<Refusal>;

bool is_power_of_two(std::int64_t value) {
    return std::has_single_bit(static_cast<std::uint64_t>(value));
}

bool is_listed(const Backend& backend, std::int64_t page_size) {
    const auto& sizes = backend.page_sizes;
    return sizes.empty() || std::ranges::find(sizes, page_size) != sizes.end();
}

bool divides(const Backend& backend, std::int64_t page_size) {
    return backend.page_size_divides == 0 || backend.page_size_divides % page_size == 0;
}

Answer page_size(const Case& of) {
    if (is_listed(of.backend, of.spec.page_size)) {
        return std::nullopt;
    }
    return Refusal{
        fmt::format(
            "{} takes pages of {} tokens, and --page-size is {}",
            of.backend.name,
            fmt::join(of.backend.page_sizes, ", "),
            of.spec.page_size
        ),
        fmt::format("use --page-size {}", of.backend.page_sizes.front())};
}

Answer page_size_power_of_two(const Case& of) {
    if (!of.backend.needs_power_of_two || is_power_of_two(of.spec.page_size)) {
        return std::nullopt;
    }
    return Refusal{
        fmt::format(
            "{} takes pages of a power of two of tokens, and --page-size is {}",
            of.backend.name,
            of.spec.page_size
        ),
        "use --page-size 1, 2, 4, 16, 32, 64 or 128"};
}

Answer page_size_divides(const Case& of) {
    if (divides(of.backend, of.spec.page_size)) {
        return std::nullopt;
    }
    return Refusal{
        fmt::format(
            "pages of {} need a size that divides {} tokens, and --page-size is {}",
            of.backend.name,
            of.backend.page_size_divides,
            of.spec.page_size
        ),
        fmt::format("use a --page-size that divides {}", of.backend.page_size_divides)};
}

std::array<const AttentionShape*, 2> shapes_of(const ModelSpec& model) {
    return {&model.full, &model.swa};
}

Answer rows(const Case& of) {
    for (const AttentionShape* shape : shapes_of(of.model)) {
        const bool has_mla = is_mla(*shape);
        const bool is_readable = of.backend.rows == ReadableRows::any
                                 || has_mla == (of.backend.rows == ReadableRows::mla);
        if (shape->layers > 0 && !is_readable) {
            return Refusal{
                fmt::format(
                    "{} reads {} rows, and {} has {} rows",
                    of.backend.name,
                    has_mla ? "MHA" : "MLA",
                    of.model.name,
                    has_mla ? "MLA" : "MHA"
                ),
                "kvprof run --help-backends lists what each backend reads"};
        }
    }
    return std::nullopt;
}

Answer head_dim(const Case& of) {
    for (const AttentionShape* shape : shapes_of(of.model)) {
        if (of.backend.max_head_dim > 0 && shape->head_dim > of.backend.max_head_dim) {
            return Refusal{
                fmt::format(
                    "{} reads heads of up to {} elements, and {} has heads of {}",
                    of.backend.name,
                    of.backend.max_head_dim,
                    of.model.name,
                    shape->head_dim
                ),
                "use --attention-backend triton"};
        }
    }
    return std::nullopt;
}

Answer pool(const Case& of) {
    if (of.backend.translates || of.is_static()) {
        return std::nullopt;
    }
    return Refusal{
        fmt::format(
            "{} takes ids as they are, and --pool unified hands out virtual ones", of.backend.name
        ),
        "use --pool static"};
}

Answer index_mode(const Case& of) {
    const IndexMode mode = of.spec.index_mode;
    const bool is_foreign = mode == (of.reads_tables() ? IndexMode::stream : IndexMode::table)
                            || (of.reads_tables() && mode == IndexMode::both);
    if (is_foreign) {
        return Refusal{
            fmt::format(
                "{} reads {}, which --index-mode {} does not build",
                of.backend.name,
                of.reads_tables() ? "page tables" : "a stream",
                to_string(mode)
            ),
            of.reads_tables() ? "use --index-mode table, or rectangle"
                              : "use --index-mode stream, rectangle or both"};
    }
    const bool needs_virtual =
        mode == IndexMode::both || (mode == IndexMode::rectangle && of.reads_tables());
    if (of.is_static() && needs_virtual) {
        return Refusal{
            fmt::format(
                "--index-mode {} of {} translates virtual pages, and --pool static has none",
                to_string(mode),
                of.backend.name
            ),
            "use --pool unified, or leave out --index-mode"};
    }
    return std::nullopt;
}

Answer metadata_form(const Case& of) {
    const auto& forms = of.backend.forms;
    if (std::ranges::find(forms, of.spec.metadata) != forms.end()) {
        return std::nullopt;
    }
    std::vector<std::string_view> names;
    for (const MetadataForm form : forms) {
        names.push_back(to_string(form));
    }
    return Refusal{
        fmt::format("{} has no --metadata {}", of.backend.name, to_string(of.spec.metadata)),
        fmt::format("it has {}", fmt::join(names, ", "))};
}

Answer fused_metadata(const Case& of) {
    const std::array<std::pair<std::string, bool>, 3> kOthers{{
        {fmt::format("--dcp {}, whose ranks gather their own ids", of.spec.dcp), of.spec.dcp > 1},
        {fmt::format("--verify {}, which has row starts of its own", to_string(of.spec.verify)),
         of.spec.verify != VerifyMode::off},
        {"--grid ctx, whose blocks belong to columns", of.spec.grid == Grid::ctx},
    }};
    for (const auto& [other, is_set] : kOthers) {
        if (is_set && fuses_metadata(of.spec, of.backend)) {
            return Refusal{
                fmt::format(
                    "--metadata fused of {} is one launch for all index work, and goes without {}",
                    of.backend.name,
                    other
                ),
                "use --metadata plain"};
        }
    }
    return std::nullopt;
}

Answer dcp_reads(const Case& of) {
    if (of.spec.dcp == 1) {
        return std::nullopt;
    }
    if (of.reads_tables()) {
        return Refusal{
            fmt::format(
                "{} reads tables, and under --dcp {} reads are deferred to the rank's own gather "
                "of a stream",
                of.backend.name,
                of.spec.dcp
            ),
            "use a backend that reads a stream, or --dcp 1"};
    }
    const bool is_held = of.spec.index_mode == IndexMode::rectangle && !of.is_static();
    if (of.spec.index_mode != IndexMode::stream && !is_held) {
        return Refusal{
            fmt::format(
                "under --dcp {} nothing fills the table of --index-mode {}",
                of.spec.dcp,
                to_string(of.spec.index_mode)
            ),
            "use --index-mode stream"};
    }
    return std::nullopt;
}

Answer dcp_windows(const Case& of) {
    if (of.spec.dcp == 1 || !of.has_windows()) {
        return std::nullopt;
    }
    return Refusal{
        fmt::format(
            "{} has sliding windows, whose pools --dcp {} does not deal over ranks",
            of.model.name,
            of.spec.dcp
        ),
        "use --dcp 1, or a preset without sliding windows"};
}

Answer dcp_alone(const Case& of) {
    const std::array<std::pair<const char*, bool>, 3> kOthers{{
        {"--churn", of.spec.churn > 0.0},
        {"--consumers", of.spec.consumers > 1},
        {"--verify", of.spec.verify != VerifyMode::off},
    }};
    for (const auto& [option, is_set] : kOthers) {
        if (of.spec.dcp > 1 && is_set) {
            return Refusal{
                fmt::format("--dcp {} goes without {}", of.spec.dcp, option),
                fmt::format("leave out {}, or use --dcp 1", option)};
        }
    }
    return std::nullopt;
}

Answer verify(const Case& of) {
    constexpr std::int64_t kMostDrafts = 4096; // sizes the buffers of a step's tokens
    const bool verifies = of.spec.verify != VerifyMode::off;
    if (!verifies || (of.spec.delta >= 1 && of.spec.delta <= kMostDrafts)) {
        return std::nullopt;
    }
    return Refusal{
        fmt::format(
            "--verify {} needs 1 to {} draft tokens a lane, and --delta is {}",
            to_string(of.spec.verify),
            kMostDrafts,
            of.spec.delta
        ),
        "use --delta 4, or leave out --verify"};
}

Answer consumers(const Case& of) {
    const bool shares_table =
        of.spec.index_mode == IndexMode::rectangle && (of.reads_tables() || of.is_static());
    if (of.spec.consumers == 1 || !shares_table) {
        return std::nullopt;
    }
    return Refusal{
        fmt::format(
            "--consumers {} of {} would all read the one table of --index-mode rectangle",
            of.spec.consumers,
            of.backend.name
        ),
        "use --index-mode table or stream, or --consumers 1"};
}

Answer id_space(const Case& of) {
    if (of.spec.id_space == IdSpace::blocks || !of.is_static()) {
        return std::nullopt;
    }
    return Refusal{
        "a static pool's ids count tokens as they are, so --id-space physical has no effect",
        "use --pool unified, or leave out --id-space"};
}

Answer compact_pages(const Case& of) {
    const std::array<std::pair<const char*, bool>, 2> kOthers{{
        {"--pool static, whose pages never move", of.is_static()},
        {"--churn, whose lists name the places of pages", of.spec.churn > 0.0},
    }};
    for (const auto& [option, is_set] : kOthers) {
        if (of.spec.compact_pages > 0 && is_set) {
            return Refusal{
                fmt::format("--compact-pages {} goes without {}", of.spec.compact_pages, option),
                "leave one of them out"};
        }
    }
    return std::nullopt;
}

struct Rule {
    std::string_view name;
    Answer (*ask)(const Case& of);
};

constexpr std::array kRules{
    Rule{"page-size", page_size},
    Rule{"page-size-power-of-two", page_size_power_of_two},
    Rule{"page-size-divides", page_size_divides},
    Rule{"rows", rows},
    Rule{"head-dim", head_dim},
    Rule{"pool", pool},
    Rule{"index-mode", index_mode},
    Rule{"metadata-form", metadata_form},
    Rule{"fused-metadata", fused_metadata},
    Rule{"dcp-reads", dcp_reads},
    Rule{"dcp-windows", dcp_windows},
    Rule{"dcp-alone", dcp_alone},
    Rule{"verify", verify},
    Rule{"consumers", consumers},
    Rule{"id-space", id_space},
    Rule{"compact-pages", compact_pages},
};

} // namespace

bool takes_page_size(const Backend& backend, std::int64_t page_size) {
    return is_listed(backend, page_size) && divides(backend, page_size)
           && (is_power_of_two(page_size) || !backend.needs_power_of_two);
}

void check_backend(const StepSpec& spec, const ModelSpec& model, const Backend& backend) {
    const Case of{spec, model, backend};
    for (const Rule& rule : kRules) {
        if (const Answer refusal = rule.ask(of)) {
            throw UsageError(
                fmt::format("could not plan the step: rule {}: {}", rule.name, refusal->cause),
                refusal->hint
            );
        }
    }
}

std::vector<std::string_view> backend_rules() {
    std::vector<std::string_view> names;
    for (const Rule& rule : kRules) {
        names.push_back(rule.name);
    }
    return names;
}

} // namespace kvprof::workload

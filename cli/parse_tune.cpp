#include "cli/parse_tune.h"

#include "capture/model/units.h"
#include "cli/parse_common.h"
#include "kernels/launch_geometry.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <iterator>
#include <utility>

namespace kvprof::cli {

namespace {

constexpr const char* kTuning = "Tuning";

/// Options that each candidate or shape sets.
constexpr std::array<std::pair<const char*, const char*>, 10> kOwn{{
    {"op", "OP"},
    {"batch", "--shape"},
    {"seq-len", "--shape"},
    {"length-law", "--shape"},
    {"long-len", "--shape"},
    {"index-split", "--split"},
    {"index-threads", "--threads"},
    {"index-items", "--items"},
    {"index-blocks", "--blocks"},
    {"launch-edges", "--edges"},
}};

OpKind read_op(const std::string& text) {
    std::vector<std::string_view> names;
    for (const auto& [op, name] : EnumNames<OpKind>::values) {
        if (experiment::can_tune(op)) {
            names.emplace_back(name);
        }
    }
    if (std::find(names.begin(), names.end(), text) == names.end()) {
        refuse_choice("the op", text, names);
    }
    return *parse_enum<OpKind>(text);
}

/// Replaces the values of an axis; without one, adds it.
void take(std::vector<experiment::Vary>& choices, experiment::Vary axis) {
    const auto same = std::find_if(choices.begin(), choices.end(), [&](const auto& one) {
        return one.field == axis.field;
    });
    if (same == choices.end()) {
        choices.push_back(std::move(axis));
    } else {
        *same = std::move(axis);
    }
}

using IsCompiled = bool (*)(std::int64_t value);

/// @param compiled what there is, in words
experiment::Vary read_numbers(
    const char* option,
    const std::string& text,
    const char* field,
    IsCompiled is_compiled,
    const std::string& compiled
) {
    experiment::Vary axis{field, words_of(option, text)};
    for (const std::string& word : axis.values) {
        if (!is_compiled(parse_count(word, option))) {
            throw UsageError(
                fmt::format("could not read {}: {} is not compiled", option, word),
                fmt::format("there are {}", compiled)
            );
        }
    }
    return axis;
}

template<NamedEnum E>
experiment::Vary read_choices(const char* option, const std::string& text, const char* field) {
    experiment::Vary axis{field, words_of(option, text)};
    for (const std::string& word : axis.values) {
        E value{};
        parse_field(option + 2, word, value);
    }
    return axis;
}

template<typename List>
bool has(const List& list, std::int64_t value) {
    return std::find(list.begin(), list.end(), value) != list.end();
}

/// @param order of ids of a shape that names none
void require_once(
    std::vector<experiment::TuneShape> shapes,
    const std::vector<std::string>& texts,
    Fragmentation order
) {
    auto text = texts.begin();
    for (auto shape = shapes.begin(); shape != shapes.end(); ++shape, ++text) {
        shape->order = shape->order.value_or(order);
        if (std::find(shapes.begin(), shape, *shape) != shape) {
            throw UsageError(
                fmt::format("could not read --shape: {} is there twice", *text),
                fmt::format("a shape without an order has {} ids", to_string(order))
            );
        }
    }
}

/// No choice reaches a kernel whose grid is baked from the context.
void refuse_context_grid(const StepSpec& step) {
    const bool is_early = step.stage == HistoryStage::before && step.grid == Grid::automatic;
    if (step.grid == Grid::ctx || is_early) {
        throw UsageError(
            fmt::format(
                "could not lay out the tuning: {} has a geometry of its own",
                is_early ? "--stage before has --grid ctx, which" : "--grid ctx"
            ),
            "--grid bs"
        );
    }
}

} // namespace

void TuneTexts::add_to(CLI::App& verb) {
    const auto list = [&](const char* option, std::string& text, const char* doc) {
        return verb.add_option(option, text, doc)->type_name("A,B")->group(kTuning);
    };
    verb.add_option(
            "--shape",
            shapes,
            "BATCHxLEN lanes, +LONG for one longer lane more, :identity, :random or :compacted for "
            "the order of ids; repeatable"
    )
        ->take_all()
        ->allow_extra_args(false)
        ->type_name("SHAPE")
        ->group(kTuning);
    list("--threads", threads, "threads of a block (default: all that are compiled)");
    list("--items", items, "items of a thread (default: all that are compiled)");
    list("--blocks", blocks, "blocks that a grid aims at (default: 528,1056)");
    list("--split", splits, "rows, flat, balanced (default: all)");
    list("--edges", edges, "full, programmatic (default: as shipped)");
}

experiment::TuneAxes TuneTexts::axes(const std::string& op) const {
    experiment::TuneAxes axes = experiment::default_tune_axes();
    axes.op = read_op(op);
    if (!shapes.empty()) {
        axes.shapes.clear();
        std::transform(
            shapes.begin(), shapes.end(), std::back_inserter(axes.shapes), experiment::parse_shape
        );
    }
    std::vector<experiment::Vary>& choices = axes.choices;
    if (!threads.empty()) {
        const auto is_compiled = [](std::int64_t n) { return has(kernels::kTunableThreads, n); };
        const std::string compiled = fmt::format("{}", fmt::join(kernels::kTunableThreads, ", "));
        take(choices, read_numbers("--threads", threads, "index-threads", is_compiled, compiled));
    }
    if (!items.empty()) {
        const auto is_compiled = [](std::int64_t n) { return has(kernels::kTunableItems, n); };
        const std::string compiled = fmt::format("{}", fmt::join(kernels::kTunableItems, ", "));
        take(choices, read_numbers("--items", items, "index-items", is_compiled, compiled));
    }
    if (!blocks.empty()) {
        const auto is_compiled = [](std::int64_t n) {
            return n >= 1 && n <= kernels::kMostTargetBlocks;
        };
        const std::string compiled = fmt::format("1 to {}", kernels::kMostTargetBlocks);
        take(choices, read_numbers("--blocks", blocks, "index-blocks", is_compiled, compiled));
    }
    if (!splits.empty()) {
        take(choices, read_choices<IndexSplit>("--split", splits, "index-split"));
    }
    if (!edges.empty()) {
        take(choices, read_choices<LaunchEdges>("--edges", edges, "launch-edges"));
    }
    return axes;
}

RowsOptions TuneTexts::read(const std::vector<std::string>& words, const RunTexts& run) const {
    if (words.empty()) {
        throw UsageError(
            "could not read the command line: OP missing", "kvprof tune token-stream, or page-table"
        );
    }
    checked_count(words, 1, 1);
    for (const auto& [name, instead] : kOwn) {
        if (run.gives(name)) {
            throw UsageError(
                fmt::format("could not lay out the tuning: --{} is one of what is tried", name),
                fmt::format("name them with {}", instead)
            );
        }
    }
    RowsOptions options{
        .run = run.read(), .resumes = run.resumes(), .unfinished = run.unfinished()};
    refuse_context_grid(options.run.step);
    if (!run.gives("passes")) {
        options.run.measure.passes = "timing";
    }
    DesignOptions& design = options.run.design;
    design.kind = ExperimentKind::tune;
    design.memory = run.memory();
    design.tuning = axes(words.front());
    if (!shapes.empty()) {
        require_once(design.tuning.shapes, shapes, options.run.step.fragmentation);
    }
    return options;
}

} // namespace kvprof::cli

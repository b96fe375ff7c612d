#include "capture/experiment/tune_axes.h"

#include "capture/model/error.h"
#include "capture/model/params.h"
#include "capture/model/units.h"
#include "capture/workload/index_tuning.h"
#include "kernels/balance_rules.h"
#include "kernels/launch_geometry.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <limits>
#include <string>
#include <utility>

namespace kvprof::experiment {

namespace {

[[noreturn]] void refuse(std::string_view text, std::string_view why) {
    throw UsageError(
        fmt::format("could not read --shape {}: {}", text, why),
        "write BATCHxLEN, as in 64x8224, or BATCHxLEN+LONG for one longer lane more; :identity, "
        ":random or :compacted behind it orders the ids"
    );
}

std::int64_t positive(std::string_view text, std::string_view shape) {
    constexpr auto kMost = std::numeric_limits<std::int32_t>::max(); // a lane more is no overflow
    if (text.empty()) {
        refuse(shape, "a number is missing");
    }
    const std::int64_t value = parse_count(text, fmt::format("--shape {}", shape));
    if (value < 1) {
        refuse(shape, fmt::format("{} is below 1", value));
    }
    if (value > kMost) {
        refuse(shape, fmt::format("{} is above {}", value, kMost));
    }
    return value;
}

const kernels::Tuning& shipped_of(OpKind op) {
    return op == OpKind::page_table ? kernels::kPageTableTuning : kernels::kTokenStreamTuning;
}

std::string describe(const kernels::Tuning& tuning) {
    const auto word = [&] {
        switch (tuning.split) {
        case kernels::Split::rows: return "rows";
        case kernels::Split::flat: return "flat";
        case kernels::Split::balanced: return "balanced";
        }
        return "";
    };
    return fmt::format(
        "shipped: {} threads, {} items, {} blocks, {}, {} edges",
        tuning.threads,
        tuning.items,
        format_count(tuning.target_blocks),
        word(),
        tuning.starts_early ? "programmatic" : "full"
    );
}

/// What is launched for a choice: equal shares take a vector a thread, whatever the items.
kernels::Tuning launched(kernels::Tuning tuning) {
    if (tuning.split == kernels::Split::flat) {
        tuning.items = kernels::kVector;
    }
    return tuning;
}

/// An axis of one value.
template<typename Value>
Vary only(const char* field, const Value& value) {
    return {field, {format_field(value)}};
}

template<typename List>
std::vector<std::string> words(const List& values) {
    std::vector<std::string> texts;
    for (const auto value : values) {
        texts.push_back(format_field(std::int64_t{value}));
    }
    return texts;
}

std::vector<Vary> fields_of(const TuneShape& shape, const StepSpec& base) {
    const bool has_long = shape.long_length > 0;
    std::vector<Vary> fields{
        only("batch", shape.lanes + (has_long ? 1 : 0)), only("seq-len", shape.length)};
    if (has_long) {
        fields.push_back(only("length-law", LengthLaw::one_long));
        fields.push_back(only("long-len", shape.long_length));
    }
    fields.push_back(only("fragmentation", shape.order.value_or(base.fragmentation)));
    return fields;
}

} // namespace

TuneShape parse_shape(std::string_view text) {
    TuneShape shape;
    std::string_view lanes = text;
    if (const std::size_t colon = text.find(':'); colon != std::string_view::npos) {
        const std::string option = fmt::format("shape {}", text);
        parse_field(option, text.substr(colon + 1), shape.order.emplace());
        lanes = text.substr(0, colon);
    }
    const std::size_t cross = lanes.find('x');
    if (cross == std::string_view::npos) {
        refuse(text, "there is no BATCHxLEN");
    }
    shape.lanes = positive(lanes.substr(0, cross), text);
    const std::string_view lengths = lanes.substr(cross + 1);
    const std::size_t plus = lengths.find('+');
    shape.length = positive(lengths.substr(0, plus), text);
    if (plus != std::string_view::npos) {
        shape.long_length = positive(lengths.substr(plus + 1), text);
        if (shape.long_length <= shape.length) {
            refuse(text, fmt::format("{} is no longer than {}", shape.long_length, shape.length));
        }
    }
    return shape;
}

TuneAxes default_tune_axes() {
    constexpr auto kRandom = Fragmentation::random;
    constexpr std::int64_t kMultiprocessors = 132;
    constexpr std::array kBlocks{4 * kMultiprocessors, 8 * kMultiprocessors};
    return {
        .op = OpKind::token_stream,
        .shapes =
            {{.lanes = 64, .length = 8'224, .order = kRandom},
             {.lanes = 256, .length = 8'224, .order = kRandom},
             {.lanes = 64, .length = 131'072, .order = kRandom},
             {.lanes = 64, .length = 1'024, .long_length = 1'000'000, .order = kRandom}},
        .choices =
            {{"index-split", {"rows", "flat", "balanced"}},
             {"index-threads", words(kernels::kTunableThreads)},
             {"index-items", words(kernels::kTunableItems)},
             {"index-blocks", words(kBlocks)}},
    };
}

bool can_tune(OpKind op) {
    return op == OpKind::page_table || op == OpKind::token_stream;
}

std::vector<Cell>
cells_of_tuning(const StepSpec& base, const MeasureSpec& measure, const TuneAxes& axes) {
    const kernels::Tuning& shipped = shipped_of(axes.op);
    MeasureSpec how = measure;
    how.op = to_string(axes.op);
    std::vector<Cell> cells;
    for (const TuneShape& shape : axes.shapes) {
        std::vector<Vary> fields = fields_of(shape, base);
        cells.push_back(cells_of(base, how, fields).front());
        cells.back().notes.push_back(describe(shipped));
        fields.insert(fields.end(), axes.choices.begin(), axes.choices.end());
        std::vector<kernels::Tuning> seen{shipped};
        for (Cell& cell : cells_of(base, how, fields)) {
            const kernels::Tuning tuning = launched(workload::tuned(cell.step, shipped));
            if (std::find(seen.begin(), seen.end(), tuning) == seen.end()) {
                seen.push_back(tuning);
                cells.push_back(std::move(cell));
            }
        }
    }
    return cells;
}

} // namespace kvprof::experiment

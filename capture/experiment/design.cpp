#include "capture/experiment/design.h"

#include "capture/model/error.h"
#include "capture/model/params.h"
#include "capture/workload/backend.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

namespace kvprof::experiment {

namespace {

constexpr std::size_t kMaxCells = 10'000;

/// @throws UsageError that names the nearest field of either specification.
[[noreturn]] void refuse_field(std::string_view field) {
    std::vector<std::string_view> names;
    const auto collect = [&](const FieldInfo& info, const auto&) { names.emplace_back(info.name); };
    const StepSpec step;
    const MeasureSpec measure;
    visit_fields(step, collect);
    visit_fields(measure, collect);
    const std::string_view close = nearest(field, names);
    throw UsageError(
        fmt::format("could not set \"{}\": there is no such field", field),
        close.empty() ? "kvprof run --help lists the fields"
                      : fmt::format("did you mean \"{}\"?", close)
    );
}

void apply(Cell& cell, const std::string& field, const std::string& value) {
    set_option(cell, field, value);
    cell.variant += fmt::format("{}{}={}", cell.variant.empty() ? "" : " ", field, value);
}

/// The value as it is stored: 1Ki becomes 1024.
std::string stored_form(const std::string& field, const std::string& value) {
    Cell cell;
    apply(cell, field, value);
    for (const auto& params : {to_params(cell.step), to_params(cell.measure)}) {
        for (const Param& param : params) {
            if (param.name == field) {
                return param.value;
            }
        }
    }
    return value;
}

/// Two spellings of one value would be two variants that differ in nothing.
void check_values(const Vary& axis) {
    std::map<std::string, std::string> spelled;
    for (const std::string& value : axis.values) {
        const auto [other, is_new] = spelled.emplace(stored_form(axis.field, value), value);
        if (!is_new) {
            throw UsageError(fmt::format(
                "could not vary \"{}\": {} and {} are one value", axis.field, other->second, value
            ));
        }
    }
}

void check_axes(const std::vector<Vary>& varies) {
    std::size_t cells = 1;
    for (auto axis = varies.begin(); axis != varies.end(); ++axis) {
        const auto same_field = [&](const Vary& other) { return other.field == axis->field; };
        if (std::any_of(varies.begin(), axis, same_field)) {
            throw UsageError(
                fmt::format("could not vary \"{}\": it is varied twice", axis->field),
                fmt::format("list all its values once: --vary {}=A,B,C", axis->field)
            );
        }
        cells *= axis->values.size();
        if (cells > kMaxCells) {
            throw UsageError(
                fmt::format("could not lay out the matrix: over {} combinations", kMaxCells),
                "vary fewer fields at a time"
            );
        }
    }
    std::for_each(varies.begin(), varies.end(), check_values);
}

} // namespace

void set_option(Cell& cell, const std::string& name, const std::string& value) {
    if (name == "program") {
        cell.program = value;
    } else if (!set_field(cell.step, name, value) && !set_field(cell.measure, name, value)) {
        refuse_field(name);
    }
}

Vary parse_vary(std::string_view text) {
    const auto refuse = [&](std::string_view why) {
        throw UsageError(
            fmt::format("could not read --vary {}: {}", text, why),
            "write --vary FIELD=A,B, as in --vary index-mode=rectangle,stream"
        );
    };
    const std::size_t equals = text.find('=');
    if (equals == 0 || equals == std::string_view::npos) {
        refuse("there is no FIELD=");
    }
    Vary vary{std::string(text.substr(0, equals)), {}};
    std::string_view rest = text.substr(equals + 1);
    for (bool more = true; more;) {
        const std::size_t comma = rest.find(',');
        more = comma != std::string_view::npos;
        const std::string value(rest.substr(0, comma));
        if (value.empty()) {
            refuse("a value is empty");
        }
        if (std::find(vary.values.begin(), vary.values.end(), value) != vary.values.end()) {
            refuse(fmt::format("the value {} is there twice", value));
        }
        vary.values.push_back(value);
        rest.remove_prefix(more ? comma + 1 : 0);
    }
    return vary;
}

std::vector<Cell>
cells_of(const StepSpec& step, const MeasureSpec& measure, const std::vector<Vary>& varies) {
    check_axes(varies);
    std::vector<Cell> cells{{.variant = {}, .step = step, .measure = measure, .program = {}}};
    for (const Vary& axis : varies) {
        std::vector<Cell> wider;
        for (const Cell& cell : cells) {
            for (const std::string& value : axis.values) {
                apply(wider.emplace_back(cell), axis.field, value);
            }
        }
        cells = std::move(wider);
    }
    return cells;
}

void decide(std::vector<Cell>& cells) {
    for (Cell& cell : cells) {
        try {
            cell.step = workload::resolved(cell.step);
        } catch (const UsageError&) {
            continue;
        }
    }
}

std::vector<Slot> interleave(std::size_t cells, std::int64_t repeats) {
    std::vector<Slot> order;
    for (std::int64_t repeat = 0; repeat < repeats; ++repeat) {
        for (std::size_t i = 0; i < cells; ++i) {
            order.push_back({repeat % 2 == 0 ? i : cells - 1 - i, repeat});
        }
    }
    return order;
}

} // namespace kvprof::experiment

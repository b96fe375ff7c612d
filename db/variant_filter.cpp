#include "db/variant_filter.h"

#include "capture/model/error.h"

#include <fmt/format.h>

#include <algorithm>

namespace kvprof::db {

namespace {

std::vector<Param> params_of(const StepSpec& step, const MeasureSpec& measure) {
    std::vector<Param> params = to_params(step);
    for (Param& param : to_params(measure)) {
        params.push_back(std::move(param));
    }
    return params;
}

/// Of a run that stands on that side.
std::vector<Param> params_of(const StepSpec& step, const MeasureSpec& measure, AbSide side) {
    std::vector<Param> params = params_of(step, measure);
    params.push_back({std::string(kSideField), std::string(to_string(side))});
    return params;
}

bool has_field(std::string_view name) {
    const std::vector<Param> params = params_of({}, {}, {});
    return std::any_of(params.begin(), params.end(), [&](const Param& param) {
        return param.name == name;
    });
}

[[noreturn]] void refuse_field(std::string_view reference, std::string_view name) {
    const std::vector<Param> params = params_of({}, {}, {});
    std::vector<std::string_view> names;
    for (const Param& param : params) {
        names.emplace_back(param.name);
    }
    const std::string_view near = nearest(name, names);
    throw UsageError(
        fmt::format(R"(could not resolve "{}": "{}" is no field of a run)", reference, name),
        near.empty() ? "the fields are the options of kvprof run"
                     : fmt::format("did you mean {}?", near)
    );
}

/// The name of the field that text starts with, "batch" of "batch=8,dcp=2"; empty when none.
std::string_view leading_name(std::string_view text) {
    const std::size_t end = text.find_first_of("=/,");
    return end != std::string_view::npos && text[end] == '=' ? text.substr(0, end)
                                                             : std::string_view();
}

/// Writes the value as it is stored: 1Ki becomes 1024.
Param stored_form(std::string_view name, std::string_view value) {
    StepSpec step;
    MeasureSpec measure;
    AbSide side{};
    if (name == kSideField) {
        parse_field(name, value, side);
    } else if (!set_field(step, name, value)) {
        set_field(measure, name, value);
    }
    const std::vector<Param> params = params_of(step, measure, side);
    return *std::find_if(params.begin(), params.end(), [&](const Param& param) {
        return param.name == name;
    });
}

std::size_t filter_start(std::string_view reference) {
    std::size_t slash = reference.find('/');
    while (slash != std::string_view::npos && !has_field(leading_name(reference.substr(slash + 1)))
    ) {
        slash = reference.find('/', slash + 1);
    }
    return slash;
}

} // namespace

VariantReference split_reference(std::string_view reference) {
    VariantReference split{std::string(reference), std::string(reference), {}};
    std::size_t slash = filter_start(reference);
    if (slash == std::string_view::npos) {
        // A misspelt field is better named than the whole reference.
        const std::size_t last = reference.rfind('/');
        const std::string_view name = last == std::string_view::npos
                                          ? std::string_view()
                                          : leading_name(reference.substr(last + 1));
        if (!name.empty()) {
            refuse_field(reference, name);
        }
        return split;
    }
    split.base = reference.substr(0, slash);
    std::string_view rest = reference.substr(slash + 1);
    while (!rest.empty()) {
        const std::size_t comma = std::min(rest.find(','), rest.size());
        const std::string_view field = rest.substr(0, comma);
        const std::size_t equals = std::min(field.find('='), field.size());
        const std::string_view name = field.substr(0, equals);
        if (equals == field.size() || !has_field(name)) {
            refuse_field(reference, name);
        }
        split.fields.push_back(stored_form(name, field.substr(equals + 1)));
        rest.remove_prefix(std::min(comma + 1, rest.size()));
    }
    return split;
}

bool has_fields(const Run& run, const std::vector<Param>& fields) {
    const std::vector<Param> params =
        run.ab ? params_of(run.step, run.measure, run.ab->side) : params_of(run.step, run.measure);
    return std::all_of(fields.begin(), fields.end(), [&](const Param& field) {
        return std::find(params.begin(), params.end(), field) != params.end();
    });
}

} // namespace kvprof::db

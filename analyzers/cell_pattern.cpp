#include "analyzers/cell_pattern.h"

#include "analyzers/spec_diff.h"
#include "capture/model/error.h"

#include <fmt/format.h>
#include <fnmatch.h>

#include <algorithm>

namespace kvprof::analyzers {

namespace {

std::string_view trimmed(std::string_view text) {
    const std::size_t first = text.find_first_not_of(' ');
    if (first == std::string_view::npos) {
        return {};
    }
    return text.substr(first, text.find_last_not_of(' ') - first + 1);
}

void require_field(std::string_view name) {
    const std::vector<Param> known = params_of(StepSpec{}, MeasureSpec{});
    std::vector<std::string_view> names;
    for (const Param& param : known) {
        names.emplace_back(param.name);
    }
    if (std::find(names.begin(), names.end(), name) != names.end()) {
        return;
    }
    const std::string_view close = nearest(name, names);
    throw UsageError(
        fmt::format("could not match cases by \"{}\": there is no such field", name),
        close.empty() ? "kvprof run --help lists the fields"
                      : fmt::format("did you mean \"{}\"?", close)
    );
}

} // namespace

std::vector<Param> parse_cell_pattern(std::string_view text) {
    std::vector<Param> pattern;
    while (!text.empty()) {
        const std::size_t end = std::min(text.find(','), text.size());
        const std::string_view item = trimmed(text.substr(0, end));
        text.remove_prefix(std::min(end + 1, text.size()));
        if (item == "*") {
            continue;
        }
        const std::size_t equals = item.find('=');
        if (equals == std::string_view::npos || equals == 0 || equals + 1 == item.size()) {
            throw UsageError(
                fmt::format("could not match cases by \"{}\": it is not FIELD=VALUE", item),
                "as in batch=64,seq-len=*"
            );
        }
        const std::string_view name = item.substr(0, equals);
        const std::string_view field = name == "bs" ? "batch" : name;
        require_field(field);
        pattern.push_back({std::string(field), std::string(item.substr(equals + 1))});
    }
    return pattern;
}

bool fits(const std::vector<Param>& pattern, const std::vector<Param>& params) {
    return std::all_of(pattern.begin(), pattern.end(), [&](const Param& wanted) {
        const std::string value = value_of(params, wanted.name);
        return ::fnmatch(wanted.value.c_str(), value.c_str(), FNM_NOESCAPE) == 0;
    });
}

} // namespace kvprof::analyzers

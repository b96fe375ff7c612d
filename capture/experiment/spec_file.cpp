#include "capture/experiment/spec_file.h"

#include "capture/model/error.h"
#include "capture/model/params.h"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fstream>

namespace kvprof::experiment {

namespace {

constexpr std::string_view kStep = "step.";
constexpr std::string_view kMeasure = "measure.";
constexpr std::string_view kPass = "pass";

template<typename Spec>
void append(std::string& text, std::string_view prefix, const Spec& spec) {
    for (const Param& param : to_params(spec)) {
        if (param.value.find('\n') != std::string::npos) {
            throw UsageError(
                fmt::format("could not pass on --{}: the value holds a line break", param.name)
            );
        }
        text += fmt::format("{}{}={}\n", prefix, param.name, param.value);
    }
}

bool apply(Assignment& assignment, std::string_view key, std::string_view value) {
    if (key == kPass) {
        parse_field(kPass, value, assignment.pass);
        return true;
    }
    if (key.starts_with(kStep)) {
        return set_field(assignment.step, key.substr(kStep.size()), value);
    }
    return key.starts_with(kMeasure)
           && set_field(assignment.measure, key.substr(kMeasure.size()), value);
}

} // namespace

std::string format_assignment(const Assignment& assignment) {
    std::string text = fmt::format("{}={}\n", kPass, to_string(assignment.pass));
    append(text, kStep, assignment.step);
    append(text, kMeasure, assignment.measure);
    return text;
}

void write_assignment(const std::filesystem::path& path, const Assignment& assignment) {
    std::ofstream file(path);
    file << format_assignment(assignment) << std::flush;
    if (!file) {
        throw UnavailableError(
            fmt::format("could not write {}: {}", path.string(), std::strerror(errno)),
            "free space there, or set TMPDIR to a folder that has some"
        );
    }
}

Assignment parse_assignment(std::string_view text) {
    Assignment assignment;
    while (!text.empty()) {
        const std::size_t end = std::min(text.find('\n'), text.size());
        const std::string_view line = text.substr(0, end);
        const std::size_t equals = line.find('=');
        if (equals == std::string_view::npos
            || !apply(assignment, line.substr(0, equals), line.substr(equals + 1))) {
            throw BadDataError(fmt::format("could not read a run's options: \"{}\"", line));
        }
        text.remove_prefix(std::min(end + 1, text.size()));
    }
    return assignment;
}

} // namespace kvprof::experiment

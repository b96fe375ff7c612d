#pragma once

#include "capture/import/readers.h"
#include "capture/import/refused.h"
#include "tests/import/written_file.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace kvprof::import {

/// The profile of a trace with these bytes.
inline FileProfile read_text(std::string_view bytes, const ReadOptions& options = {}) {
    const test::WrittenFile file(bytes);
    ProfileBuilder builder(options);
    read_kineto(file.path(), options, builder);
    return builder.finish("trace.json");
}

/// An object with the given events (and members before them, each with its comma).
inline std::string trace_of(std::string_view events, std::string_view members = "") {
    std::string text = R"({"schemaVersion": 1, )";
    text += members;
    text += R"("traceEvents": [)";
    text += events;
    return text + "]}";
}

/// A kernel of 5 us that starts at 10 us, named as the JSON string says.
inline std::string kernel_named(std::string_view json_string) {
    std::string text = R"({"ph": "X", "cat": "kernel", "name": )";
    text += json_string;
    return text + R"(, "pid": 0, "tid": 7, "ts": 10, "dur": 5, "args": {"correlation": 1}})";
}

inline const std::string kKernel = kernel_named(R"("k")");

inline std::optional<std::int64_t> figure(const ProfileRank& rank, std::string_view name) {
    for (const ProfileFigure& figure : rank.figures) {
        if (figure.name == name) {
            return figure.value;
        }
    }
    return std::nullopt;
}

/// Of the only rank.
inline std::optional<std::int64_t> figure(const FileProfile& file, std::string_view name) {
    EXPECT_EQ(file.profile.ranks.size(), 1U);
    return figure(file.profile.ranks.at(0), name);
}

/// How often the profile warns with the word.
inline std::int64_t warned(const FileProfile& file, std::string_view word) {
    for (const ProfileWarning& warning : file.profile.warnings) {
        if (warning.word == word) {
            return warning.count;
        }
    }
    return 0;
}

inline std::vector<std::string> kernel_names(const FileProfile& file) {
    std::vector<std::string> names;
    for (const KernelStat& kernel : file.kernels) {
        names.push_back(kernel.name);
    }
    std::sort(names.begin(), names.end());
    return names;
}

inline Capability capability(const FileProfile& file, std::string_view name) {
    for (const ProfileCapability& capability : file.profile.capabilities) {
        if (capability.name == name) {
            return capability.state;
        }
    }
    ADD_FAILURE() << "nothing says about " << name;
    return Capability::unknown;
}

/// What is thrown for a file with these bytes.
inline RefusedError refusal_of(std::string_view bytes, const ReadOptions& options = {}) {
    try {
        static_cast<void>(read_text(bytes, options));
    } catch (const RefusedError& error) {
        EXPECT_FALSE(error.hint().empty());
        return error;
    }
    ADD_FAILURE() << "read";
    return {"none", "", ""};
}

} // namespace kvprof::import

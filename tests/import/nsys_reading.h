#pragma once

#include "capture/import/profile_builder.h"
#include "capture/import/readers.h"
#include "capture/import/refused.h"

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

namespace kvprof::test {

inline import::FileProfile
read_export(const std::filesystem::path& file, const import::ReadOptions& options = {}) {
    import::ProfileBuilder builder(options);
    import::read_nsys(file, options, builder);
    return builder.finish(file.filename().string());
}

/// A figure of a rank; absent where the profile does not give it.
inline std::optional<std::int64_t>
figure(const import::FileProfile& read, std::string_view name, std::size_t rank = 0) {
    const auto& figures = read.profile.ranks.at(rank).figures;
    const auto found = std::find_if(figures.begin(), figures.end(), [name](const auto& figure) {
        return figure.name == name;
    });
    return found == figures.end() ? std::nullopt : std::optional(found->value);
}

/// How often a warning was counted; 0 without one.
inline std::int64_t warned(const import::FileProfile& read, std::string_view word) {
    std::int64_t count = 0;
    for (const ProfileWarning& warning : read.profile.warnings) {
        count += warning.word == word ? warning.count : 0;
    }
    return count;
}

inline std::optional<Capability>
capability(const import::FileProfile& read, std::string_view name) {
    for (const ProfileCapability& capability : read.profile.capabilities) {
        if (capability.name == name) {
            return capability.state;
        }
    }
    return std::nullopt;
}

/// "word: message | hint" of a file that is refused; empty when it is read.
inline std::string refusal(const std::filesystem::path& file) {
    try {
        static_cast<void>(read_export(file));
    } catch (const import::RefusedError& error) {
        return error.word() + ": " + error.what() + " | " + error.hint();
    }
    return {};
}

} // namespace kvprof::test

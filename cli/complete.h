#pragma once

#include "capture/model/enum_names.h"
#include "cli/commands.h"

#include <cstdint>
#include <string>

namespace kvprof::cli {

/// What a shell asks for while a command is typed.
enum class Completed : std::uint8_t { references, baselines };

/// What the store of these options has, one a line: the word, a tab, what it is. Newest first;
/// empty when there is no store, and when it can not be read.
[[nodiscard]] std::string completed_words(const CommonOptions& common, Completed what) noexcept;

} // namespace kvprof::cli

template<>
struct kvprof::EnumNames<kvprof::cli::Completed> {
    using enum kvprof::cli::Completed;
    static constexpr std::array values{
        std::pair{references, "refs"}, std::pair{baselines, "baselines"}};
};

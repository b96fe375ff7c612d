#pragma once

#include "capture/model/enum_names.h"
#include "cli/commands.h"

template<>
struct kvprof::EnumNames<kvprof::cli::ColorMode> {
    using enum kvprof::cli::ColorMode;
    static constexpr std::array values{
        std::pair{automatic, "auto"}, std::pair{always, "always"}, std::pair{never, "never"}};
};

template<>
struct kvprof::EnumNames<kvprof::cli::BaselineAction> {
    using enum kvprof::cli::BaselineAction;
    static constexpr std::array values{
        std::pair{set, "set"}, std::pair{list, "ls"}, std::pair{remove, "rm"}};
};

#pragma once

#include "capture/model/enum_names.h"

#include <cstdint>
#include <string>

namespace CLI {
class App;
} // namespace CLI

namespace kvprof::cli {

enum class Shell : std::uint8_t { bash, zsh, fish };

/// What a shell reads to complete words of `kvprof`: verbs, options, the choices of an option,
/// FIELD=VALUE, files. References come from the store while the user types, by `kvprof _complete
/// refs`, which is silent on errors.
[[nodiscard]] std::string completion_script(const CLI::App& program, Shell shell);

} // namespace kvprof::cli

template<>
struct kvprof::EnumNames<kvprof::cli::Shell> {
    using enum kvprof::cli::Shell;
    static constexpr std::array values{
        std::pair{bash, "bash"}, std::pair{zsh, "zsh"}, std::pair{fish, "fish"}};
};

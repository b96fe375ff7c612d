#pragma once

#include <array>
#include <optional>
#include <string_view>
#include <utility>

namespace kvprof {

/// Specialise for an enum with `static constexpr std::array values{std::pair{E::a, "a"}, ...}`; the
/// names are the command line's, the store's and the reports' words, so they are API.
template<typename E>
struct EnumNames;

template<typename E>
concept NamedEnum = requires {
    EnumNames<E>::values;
};

template<NamedEnum E>
[[nodiscard]] constexpr std::string_view to_string(E value) {
    for (const auto& [enumerator, name] : EnumNames<E>::values) {
        if (enumerator == value) {
            return name;
        }
    }
    return "unknown";
}

template<NamedEnum E>
[[nodiscard]] constexpr std::optional<E> parse_enum(std::string_view text) {
    for (const auto& [enumerator, name] : EnumNames<E>::values) {
        if (text == name) {
            return enumerator;
        }
    }
    return std::nullopt;
}

} // namespace kvprof

#pragma once

#include <concepts>
#include <type_traits>

namespace kvprof {

/// How one field of a specification presents itself: option name, --help section (empty:
/// left out of --help), one sentence.
struct FieldInfo {
    const char* name;
    const char* section;
    const char* doc;
};

/// Spec is T or const T: lets one `visit_fields` serve readers and writers.
template<typename Spec, typename T>
concept SpecOf = std::same_as<std::remove_const_t<Spec>, T>;

} // namespace kvprof

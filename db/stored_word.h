#pragma once

#include "capture/model/enum_names.h"

#include <string>
#include <string_view>

namespace kvprof::db {

class Connection;

/// @throws StoreError, always: run `uuid` of the store can not be read.
[[noreturn]] void
refuse_run(const Connection& connection, std::string_view uuid, std::string_view why);

/// @throws StoreError, always: a stored word has no meaning in this program.
[[noreturn]] void
refuse_word(const Connection& connection, std::string_view uuid, std::string_view word);

/// The value that a stored word names. @throws StoreError when it names none.
template<NamedEnum E>
[[nodiscard]] E
enum_of(const Connection& connection, std::string_view uuid, const std::string& word) {
    if (const auto value = parse_enum<E>(word)) {
        return *value;
    }
    refuse_word(connection, uuid, word);
}

} // namespace kvprof::db

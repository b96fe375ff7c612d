#pragma once

#include "capture/model/enum_names.h"

#include <toml++/toml.h>

#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

/// Reads presets and backends, which are TOML: every key is asked for by name, and one that nobody
/// asked for is refused, with its place.
namespace kvprof::workload {

/// "preset" or "backend", and the file or built-in name that the text came from.
struct TomlSource {
    std::string_view kind;
    std::string_view name;
};

/// @throws UsageError "could not read <kind> <name>:<line>:<column>: <cause>".
[[noreturn]] void
refuse(const TomlSource& source, const toml::source_position& at, std::string_view cause);

/// @throws UsageError with the place of a syntax error.
[[nodiscard]] toml::table parse_toml(std::string_view text, const TomlSource& source);

/// The text of a regular file. @throws UsageError when there is none.
[[nodiscard]] std::string read_toml_file(std::string_view kind, const std::string& path);

/// One table. Refers to `table`, which must live on.
class TomlSection {
  public:
    TomlSection(const toml::table& table, const TomlSource& source)
        : table_(table),
          source_(source) {}

    /// A whole number from 1 to 2^24: products of a few of them stay inside 64 bits.
    [[nodiscard]] std::optional<std::int64_t> find_count(std::string_view key);
    [[nodiscard]] std::int64_t count(std::string_view key);
    /// A whole number that may be 0 or below, of at most 2^24 either way.
    [[nodiscard]] std::optional<std::int64_t> find_number(std::string_view key);
    [[nodiscard]] std::vector<std::int64_t> counts(std::string_view key);
    [[nodiscard]] std::optional<std::vector<std::int64_t>> find_counts(std::string_view key);
    [[nodiscard]] std::string text(std::string_view key);
    [[nodiscard]] std::vector<std::string> texts(std::string_view key);
    [[nodiscard]] bool flag(std::string_view key, bool otherwise);
    [[nodiscard]] std::optional<TomlSection> find_section(std::string_view key);
    /// The tables of [[key]], in order; none when it is missing.
    [[nodiscard]] std::vector<TomlSection> sections(std::string_view key);

    [[nodiscard]] bool has(std::string_view key) const { return table_.contains(key); }

    /// One of the names of an enumeration, or of those in `choices`.
    template<NamedEnum E>
    [[nodiscard]] E choice(std::string_view key) {
        const std::string name = text(key);
        if (const auto parsed = parse_enum<E>(name)) {
            return *parsed;
        }
        std::string names;
        for (const auto& [value, known] : EnumNames<E>::values) {
            names += (names.empty() ? "" : ", ") + std::string(known);
        }
        refuse_key(key, "must be one of " + names);
    }

    void refuse_other_keys() const;
    [[noreturn]] void refuse_key(std::string_view key, std::string_view cause) const;
    [[noreturn]] void refuse_table(std::string_view cause) const;

  private:
    const toml::node* find(std::string_view key);
    const toml::node& require(std::string_view key);
    [[nodiscard]] std::int64_t to_count(const toml::node& node, std::string_view key) const;
    [[nodiscard]] std::vector<std::int64_t>
    to_counts(const toml::node& node, std::string_view key) const;

    const toml::table& table_;
    TomlSource source_;
    std::set<std::string, std::less<>> asked_;
};

} // namespace kvprof::workload

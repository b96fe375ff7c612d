#include "capture/workload/toml_section.h"

#include "capture/model/error.h"
#include "capture/model/plain_text.h"

#include <fmt/format.h>

#include <cerrno>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <system_error>

namespace kvprof::workload {

void refuse(const TomlSource& source, const toml::source_position& at, std::string_view cause) {
    throw UsageError(
        fmt::format(
            "could not read {} {}:{}:{}: {}", source.kind, source.name, at.line, at.column, cause
        ),
        fmt::format("the files in capture/workload/{}s show every key", source.kind)
    );
}

toml::table parse_toml(std::string_view text, const TomlSource& source) {
    try {
        return toml::parse(text, source.name);
    } catch (const toml::parse_error& failure) {
        refuse(source, failure.source().begin, failure.description());
    }
}

namespace {

[[noreturn]] void
refuse_file(std::string_view kind, const std::string& path, const std::string& cause) {
    throw UsageError(
        fmt::format("could not read {} {}: {}", kind, path, cause),
        fmt::format("kvprof run --help-{}s lists the built-in ones", kind)
    );
}

} // namespace

std::string read_toml_file(std::string_view kind, const std::string& path) {
    constexpr std::uintmax_t kMostBytes = std::uintmax_t{1} << 20;
    std::error_code failure;
    const std::filesystem::file_status status = std::filesystem::status(path, failure);
    if (!std::filesystem::exists(status)) {
        const bool is_missing = status.type() == std::filesystem::file_type::not_found;
        refuse_file(kind, path, is_missing ? "there is no such file" : failure.message());
    }
    if (!std::filesystem::is_regular_file(status)) { // a pipe or a device may never end
        refuse_file(kind, path, "it is a folder, a pipe or a device, and no file");
    }
    const std::uintmax_t bytes = std::filesystem::file_size(path, failure);
    if (!failure && bytes > kMostBytes) {
        refuse_file(kind, path, fmt::format("it has {} B, above {}", bytes, kMostBytes));
    }
    errno = 0;
    std::ifstream file(path);
    if (!file) {
        refuse_file(kind, path, "it can not be opened: " + std::generic_category().message(errno));
    }
    return {std::istreambuf_iterator<char>(file), {}};
}

std::optional<std::int64_t> TomlSection::find_count(std::string_view key) {
    const toml::node* node = find(key);
    return node == nullptr ? std::nullopt : std::optional(to_count(*node, key));
}

std::optional<std::int64_t> TomlSection::find_number(std::string_view key) {
    constexpr std::int64_t kMost = std::int64_t{1} << 24;
    const toml::node* node = find(key);
    if (node == nullptr) {
        return std::nullopt;
    }
    const auto value = node->value_exact<std::int64_t>();
    if (!value || *value < -kMost || *value > kMost) {
        refuse(
            source_,
            node->source().begin,
            fmt::format("{} must be a whole number from {} to {}", key, -kMost, kMost)
        );
    }
    return value;
}

std::int64_t TomlSection::count(std::string_view key) {
    return to_count(require(key), key);
}

std::vector<std::int64_t> TomlSection::counts(std::string_view key) {
    return to_counts(require(key), key);
}

std::optional<std::vector<std::int64_t>> TomlSection::find_counts(std::string_view key) {
    const toml::node* node = find(key);
    return node == nullptr ? std::nullopt : std::optional(to_counts(*node, key));
}

std::string TomlSection::text(std::string_view key) {
    const toml::node& node = require(key);
    const auto value = node.value_exact<std::string>();
    if (!value || value->empty() || !is_plain_text(*value)) {
        refuse(
            source_,
            node.source().begin,
            fmt::format("{} must be a text of 1 to 200 bytes, without control characters", key)
        );
    }
    return *value;
}

std::vector<std::string> TomlSection::texts(std::string_view key) {
    const toml::node* node = find(key);
    std::vector<std::string> values;
    if (node == nullptr) {
        return values;
    }
    const toml::array* array = node->as_array();
    if (array == nullptr) {
        refuse(source_, node->source().begin, fmt::format("{} must be a list", key));
    }
    for (const toml::node& element : *array) {
        const auto value = element.value_exact<std::string>();
        if (!value || value->empty() || !is_plain_text(*value)) {
            refuse(source_, element.source().begin, fmt::format("{} must list texts", key));
        }
        values.push_back(*value);
    }
    return values;
}

bool TomlSection::flag(std::string_view key, bool otherwise) {
    const toml::node* node = find(key);
    if (node == nullptr) {
        return otherwise;
    }
    const auto value = node->value_exact<bool>();
    if (!value) {
        refuse(source_, node->source().begin, fmt::format("{} must be true or false", key));
    }
    return *value;
}

std::optional<TomlSection> TomlSection::find_section(std::string_view key) {
    const toml::node* node = find(key);
    if (node == nullptr) {
        return std::nullopt;
    }
    if (node->as_table() == nullptr) {
        refuse(source_, node->source().begin, fmt::format("{} must be a table", key));
    }
    return TomlSection(*node->as_table(), source_);
}

std::vector<TomlSection> TomlSection::sections(std::string_view key) {
    const toml::node* node = find(key);
    std::vector<TomlSection> list;
    if (node == nullptr) {
        return list;
    }
    const toml::array* array = node->as_array();
    if (array == nullptr || !array->is_homogeneous<toml::table>()) {
        refuse(source_, node->source().begin, fmt::format("{} must be tables: [[{}]]", key, key));
    }
    for (const toml::node& element : *array) {
        list.emplace_back(*element.as_table(), source_);
    }
    return list;
}

void TomlSection::refuse_other_keys() const {
    for (const auto& [key, node] : table_) {
        if (!asked_.contains(key.str())) {
            refuse(source_, key.source().begin, fmt::format("there is no key \"{}\"", key.str()));
        }
    }
}

void TomlSection::refuse_key(std::string_view key, std::string_view cause) const {
    const toml::node* node = table_.get(key);
    refuse(
        source_,
        node == nullptr ? table_.source().begin : node->source().begin,
        fmt::format("{} {}", key, cause)
    );
}

void TomlSection::refuse_table(std::string_view cause) const {
    refuse(source_, table_.source().begin, cause);
}

const toml::node* TomlSection::find(std::string_view key) {
    asked_.emplace(key);
    return table_.get(key);
}

const toml::node& TomlSection::require(std::string_view key) {
    const toml::node* node = find(key);
    if (node == nullptr) {
        refuse_table(fmt::format("the key \"{}\" is missing", key));
    }
    return *node;
}

std::int64_t TomlSection::to_count(const toml::node& node, std::string_view key) const {
    constexpr std::int64_t kMost = std::int64_t{1} << 24;
    const auto value = node.value_exact<std::int64_t>();
    if (!value || *value < 1 || *value > kMost) {
        refuse(
            source_,
            node.source().begin,
            fmt::format("{} must be a whole number from 1 to {}", key, kMost)
        );
    }
    return *value;
}

std::vector<std::int64_t>
TomlSection::to_counts(const toml::node& node, std::string_view key) const {
    const toml::array* array = node.as_array();
    if (array == nullptr || array->empty()) {
        refuse(source_, node.source().begin, fmt::format("{} must be a list", key));
    }
    std::vector<std::int64_t> values;
    for (const toml::node& element : *array) {
        values.push_back(to_count(element, key));
    }
    return values;
}

} // namespace kvprof::workload

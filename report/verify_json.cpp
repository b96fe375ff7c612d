#include "report/verify_leaves.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <cstdint>
#include <utility>

namespace kvprof::report {

namespace {

/// A member's name in a path: RFC 6901.
std::string in_pointer(const std::string& key) {
    std::string escaped;
    for (const char letter : key) {
        if (letter == '~' || letter == '/') {
            escaped += letter == '~' ? "~0" : "~1";
        } else {
            escaped += letter;
        }
    }
    return escaped;
}

/// Listens to a parser: no value is rounded, and no member is lost to another of the same name.
class LeafReader final : public nlohmann::json_sax<nlohmann::json> {
  public:
    explicit LeafReader(std::string root)
        : root_(std::move(root)) {}

    [[nodiscard]] Leaves take() { return std::move(leaves_); }

    bool null() override { return add("null"); }

    bool boolean(bool value) override { return add(value ? "true" : "false"); }

    bool number_integer(std::int64_t value) override {
        return add(value == 0 ? "-0" : fmt::format("{}", value));
    }

    bool number_unsigned(std::uint64_t value) override { return add(fmt::format("{}", value)); }

    bool number_float(double /*value*/, const std::string& spelt) override { return add(spelt); }

    bool string(std::string& value) override { return add(std::move(value)); }

    bool binary(nlohmann::json::binary_t& /*value*/) override { return false; }

    bool start_object(std::size_t /*elements*/) override { return open(false); }

    bool start_array(std::size_t /*elements*/) override { return open(true); }

    bool end_object() override { return close("members"); }

    bool end_array() override { return close("elements"); }

    bool key(std::string& name) override {
        levels_.back().key = in_pointer(name);
        return true;
    }

    bool parse_error(
        std::size_t /*place*/,
        const std::string& /*token*/,
        const nlohmann::detail::exception& /*why*/
    ) override {
        return false;
    }

  private:
    struct Level {
        bool is_list = false;
        std::size_t elements = 0;
        std::string key;
        std::size_t leaf = 0; ///< where its size goes
    };

    [[nodiscard]] std::string where() const {
        std::string path = root_;
        for (const Level& level : levels_) {
            path += level.is_list ? fmt::format("/{}", level.elements) : "/" + level.key;
        }
        return path;
    }

    /// The value at the current place; the next one has the next place.
    bool add(std::string text) {
        leaves_.push_back({where(), std::move(text), false});
        step();
        return true;
    }

    void step() {
        if (!levels_.empty()) {
            ++levels_.back().elements;
        }
    }

    bool open(bool is_list) {
        leaves_.push_back({where(), {}, true});
        levels_.push_back({is_list, 0, {}, leaves_.size() - 1});
        return true;
    }

    bool close(const char* what) {
        const Level level = std::move(levels_.back());
        levels_.pop_back();
        leaves_[level.leaf].text = fmt::format("{} {}", level.elements, what);
        step();
        return true;
    }

    std::string root_;
    std::vector<Level> levels_;
    Leaves leaves_;
};

std::optional<Leaves> leaves_under(std::string root, std::string_view json) {
    LeafReader reader(std::move(root));
    if (!nlohmann::json::sax_parse(json, &reader)) {
        return std::nullopt;
    }
    return reader.take();
}

} // namespace

std::optional<Leaves> json_leaves(std::string_view json) {
    return leaves_under({}, json);
}

std::optional<Leaves> json_lines_leaves(std::string_view lines) {
    Leaves all;
    std::size_t number = 0;
    while (!lines.empty()) {
        const std::size_t end = std::min(lines.find('\n'), lines.size());
        const std::string_view line = lines.substr(0, end);
        lines.remove_prefix(std::min(end + 1, lines.size()));
        ++number;
        if (line.find_first_not_of(" \t\r") == std::string_view::npos) {
            continue;
        }
        std::optional<Leaves> leaves = leaves_under(fmt::format("line {}, ", number), line);
        if (!leaves) {
            return std::nullopt;
        }
        for (Leaf& leaf : *leaves) {
            all.push_back(std::move(leaf));
        }
    }
    return all;
}

} // namespace kvprof::report

#include "capture/workload/preset.h"

#include "capture/model/error.h"
#include "capture/model/params.h"
#include "capture/workload/preset_files.h"

#include <fmt/format.h>
#include <toml++/toml.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <optional>
#include <set>
#include <sstream>
#include <system_error>
#include <utility>
#include <vector>

namespace kvprof::workload {

namespace {

[[noreturn]] void
refuse(std::string_view source, const toml::source_position& at, std::string_view cause) {
    throw UsageError(
        fmt::format("could not read preset {}:{}:{}: {}", source, at.line, at.column, cause),
        "the files in capture/workload/presets show every key"
    );
}

/// Reads one table and remembers which keys it was asked for, so that the rest can be refused.
class Section {
  public:
    Section(const toml::table& table, std::string_view source)
        : table_(table),
          source_(source) {}

    std::optional<std::int64_t> find_count(std::string_view key) {
        const toml::node* node = find(key);
        if (node == nullptr) {
            return std::nullopt;
        }
        return to_count(*node, key);
    }

    std::int64_t count(std::string_view key) { return to_count(require(key), key); }

    std::string text(std::string_view key) {
        const toml::node& node = require(key);
        const auto value = node.value_exact<std::string>();
        if (!value || value->empty()) {
            refuse(source_, node.source().begin, fmt::format("{} must be a text", key));
        }
        return *value;
    }

    std::vector<std::int64_t> counts(std::string_view key) {
        const toml::node& node = require(key);
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

    ElementType element(std::string_view key) {
        const toml::node& node = require(key);
        const auto name = node.value_exact<std::string>();
        const auto type = name ? parse_enum<ElementType>(*name) : std::nullopt;
        if (!type) {
            refuse(source_, node.source().begin, fmt::format("{} must be fp8, bf16 or fp32", key));
        }
        return *type;
    }

    std::optional<Section> find_section(std::string_view key) {
        const toml::node* node = find(key);
        if (node == nullptr) {
            return std::nullopt;
        }
        if (node->as_table() == nullptr) {
            refuse(source_, node->source().begin, fmt::format("{} must be a table", key));
        }
        return Section(*node->as_table(), source_);
    }

    void refuse_other_keys() const {
        for (const auto& [key, node] : table_) {
            if (!asked_.contains(key.str())) {
                refuse(
                    source_, key.source().begin, fmt::format("there is no key \"{}\"", key.str())
                );
            }
        }
    }

    [[noreturn]] void refuse_table(std::string_view cause) const {
        refuse(source_, table_.source().begin, cause);
    }

  private:
    const toml::node* find(std::string_view key) {
        asked_.insert(key);
        return table_.get(key);
    }

    const toml::node& require(std::string_view key) {
        const toml::node* node = find(key);
        if (node == nullptr) {
            refuse_table(fmt::format("the key \"{}\" is missing", key));
        }
        return *node;
    }

    [[nodiscard]] std::int64_t to_count(const toml::node& node, std::string_view key) const {
        // Keeps products of a few counts inside 64 bits.
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

    const toml::table& table_;
    std::string_view source_;
    std::set<std::string_view> asked_;
};

AttentionShape read_attention(Section section) {
    AttentionShape shape{.layers = section.count("layers")};
    shape.kv_heads = section.find_count("kv_heads").value_or(0);
    shape.head_dim = section.find_count("head_dim").value_or(0);
    shape.latent_dim = section.find_count("latent_dim").value_or(0);
    shape.rope_dim = section.find_count("rope_dim").value_or(0);
    shape.window = section.find_count("window").value_or(0);
    shape.element = section.element("element");
    section.refuse_other_keys();
    const bool has_heads = shape.kv_heads > 0 && shape.head_dim > 0;
    const bool has_latent = shape.latent_dim > 0 && shape.rope_dim > 0;
    const bool has_both =
        shape.kv_heads + shape.head_dim > 0 && shape.latent_dim + shape.rope_dim > 0;
    if (has_heads == has_latent || has_both) {
        section.refuse_table("it needs kv_heads and head_dim, or latent_dim and rope_dim");
    }
    return shape;
}

AttentionShape read_full(const Section& section) {
    AttentionShape shape = read_attention(section);
    if (shape.window != 0) {
        section.refuse_table("full attention has no window");
    }
    return shape;
}

AttentionShape read_swa(const Section& section) {
    AttentionShape shape = read_attention(section);
    if (shape.window == 0) {
        section.refuse_table("the key \"window\" is missing");
    }
    return shape;
}

StateShape read_state(Section section) {
    StateShape shape;
    shape.layers = section.count("layers");
    shape.conv_channels = section.counts("conv_channels");
    shape.conv_taps = section.count("conv_taps");
    shape.conv_element = section.element("conv_element");
    const std::vector<std::int64_t> temporal = section.counts("temporal");
    if (temporal.size() != shape.temporal.size()) {
        section.refuse_table("temporal must be [heads, rows, columns]");
    }
    std::ranges::copy(temporal, shape.temporal.begin());
    shape.temporal_element = section.element("temporal_element");
    section.refuse_other_keys();
    return shape;
}

std::string_view nearest_preset(std::string_view name) {
    std::vector<std::string_view> names;
    for (const ModelSpec& preset : built_in_presets()) {
        names.emplace_back(preset.name);
    }
    return nearest(name, names);
}

std::string read_file(const std::string& path) {
    std::error_code ignored;
    if (!std::filesystem::is_regular_file(path, ignored)) { // a pipe or a device may never end
        throw UsageError(fmt::format("could not read preset {}: there is no such file", path));
    }
    std::ifstream file(path);
    std::ostringstream text;
    if (!file || !(text << file.rdbuf())) {
        throw UsageError(fmt::format("could not read preset {}: there is no such file", path));
    }
    return text.str();
}

} // namespace

std::span<const ModelSpec> built_in_presets() {
    static const std::vector<ModelSpec> presets = [] {
        std::vector<ModelSpec> models(kPresetFiles.size());
        std::ranges::transform(kPresetFiles, models.begin(), [](const auto& file) {
            return parse_preset(file.second, file.first);
        });
        return models;
    }();
    return presets;
}

ModelSpec load_preset(const std::string& name_or_path) {
    const auto found = std::ranges::find(built_in_presets(), name_or_path, &ModelSpec::name);
    if (found != built_in_presets().end()) {
        return *found;
    }
    if (name_or_path.find('/') != std::string::npos || name_or_path.ends_with(".toml")) {
        return parse_preset(read_file(name_or_path), name_or_path);
    }
    const std::string_view close = nearest_preset(name_or_path);
    throw UsageError(
        fmt::format("could not find preset \"{}\"", name_or_path),
        fmt::format(
            "{}kvprof run --help-presets lists them; a file ends in .toml",
            close.empty() ? "" : fmt::format("did you mean {}? ", close)
        )
    );
}

ModelSpec parse_preset(std::string_view text, std::string_view source) {
    toml::table table;
    try {
        table = toml::parse(text, source);
    } catch (const toml::parse_error& failure) {
        refuse(source, failure.source().begin, failure.description());
    }
    Section root(table, source);
    ModelSpec model;
    model.name = root.text("name");
    model.provenance = root.text("provenance");
    model.layers = root.count("layers");
    model.query_heads = root.count("query_heads");
    model.max_context = root.count("max_context");
    const auto full = root.find_section("full");
    const auto swa = root.find_section("swa");
    const auto state = root.find_section("state");
    root.refuse_other_keys();
    if (!full) {
        root.refuse_table("the table [full] is missing");
    }
    model.full = read_full(*full);
    if (swa) {
        model.swa = read_swa(*swa);
    }
    if (state) {
        model.state = read_state(*state);
    }
    return model;
}

} // namespace kvprof::workload

#include "capture/workload/preset.h"

#include "capture/model/error.h"
#include "capture/model/params.h"
#include "capture/workload/preset_files.h"
#include "capture/workload/toml_section.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>
#include <vector>

namespace kvprof::workload {

namespace {

AttentionShape read_attention(TomlSection section) {
    AttentionShape shape{.layers = section.count("layers")};
    shape.kv_heads = section.find_count("kv_heads").value_or(0);
    shape.head_dim = section.find_count("head_dim").value_or(0);
    shape.latent_dim = section.find_count("latent_dim").value_or(0);
    shape.rope_dim = section.find_count("rope_dim").value_or(0);
    shape.window = section.find_count("window").value_or(0);
    shape.element = section.choice<ElementType>("element");
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

void require_whole_groups(
    const TomlSection& section, const ModelSpec& model, const AttentionShape& shape
) {
    if (!is_mla(shape) && model.query_heads % shape.kv_heads != 0) {
        section.refuse_key(
            "kv_heads",
            fmt::format(
                "{} must divide the model's {} query heads", shape.kv_heads, model.query_heads
            )
        );
    }
}

AttentionShape read_full(const TomlSection& section, const ModelSpec& model) {
    AttentionShape shape = read_attention(section);
    if (shape.window != 0) {
        section.refuse_key("window", "must not be there: full attention has none");
    }
    require_whole_groups(section, model, shape);
    return shape;
}

AttentionShape read_swa(const TomlSection& section, const ModelSpec& model) {
    AttentionShape shape = read_attention(section);
    if (shape.window == 0) {
        section.refuse_table("the key \"window\" is missing");
    }
    if (shape.window > model.max_context) {
        section.refuse_key(
            "window",
            fmt::format("{} must not exceed max_context {}", shape.window, model.max_context)
        );
    }
    require_whole_groups(section, model, shape);
    return shape;
}

void read_temporal(TomlSection& section, StateShape& shape) {
    const auto temporal = section.find_counts("temporal");
    if (!temporal) {
        if (section.has("temporal_element")) {
            section.refuse_key("temporal_element", "needs temporal");
        }
        return; // short convolutions alone
    }
    if (temporal->size() != shape.temporal.size()) {
        section.refuse_key("temporal", "must be [heads, rows, columns]");
    }
    std::ranges::copy(*temporal, shape.temporal.begin());
    shape.temporal_element = section.choice<ElementType>("temporal_element");
}

StateShape read_state(TomlSection section) {
    StateShape shape;
    shape.layers = section.count("layers");
    shape.beside_attention = section.flag("beside_attention", false);
    shape.conv_channels = section.counts("conv_channels");
    shape.conv_taps = section.count("conv_taps");
    shape.conv_element = section.choice<ElementType>("conv_element");
    read_temporal(section, shape);
    section.refuse_other_keys();
    return shape;
}

/// A layer has one kind of attention or a state, or both where [state] says so. Layers with neither
/// are no matter of the pools.
void check_layers(const TomlSection& root, const ModelSpec& model) {
    const std::int64_t attention = model.full.layers + model.swa.layers + model.shared_kv_layers;
    const bool is_beside = model.state.beside_attention;
    const std::int64_t needed =
        is_beside ? std::max(attention, model.state.layers) : attention + model.state.layers;
    if (needed <= model.layers) {
        return;
    }
    root.refuse_key(
        "layers",
        fmt::format(
            "{} is less than the {} full, {} swa, {} shared and {} state layers{}",
            model.layers,
            model.full.layers,
            model.swa.layers,
            model.shared_kv_layers,
            model.state.layers,
            is_beside || model.state.layers == 0
                ? ""
                : "; where a layer has both, [state] says beside_attention = true"
        )
    );
}

std::string_view nearest_preset(std::string_view name) {
    std::vector<std::string_view> names;
    for (const ModelSpec& preset : built_in_presets()) {
        names.emplace_back(preset.name);
    }
    return nearest(name, names);
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
        return parse_preset(read_toml_file("preset", name_or_path), name_or_path);
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
    const TomlSource file{"preset", source};
    const toml::table table = parse_toml(text, file);
    TomlSection root(table, file);
    ModelSpec model;
    model.name = root.text("name");
    model.provenance = root.text("provenance");
    model.layers = root.count("layers");
    model.shared_kv_layers = root.find_count("shared_kv_layers").value_or(0);
    model.query_heads = root.count("query_heads");
    model.max_context = root.count("max_context");
    const auto full = root.find_section("full");
    const auto swa = root.find_section("swa");
    const auto state = root.find_section("state");
    root.refuse_other_keys();
    if (!full) {
        root.refuse_table("the table [full] is missing");
    }
    model.full = read_full(*full, model);
    if (swa) {
        model.swa = read_swa(*swa, model);
    }
    if (state) {
        model.state = read_state(*state);
    }
    check_layers(root, model);
    return model;
}

} // namespace kvprof::workload

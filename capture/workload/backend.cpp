#include "capture/workload/backend.h"

#include "capture/model/error.h"
#include "capture/model/params.h"
#include "capture/workload/backend_files.h"
#include "capture/workload/toml_section.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <utility>

namespace kvprof::workload {

const std::vector<MetadataOp>& Backend::ops_of(MetadataForm form) const {
    const bool is_later = form == MetadataForm::eager || form == MetadataForm::fused;
    return is_later && !later_ops.empty() ? later_ops : ops;
}

bool Backend::launches(MetadataOp op, MetadataForm form) const {
    return std::ranges::find(ops_of(form), op) != ops_of(form).end();
}

namespace {

template<NamedEnum E>
std::vector<E> list_of(TomlSection& section, std::string_view key) {
    std::vector<E> values;
    for (const std::string& name : section.texts(key)) {
        const auto value = parse_enum<E>(name);
        if (!value || std::ranges::find(values, *value) != values.end()) {
            section.refuse_key(
                key,
                value ? fmt::format("lists \"{}\" twice", name) : fmt::format("has no \"{}\"", name)
            );
        }
        values.push_back(*value);
    }
    return values;
}

CaptureBuffer read_buffer(TomlSection section) {
    CaptureBuffer buffer;
    buffer.name = section.text("name");
    const std::string text = section.text("bytes");
    const auto formula = parse_formula(text);
    if (!formula) {
        section.refuse_key(
            "bytes",
            fmt::format(
                "\"{}\" is no sum of products, as 4*B*P + 8*N is one, of numbers from 1 to 1048575 "
                "and the symbols {}",
                text,
                fmt::join(choices_of<SizeSymbol>(), ", ")
            )
        );
    }
    buffer.bytes = *formula;
    buffer.when = list_of<BufferCondition>(section, "when");
    section.refuse_other_keys();
    return buffer;
}

/// A member of a family takes the family's buffer of the same name out.
void take_buffer(
    const TomlSection& root, std::size_t inherited, CaptureBuffer buffer, Backend& to
) {
    const auto same = std::ranges::find(to.buffers, buffer.name, &CaptureBuffer::name);
    if (same == to.buffers.end()) {
        to.buffers.push_back(std::move(buffer));
        return;
    }
    if (std::distance(to.buffers.begin(), same) >= static_cast<std::ptrdiff_t>(inherited)) {
        root.refuse_key("buffer", fmt::format("has \"{}\" twice", buffer.name));
    }
    *same = std::move(buffer);
}

void read_buffers(TomlSection& root, Backend& backend) {
    const std::size_t inherited = backend.buffers.size();
    for (TomlSection& section : root.sections("buffer")) {
        take_buffer(root, inherited, read_buffer(std::move(section)), backend);
    }
}

/// Reads keys into a backend that may have them from its family already.
class Keys {
  public:
    Keys(TomlSection& root, bool is_member)
        : root_(root),
          is_member_(is_member) {}

    template<NamedEnum E>
    void choice(std::string_view key, E& value) {
        if (needs(key)) {
            value = root_.choice<E>(key);
        }
    }

    template<NamedEnum E>
    void list(std::string_view key, std::vector<E>& values) {
        if (needs(key)) {
            values = list_of<E>(root_, key);
        }
    }

    void index(kernels::IndexType& type) {
        if (needs("index")) {
            const auto width = root_.choice<IndexWidth>("index");
            type = width == IndexWidth::i32 ? kernels::IndexType::i32 : kernels::IndexType::i64;
        }
    }

    void flag(std::string_view key, bool& value) { value = root_.flag(key, value); }

    void count(std::string_view key, std::int64_t& value) {
        value = root_.find_count(key).value_or(value);
    }

  private:
    /// Of a file with no family the key has to be there, and reading it says so.
    [[nodiscard]] bool needs(std::string_view key) const { return !is_member_ || root_.has(key); }

    TomlSection& root_;
    bool is_member_;
};

void read_page_sizes(TomlSection& root, Keys& keys, Backend& backend) {
    if (const auto sizes = root.find_counts("page_sizes")) {
        backend.page_sizes = *sizes;
    }
    keys.flag("page_size_power_of_two", backend.needs_power_of_two);
    keys.count("page_size_divides", backend.page_size_divides);
    keys.count("max_head_dim", backend.max_head_dim);
}

/// The place of an op; the size of the list when it is not there.
std::ptrdiff_t place_of(const std::vector<MetadataOp>& ops, MetadataOp op) {
    return std::distance(ops.begin(), std::ranges::find(ops, op));
}

/// What attention could not read after these ops; empty when it can.
std::string contradiction_in(const std::vector<MetadataOp>& ops, const Backend& backend) {
    using enum MetadataOp;
    const bool reads_stream = backend.reads == ReadForm::stream;
    const auto has = [&](MetadataOp op) { return place_of(ops, op) < std::ssize(ops); };
    if (!has(MetadataOp::index)) {
        return "must list \"index\": something has to fill the reader's form";
    }
    if (has(indptr) != reads_stream) {
        return reads_stream ? "must list \"indptr\": a stream is read by its row starts"
                            : "must not list \"indptr\": a reader of tables has no row starts";
    }
    if (reads_stream && (has(fa_metadata) || has(trtllm_metadata))) {
        return "must not list \"fa-metadata\" or \"trtllm-metadata\": they are of tables";
    }
    if (has(kv_splits) != backend.has_splits) {
        return backend.has_splits ? "must list \"kv-splits\": has_splits is true"
                                  : "must not list \"kv-splits\": has_splits is not true";
    }
    const bool is_ordered = place_of(ops, indptr) < place_of(ops, MetadataOp::index)
                            && (!has(len_cast) || place_of(ops, len_cast) < place_of(ops, indptr));
    if (reads_stream && !is_ordered) {
        return "must list \"len-cast\", \"indptr\" and \"index\" in that order: each reads what "
               "the one before it wrote";
    }
    return {};
}

void check_ops(const TomlSection& root, const Backend& backend) {
    for (const auto& [key, ops] :
         {std::pair{"ops", &backend.ops}, {"later_ops", &backend.later_ops}}) {
        const bool is_left_out = ops == &backend.later_ops && ops->empty();
        const std::string cause = is_left_out ? std::string() : contradiction_in(*ops, backend);
        if (!cause.empty()) {
            root.refuse_key(key, cause);
        }
    }
}

void read_metadata(TomlSection& root, Keys& keys, Backend& backend) {
    keys.list("ops", backend.ops);
    if (root.has("later_ops")) {
        keys.list("later_ops", backend.later_ops);
    }
    keys.list("metadata", backend.forms);
    check_ops(root, backend);
    const bool has_automatic =
        std::ranges::find(backend.forms, MetadataForm::automatic) != backend.forms.end();
    if (backend.forms.empty() || has_automatic) {
        root.refuse_key("metadata", "must list one of plain, eager and fused or more");
    }
}

Backend base_of(TomlSection& root, std::span<const Backend> known) {
    if (!root.has("family")) {
        return {};
    }
    const std::string family = root.text("family");
    const auto base = std::ranges::find(known, family, &Backend::name);
    if (base == known.end()) {
        root.refuse_key("family", fmt::format("\"{}\" is no built-in backend", family));
    }
    Backend backend = *base;
    backend.family = family;
    return backend;
}

Backend parse_with(std::string_view text, std::string_view source, std::span<const Backend> known) {
    const TomlSource file{"backend", source};
    const toml::table table = parse_toml(text, file);
    TomlSection root(table, file);
    Backend backend = base_of(root, known);
    Keys keys(root, !backend.family.empty());
    backend.name = root.text("name");
    backend.provenance = root.text("provenance");
    keys.choice("reads", backend.reads);
    keys.index(backend.index);
    keys.choice("rows", backend.rows);
    if (root.has("table_width")) {
        keys.choice("table_width", backend.table_width);
    }
    backend.table_fill = root.find_number("table_fill").value_or(backend.table_fill);
    read_page_sizes(root, keys, backend);
    keys.flag("translates", backend.translates);
    keys.flag("captures_write_loc", backend.captures_write_loc);
    keys.flag("has_splits", backend.has_splits);
    keys.flag("casts_swa_write_loc", backend.casts_swa_write_loc);
    read_metadata(root, keys, backend);
    read_buffers(root, backend);
    root.refuse_other_keys();
    return backend;
}

} // namespace

Backend parse_backend(std::string_view text, std::string_view source) {
    return parse_with(text, source, built_in_backends());
}

std::span<const Backend> built_in_backends() {
    static const std::vector<Backend> backends = [] {
        std::vector<Backend> list;
        for (const auto& [name, text] : kBackendFiles) {
            list.push_back(parse_with(text, name, list)); // a family comes before its members
        }
        return list;
    }();
    return backends;
}

Backend load_backend(const std::string& name_or_path) {
    const auto found = std::ranges::find(built_in_backends(), name_or_path, &Backend::name);
    if (found != built_in_backends().end()) {
        return *found;
    }
    if (name_or_path.find('/') != std::string::npos || name_or_path.ends_with(".toml")) {
        return parse_backend(read_toml_file("backend", name_or_path), name_or_path);
    }
    std::vector<std::string_view> names;
    for (const Backend& backend : built_in_backends()) {
        names.emplace_back(backend.name);
    }
    refuse_choice("attention-backend", name_or_path, names);
}

namespace {

LaunchForm decided(LaunchForm given, bool is_fused) {
    if (given != LaunchForm::automatic) {
        return given;
    }
    return is_fused ? LaunchForm::fused : LaunchForm::eager;
}

IndexMode own_form(const Backend& backend) {
    return backend.reads == ReadForm::table ? IndexMode::table : IndexMode::stream;
}

} // namespace

bool fuses_metadata(const StepSpec& spec, const Backend& backend) {
    return spec.metadata == MetadataForm::fused && spec.pool == PoolKind::unified
           && backend.reads == ReadForm::stream && spec.index_mode == IndexMode::stream
           && spec.write == LaunchForm::fused;
}

StepSpec resolved(const StepSpec& spec, const Backend& backend) {
    StepSpec out = spec;
    const bool has_rectangle =
        spec.pool == PoolKind::unified && spec.stage < HistoryStage::after_37512;
    if (spec.index_mode == IndexMode::automatic) {
        out.index_mode = has_rectangle ? IndexMode::rectangle : own_form(backend);
    }
    if (spec.grid == Grid::automatic) {
        out.grid = spec.stage == HistoryStage::before ? Grid::ctx : Grid::bs;
    }
    out.table = decided(spec.table, true);
    out.indptr = decided(spec.indptr, false);
    out.alloc = decided(spec.alloc, spec.stage >= HistoryStage::after_37511);
    out.write = decided(spec.write, spec.stage >= HistoryStage::after_fused_write);
    if (spec.metadata == MetadataForm::automatic) {
        out.metadata = backend.forms.front();
    }
    return out;
}

StepSpec resolved(const StepSpec& spec) {
    return resolved(spec, load_backend(spec.attention_backend));
}

} // namespace kvprof::workload

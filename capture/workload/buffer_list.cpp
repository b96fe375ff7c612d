#include "capture/workload/buffer_list.h"

#include "capture/model/error.h"
#include "capture/workload/capture_buffers.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>
#include <utility>

namespace kvprof::workload {

namespace {

using enum BufferId;

/// Buffers that ops use, by the names that a backend's file gives them (docs/backends.md).
constexpr std::array<std::pair<std::string_view, BufferId>, 20> kNamed{{
    {"stream", stream},
    {"indptr", indptr},
    {"indptr_scan", indptr_scan},
    {"lens32", lens32},
    {"kv_splits", splits},
    {"table", table},
    {"block_table", block_table},
    {"cu_seqlens_k", cu_seqlens_k},
    {"cu_seqlens_q", cu_seqlens_q},
    {"qo_indptr", qo_indptr},
    {"window_stream", window_stream},
    {"window_indptr", window_indptr},
    {"window_lens", window_lens},
    {"window_starts", window_starts},
    {"window_kv_splits", window_splits},
    {"window_table", window_table},
    {"window_block_table", window_block_table},
    {"write_loc", write_loc},
    {"swa_write_loc", swa_write_loc},
    {"attention_partials", partials},
}};

constexpr std::array kReserved{
    reserved_0,
    reserved_1,
    reserved_2,
    reserved_3,
    reserved_4,
    reserved_5,
    reserved_6,
    reserved_7,
    reserved_8,
    reserved_9};

/// The buffer that a backend's buffer of that name is, when ops use it.
std::optional<BufferId> named(std::string_view name) {
    const auto* const known =
        std::ranges::find(kNamed, name, &std::pair<std::string_view, BufferId>::first);
    return known == kNamed.end() ? std::nullopt : std::optional(known->second);
}

} // namespace

bool BufferList::has(BufferId id) const {
    return std::ranges::find(list_, id, &BufferSpec::id) != list_.end();
}

void BufferList::check_name(std::string_view name) const {
    const bool is_taken =
        std::ranges::any_of(list_, [&](const BufferSpec& buffer) { return buffer.name == name; });
    if (is_taken) {
        throw UsageError(
            fmt::format(
                "could not plan the step: {} names a capture buffer \"{}\", which the step has and "
                "the graph does not",
                plan_.backend.name,
                name
            ),
            "docs/backends.md lists the names that mean a buffer of the step"
        );
    }
}

void BufferList::size_by_formula(BufferSpec& buffer) const {
    const CaptureBuffer* captured = find_capture_buffer(plan_, buffer.name);
    if (captured == nullptr || !named(buffer.name)) {
        return;
    }
    buffer.group = LedgerGroup::graph;
    const std::int64_t needed = buffer.bytes();
    const std::int64_t bytes = bytes_of(plan_, captured->bytes);
    if (bytes == needed) {
        return;
    }
    const bool is_vector = buffer.rows == 1;
    const std::int64_t unit = buffer.element_bytes * (is_vector ? 1 : buffer.columns);
    if (bytes < needed || bytes % unit != 0) {
        throw UsageError(
            fmt::format(
                "could not plan the step: {} gives {} B to {} ({}), and the step needs {} B in "
                "rows of {} B",
                plan_.backend.name,
                bytes,
                buffer.name,
                captured->bytes.text,
                needed,
                unit
            ),
            "docs/backends.md says what each buffer holds"
        );
    }
    (is_vector ? buffer.columns : buffer.rows) = bytes / unit;
}

void BufferList::add(
    BufferId id, const char* name, LedgerGroup group, Shape shape, bool is_output
) {
    if (has(id)) {
        return;
    }
    BufferSpec buffer{id, name, group, shape.element_bytes, shape.rows, shape.columns, is_output};
    size_by_formula(buffer);
    list_.push_back(std::move(buffer));
}

void BufferList::add_reserved() {
    std::size_t reserved = 0;
    for (const CaptureBuffer& captured : plan_.backend.buffers) {
        const std::optional<BufferId> known = named(captured.name);
        if (!exists(plan_, captured) || (known && has(*known))) {
            continue;
        }
        check_name(captured.name);
        if (!known && reserved == kReserved.size()) {
            throw UsageError(
                fmt::format(
                    "could not plan the step: {} holds more than {} buffers that no op uses",
                    plan_.backend.name,
                    kReserved.size()
                ),
                "let one [[buffer]] have the bytes of several: \"4*B + 8*N\""
            );
        }
        list_.push_back(
            {.id = known ? *known : kReserved.at(reserved),
             .name = captured.name,
             .group = LedgerGroup::graph,
             .columns = bytes_of(plan_, captured.bytes)}
        );
        reserved += known ? 0U : 1U;
    }
}

} // namespace kvprof::workload

#pragma once

#include "capture/import/json_scanner.h"
#include "capture/import/kineto_keys.h"
#include "capture/import/profile_builder.h"
#include "capture/import/trace_event.h"

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace kvprof::import {

/// Reads the elements of traceEvents: what is work or an annotation goes to the builder, the rest
/// is looked at no longer than it takes to know.
class KinetoEvents {
  public:
    /// Both must outlive it.
    KinetoEvents(JsonScanner& json, ProfileBuilder& to);

    /// Reads one element. @throws JsonError
    void read();
    /// Tells the builder what was repaired, and what the events show about the capture.
    void report();

    /// Elements read, and those of them that are Trace Events, whatever they stand for.
    [[nodiscard]] std::int64_t elements() const noexcept { return elements_; }

    [[nodiscard]] std::int64_t trace_events() const noexcept { return trace_events_; }

    [[nodiscard]] bool has_stacks() const noexcept { return stacks_ > 0; }

    [[nodiscard]] bool has_memory() const noexcept { return memory_ > 0; }

    /// The ordinal of the device that ran most kernels; empty where none ran.
    [[nodiscard]] std::string busiest_device();

  private:
    /// Members of one event, as they stand.
    struct Raw {
        char phase = '\0'; ///< of "ph"; 0 until it was read
        bool has_category = false;
        std::optional<EventKind> kind; ///< of its category, where that is one of work
        JsonToken category;
        JsonToken name;
        JsonToken pid;
        JsonToken tid;
        JsonToken start;
        JsonToken duration;
        JsonToken correlation;
        JsonToken device;
        JsonToken stream;
        JsonToken graph_node;
        JsonToken bytes;
        LaunchShape shape;
    };

    [[nodiscard]] static bool is_no_work(const Raw& raw);
    [[nodiscard]] std::string_view read_key();
    void read_member(std::string_view key, Raw& raw);
    void read_phase(Raw& raw);
    void read_category(Raw& raw);
    void read_arguments(Raw& raw);
    void read_argument(std::string_view key, Raw& raw);
    void read_sizes(std::array<std::uint32_t, 3>& sizes);
    void finish(const Raw& raw);
    void add(const Raw& raw, EventKind kind);
    [[nodiscard]] bool read_times(const Raw& raw, TraceEvent& event);
    void place_on_gpu(const Raw& raw, TraceEvent& event);

    JsonScanner& json_;
    ProfileBuilder& to_;
    KinetoKeys keys_;
    std::string decoded_key_;
    TextDefects unused_; ///< names of members are compared, and stored nowhere
    std::vector<std::pair<std::uint32_t, std::int64_t>> kernels_of_; ///< device, kernels
    std::int64_t elements_ = 0;
    std::int64_t trace_events_ = 0;
    std::int64_t begin_end_ = 0;
    std::int64_t stacks_ = 0;
    std::int64_t memory_ = 0;
    std::int64_t cpu_ops_ = 0;
    std::int64_t graph_nodes_ = 0;
};

} // namespace kvprof::import

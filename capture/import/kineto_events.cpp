#include "capture/import/kineto_events.h"

#include "capture/import/decimal_time.h"
#include "capture/model/api_names.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <limits>
#include <tuple>

namespace kvprof::import {

namespace {

constexpr std::int64_t kLongest = std::chrono::nanoseconds(std::chrono::days(7)).count();
// So that no end and no difference of two times leaves an int64.
constexpr std::int64_t kLatest = std::numeric_limits<std::int64_t>::max() / 4;

constexpr std::string_view kOldOperator = "Operator"; // of 2020 and 2021, steps among them
constexpr std::string_view kOldStep = "ProfilerStep#";

/// The categories of work; whatever has another one is none.
constexpr std::array<std::pair<std::string_view, EventKind>, 12> kWork = {{
    {"kernel", EventKind::kernel},
    {"cuda_runtime", EventKind::api},
    {"cpu_op", EventKind::cpu_op},
    {"cuda_driver", EventKind::api},
    {"gpu_memcpy", EventKind::memory_copy},
    {"gpu_memset", EventKind::memory_set},
    {"user_annotation", EventKind::annotation},
    {kOldOperator, EventKind::cpu_op},
    {"Runtime", EventKind::api},
    {"Kernel", EventKind::kernel},
    {"Memcpy", EventKind::memory_copy},
    {"Memset", EventKind::memory_set},
}};

bool is_on_gpu(EventKind kind) {
    return kind == EventKind::kernel || kind == EventKind::memory_copy
           || kind == EventKind::memory_set;
}

} // namespace

KinetoEvents::KinetoEvents(JsonScanner& json, ProfileBuilder& to)
    : json_(json),
      to_(to),
      keys_(json, to) {}

void KinetoEvents::read() {
    ++elements_;
    if (json_.peek() != '{') {
        json_.skip_value();
        to_.reject("rejected-events");
        return;
    }
    json_.hold();
    Raw raw;
    for (bool more = json_.open('{'); more; more = json_.next('}')) {
        read_member(read_key(), raw);
        if (is_no_work(raw)) {
            json_.release();
            json_.skip_rest_of_object();
            break;
        }
    }
    finish(raw);
    json_.release();
}

/// Whether what was read so far shows that the event is neither work nor worth counting further.
bool KinetoEvents::is_no_work(const Raw& raw) {
    switch (raw.phase) {
    case '\0': return false;
    case 'X': return raw.has_category && !raw.kind;
    case 'i': return raw.has_category; // memory is recorded in such events
    default: return true;
    }
}

std::string_view KinetoEvents::read_key() {
    const JsonToken key = json_.read_key();
    if (key.is_plain) {
        return json_.text(key);
    }
    decoded_key_ = decode_json_string(json_.text(key), unused_);
    return decoded_key_;
}

void KinetoEvents::read_member(std::string_view key, Raw& raw) {
    if (key == "ph") {
        read_phase(raw);
    } else if (key == "cat") {
        read_category(raw);
    } else if (key == "name") {
        raw.name = json_.read_value();
    } else if (key == "pid") {
        raw.pid = json_.read_value();
    } else if (key == "tid") {
        raw.tid = json_.read_value();
    } else if (key == "ts") {
        raw.start = json_.read_value();
    } else if (key == "dur") {
        raw.duration = json_.read_value();
    } else if (key == "args") {
        read_arguments(raw);
    } else {
        json_.skip_value();
    }
}

void KinetoEvents::read_phase(Raw& raw) {
    const JsonToken token = json_.read_value();
    const std::string_view text = keys_.text(token);
    raw.phase = text.size() == 1 ? text.front() : raw.phase;
}

void KinetoEvents::read_category(Raw& raw) {
    raw.category = json_.read_value();
    const std::string_view text = keys_.text(raw.category);
    const auto* const found = std::find_if(kWork.begin(), kWork.end(), [text](const auto& work) {
        return work.first == text;
    });
    raw.has_category = true;
    raw.kind = found == kWork.end() ? std::nullopt : std::optional(found->second);
    stacks_ += text == "python_function" ? 1 : 0;
    memory_ += text == "cpu_instant_event" ? 1 : 0;
}

void KinetoEvents::read_arguments(Raw& raw) {
    const bool has_none = raw.kind == EventKind::cpu_op || raw.kind == EventKind::annotation;
    if (has_none || json_.peek() != '{') {
        json_.skip_value();
        return;
    }
    for (bool more = json_.open('{'); more; more = json_.next('}')) {
        read_argument(read_key(), raw);
    }
}

void KinetoEvents::read_argument(std::string_view key, Raw& raw) {
    const bool may_be_kernel = !raw.has_category || raw.kind == EventKind::kernel;
    if (key == "correlation") {
        raw.correlation = json_.read_value();
    } else if (key == "device") {
        raw.device = json_.read_value();
    } else if (key == "stream") {
        raw.stream = json_.read_value();
    } else if (key == "graph node id") {
        raw.graph_node = json_.read_value();
    } else if (key == "bytes") {
        raw.bytes = json_.read_value();
    } else if (key == "grid" && may_be_kernel) {
        read_sizes(raw.shape.grid);
    } else if (key == "block" && may_be_kernel) {
        read_sizes(raw.shape.block);
    } else {
        json_.skip_value();
    }
}

/// Of a list like [132, 8, 1]; anything else leaves what is not said at 0.
void KinetoEvents::read_sizes(std::array<std::uint32_t, 3>& sizes) {
    if (json_.peek() != '[') {
        json_.skip_value();
        return;
    }
    std::size_t at = 0;
    for (bool more = json_.open('['); more; more = json_.next(']')) {
        const JsonToken size = json_.read_value();
        if (at < sizes.size()) {
            const std::uint64_t value = parse_id(keys_.text(size)).value_or(0);
            sizes[at++] =
                std::in_range<std::uint32_t>(value) ? static_cast<std::uint32_t>(value) : 0;
        }
    }
}

void KinetoEvents::finish(const Raw& raw) {
    if (raw.phase == '\0') {
        to_.reject("rejected-events");
        return;
    }
    ++trace_events_;
    begin_end_ += raw.phase == 'B' || raw.phase == 'E' ? 1 : 0;
    if (raw.phase != 'X' || (raw.has_category && !raw.kind)) {
        return;
    }
    if (raw.kind) {
        add(raw, *raw.kind);
        return;
    }
    TraceEvent unused; // without a category it is no work, but its times must be some all the same
    static_cast<void>(read_times(raw, unused));
}

bool KinetoEvents::read_times(const Raw& raw, TraceEvent& event) {
    const DecimalTime start = parse_microseconds(keys_.text(raw.start));
    const DecimalTime duration = parse_microseconds(keys_.text(raw.duration));
    const auto either = [&](TimeFault fault) {
        return start.fault == fault || duration.fault == fault;
    };
    if (either(TimeFault::not_finite)) {
        to_.reject("non-finite-time");
    } else if (either(TimeFault::not_a_number) || start.fault != TimeFault::none || start.ns > kLatest || start.ns < -kLatest) {
        to_.reject("rejected-events");
    } else if (duration.fault == TimeFault::too_small || duration.ns < 0) {
        to_.reject("negative-duration");
    } else if (duration.fault == TimeFault::too_large || duration.ns > kLongest) {
        to_.reject("absurd-duration");
    } else {
        event.start_ns = start.ns;
        event.duration_ns = duration.ns;
        event.has_time = start.ns != 0 || duration.ns != 0;
        return true;
    }
    return false;
}

void KinetoEvents::add(const Raw& raw, EventKind kind) {
    TraceEvent event;
    event.kind = kind;
    if (!read_times(raw, event)) {
        return;
    }
    if (kind == EventKind::api) {
        event.name = raw.name.kind == JsonToken::Kind::string
                         ? to_.names().id_of(canonical_call(keys_.text(raw.name)))
                         : keys_.name(raw.name);
    } else {
        event.name = keys_.name(raw.name);
    }
    event.process = keys_.process(raw.pid);
    event.correlation = parse_id(keys_.text(raw.correlation));
    if (is_on_gpu(kind)) {
        place_on_gpu(raw, event);
    } else {
        event.thread = keys_.thread(raw.tid);
    }
    to_.add(event);
    cpu_ops_ += kind == EventKind::cpu_op ? 1 : 0;
    if (kind == EventKind::cpu_op && keys_.text(raw.category) == kOldOperator
        && keys_.text(raw.name).starts_with(kOldStep)) {
        event.kind = EventKind::annotation;
        to_.add(event);
    }
}

void KinetoEvents::place_on_gpu(const Raw& raw, TraceEvent& event) {
    event.device = keys_.device(raw.device, raw.pid);
    event.stream = keys_.stream(raw.stream, raw.tid);
    event.shape = event.kind == EventKind::kernel ? raw.shape : LaunchShape{};
    event.graph_node = parse_id(keys_.text(raw.graph_node)).value_or(0);
    graph_nodes_ += event.graph_node != 0 ? 1 : 0;
    const std::uint64_t bytes = parse_id(keys_.text(raw.bytes)).value_or(0);
    event.bytes = std::in_range<std::int64_t>(bytes) ? static_cast<std::int64_t>(bytes) : 0;
    if (event.kind != EventKind::kernel) {
        return;
    }
    const auto found = std::find_if(kernels_of_.begin(), kernels_of_.end(), [&](const auto& known) {
        return known.first == event.device;
    });
    if (found == kernels_of_.end()) {
        kernels_of_.emplace_back(event.device, 1);
    } else {
        ++found->second;
    }
}

std::string KinetoEvents::busiest_device() {
    const auto is_less_busy = [this](const auto& a, const auto& b) {
        return std::tie(a.second, to_.names().text(b.first))
               < std::tie(b.second, to_.names().text(a.first)); // a file's order decides nothing
    };
    const auto busiest = std::max_element(kernels_of_.begin(), kernels_of_.end(), is_less_busy);
    return busiest == kernels_of_.end() ? std::string() : to_.names().text(busiest->first);
}

void KinetoEvents::report() {
    const auto warn = [this](std::string_view word, std::int64_t count, std::string text) {
        if (count > 0) {
            to_.warn(word, std::move(text), count);
        }
    };
    const TextDefects& defects = keys_.defects();
    warn(
        "begin-end-events", begin_end_, "events with a begin and an end of their own were left out"
    );
    warn("invalid-utf8", defects.invalid_utf8, "names that are no UTF-8 were repaired with U+FFFD");
    warn("control-characters", defects.control_characters, "names hold control characters");
    warn("unknown-escapes", defects.unknown_escapes, "names kept backslashes that escape nothing");
    const auto seen = [this](std::string_view name, std::int64_t count) {
        to_.set_capability(name, count > 0 ? Capability::carried : Capability::unknown);
    };
    seen("cpu-ops", cpu_ops_);
    seen("graph-nodes", graph_nodes_);
}

} // namespace kvprof::import

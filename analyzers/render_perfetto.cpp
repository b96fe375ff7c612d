#include "analyzers/render_perfetto.h"

#include "analyzers/timeline.h"
#include "capture/model/error.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cstdint>
#include <map>
#include <string_view>

namespace kvprof::analyzers {

namespace {

using Json = nlohmann::ordered_json;
using std::chrono::nanoseconds;

constexpr int kDevice = 1; ///< the process that stands for the device
/// Viewers take a thread of its process's number for the main thread, so tracks start after it.
constexpr int kFirstTrack = 2;

std::string line_of(const Json& json) {
    // Names come from the machine: a byte that is no UTF-8 must not end the program.
    return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

/// The unit of the format; a double keeps the nanoseconds of a hundred days.
double microseconds_of(nanoseconds time) {
    return static_cast<double>(time.count()) / 1e3;
}

std::string text_of(const Dim3& dim) {
    return fmt::format("{}x{}x{}", dim[0], dim[1], dim[2]);
}

/// What every event of this kernel says.
Json kernel_args(const KernelStat& kernel) {
    Json args{
        {"op", to_string(kernel.op)},
        {"placement", to_string(kernel.placement)},
        {"kernel", kernel.name}};
    if (kernel.kind == ActivityKind::memory_copy) {
        args["copy"] = to_string(kernel.copy);
    }
    if (kernel.kind == ActivityKind::kernel && kernel.blocks > 0) { // the host has no grid
        args["grid"] = text_of(kernel.grid);
        args["block"] = text_of(kernel.block);
        args["registers"] = kernel.registers;
        args["shared_bytes"] = kernel.static_shared_bytes + kernel.dynamic_shared_bytes;
        args["local_bytes"] = kernel.local_bytes;
    }
    if (kernel.blocks_with_work && kernel.blocks > 0) {
        args["live_fraction"] =
            static_cast<double>(*kernel.blocks_with_work) / static_cast<double>(kernel.blocks);
    }
    return args;
}

Json bar(int track, std::string_view name, const TimeSpan& span) {
    return {
        {"ph", "X"},
        {"pid", kDevice},
        {"tid", track},
        {"ts", microseconds_of(span.start)},
        {"dur", microseconds_of(span.duration)},
        {"name", name}};
}

TimeSpan span_of(const KernelEvent& event) {
    return {event.start, event.duration};
}

/// The list of events, a line each.
class TraceEvents {
  public:
    explicit TraceEvents(const Run& run);

    [[nodiscard]] const std::string& lines() const { return lines_; }

  private:
    void add(const Json& event);
    void add_name(const char* what, int track, const std::string& name);
    void add_track(const std::string& name);
    void add_steps();
    void add_stream(std::int64_t stream, const std::vector<std::size_t>& events);
    void add_kernel(const KernelEvent& event);

    const Run& run_;
    std::vector<Json> kernel_args_; ///< by KernelEvent::kernel
    int track_ = kFirstTrack - 1;   ///< the one that was added last
    std::string lines_;
};

TraceEvents::TraceEvents(const Run& run)
    : run_(run) {
    for (const KernelStat& kernel : run.kernels) {
        kernel_args_.push_back(kernel_args(kernel));
    }
    add_name("process_name", 0, run.environment.device_name + ", traced");
    add_steps();
    std::map<std::int64_t, std::vector<std::size_t>> streams;
    for (std::size_t i = 0; i < run.events.size(); ++i) {
        streams[run.events[i].stream].push_back(i);
    }
    for (const auto& [stream, events] : streams) {
        add_stream(stream, events);
    }
}

void TraceEvents::add(const Json& event) {
    lines_ += fmt::format("{}{}", lines_.empty() ? "" : ",\n", line_of(event));
}

void TraceEvents::add_name(const char* what, int track, const std::string& name) {
    add({{"ph", "M"}, {"pid", kDevice}, {"tid", track}, {"name", what}, {"args", {{"name", name}}}}
    );
}

void TraceEvents::add_track(const std::string& name) {
    ++track_;
    add_name("thread_name", track_, name);
    add(
        {{"ph", "M"},
         {"pid", kDevice},
         {"tid", track_},
         {"name", "thread_sort_index"},
         {"args", {{"sort_index", track_}}}}
    );
}

/// From the first kept record of a step to its last.
void TraceEvents::add_steps() {
    std::map<std::int64_t, TimeSpan> steps;
    for (const KernelEvent& event : run_.events) {
        const auto [place, is_new] = steps.try_emplace(event.step, span_of(event));
        TimeSpan& step = place->second;
        const nanoseconds end = std::max(step.start + step.duration, event.start + event.duration);
        step.start = std::min(step.start, event.start);
        step.duration = end - step.start;
    }
    std::vector<std::int64_t> numbers;
    std::vector<TimeSpan> spans;
    for (const auto& [number, span] : steps) {
        numbers.push_back(number);
        spans.push_back(span);
    }
    for (const Lane& lane : lanes_of(spans)) {
        add_track("steps");
        for (const std::size_t i : lane) {
            Json event = bar(track_, fmt::format("step {}", numbers[i]), spans[i]);
            event["cat"] = "step";
            event["args"]["step"] = numbers[i];
            add(event);
        }
    }
}

void TraceEvents::add_stream(std::int64_t stream, const std::vector<std::size_t>& events) {
    std::vector<TimeSpan> spans;
    for (const std::size_t i : events) {
        spans.push_back(span_of(run_.events[i]));
    }
    int part = 0;
    for (const Lane& lane : lanes_of(spans)) {
        ++part;
        add_track(
            part == 1 ? fmt::format("stream {}", stream)
                      : fmt::format("stream {}, overlap {}", stream, part - 1)
        );
        for (const std::size_t i : lane) {
            add_kernel(run_.events[events[i]]);
        }
    }
}

void TraceEvents::add_kernel(const KernelEvent& event) {
    const auto index = static_cast<std::size_t>(event.kernel);
    if (index >= kernel_args_.size()) {
        throw BadDataError(fmt::format(
            "could not export run {}: an event names kernel {} of {}",
            run_.uuid,
            event.kernel,
            kernel_args_.size()
        ));
    }
    const std::string_view op = to_string(run_.kernels[index].op);
    Json json = bar(track_, op, span_of(event));
    json["cat"] = op;
    Json& args = json["args"] = kernel_args_[index];
    args["step"] = event.step;
    args["stream"] = event.stream;
    if (event.node != 0) {
        args["node"] = std::to_string(event.node); // a viewer's numbers hold 53 bits
    }
    add(json);
}

} // namespace

std::string perfetto_json(const Run& run) {
    const Json about{
        {"run", run.uuid},
        {"variant", run.variant},
        {"started_at", run.started_at},
        {"device", run.environment.device_name},
        {"build", run.environment.build},
        {"times",
         "traced: tracing makes short kernels longer; kvprof show gives the untraced step time"}};
    return fmt::format(
        "{{\"displayTimeUnit\":\"ns\",\n\"otherData\":{},\n\"traceEvents\":[\n{}\n]}}\n",
        line_of(about),
        TraceEvents(run).lines()
    );
}

MissingTimeline missing_timeline(const Run& run) {
    const auto nodes = std::find_if(run.passes.begin(), run.passes.end(), [](const auto& pass) {
        return pass.pass == Pass::nodes;
    });
    if (nodes == run.passes.end()) {
        if (run.status.state != RunState::complete) {
            return {
                fmt::format("it is {}: {}", to_string(run.status.state), run.status.reason), ""};
        }
        return {
            fmt::format("its nodes pass was not run (--passes {})", run.measure.passes),
            "kvprof run --passes timing+nodes"};
    }
    if (!nodes->failure.empty()) {
        return {fmt::format("its nodes pass failed: {}", nodes->failure), ""};
    }
    if (run.measure.keep_events == 0) {
        return {
            "its nodes pass kept no step (--keep-events 0)",
            "kvprof run --passes timing+nodes --keep-events 3"};
    }
    return {
        fmt::format(
            "its nodes pass saw no record of a step that it was to keep ({} records in {} steps)",
            nodes->records,
            nodes->steps
        ),
        "kvprof doctor says what tracing needs"};
}

} // namespace kvprof::analyzers

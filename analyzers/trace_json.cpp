#include "analyzers/trace_json.h"

#include "analyzers/timeline.h"
#include "capture/model/error.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <map>
#include <string_view>
#include <utility>

namespace kvprof::analyzers {

namespace {

using std::chrono::nanoseconds;

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
        {"op", kernel.op ? Json(to_string(*kernel.op)) : Json(nullptr)},
        {"placement", placement_of(kernel.op, kernel.placement)},
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

/// "rank TP00, steps"; of a run of one rank "steps".
std::string of_rank(const std::string& rank, const char* what) {
    return rank.empty() ? what : rank + ", " + what;
}

/// The step of a launch, and the executable that it replayed: the upper half of its nodes' ids.
using Launch = std::pair<std::int64_t, std::uint64_t>;

/// The list of events, a line each.
class TraceEvents {
  public:
    explicit TraceEvents(const std::vector<TraceProcess>& processes);

    [[nodiscard]] const std::string& lines() const { return lines_; }

  private:
    void add(const Json& event);
    void add_name(const char* what, int track, const std::string& name);
    void add_order(const char* what, int track, int order);
    void add_track(const std::string& name);
    void add_process(const TraceProcess& process);
    void add_steps(const std::string& rank, const std::vector<std::size_t>& events);
    void add_launches(const std::string& rank, const std::vector<std::size_t>& events);
    void add_stream(const std::string& name, const std::vector<std::size_t>& events);
    void add_kernel(const KernelEvent& event);
    [[nodiscard]] Json bar(std::string_view name, const TimeSpan& span) const;

    const Run* run_ = nullptr;      ///< that is being added
    std::vector<Json> kernel_args_; ///< by KernelEvent::kernel
    nanoseconds origin_{0};         ///< the first kept record's start
    int process_ = 0;
    int track_ = 0; ///< the one that was added last
    std::string lines_;
};

TraceEvents::TraceEvents(const std::vector<TraceProcess>& processes)
    // Viewers take a thread of its process's number for the main thread: tracks come after them.
    : track_(static_cast<int>(processes.size())) {
    for (const TraceProcess& process : processes) {
        ++process_;
        add_process(process);
        if (processes.size() > 1) {
            add_order("process_sort_index", 0, process_);
        }
    }
}

void TraceEvents::add_process(const TraceProcess& process) {
    run_ = process.run;
    kernel_args_.clear();
    for (const KernelStat& kernel : run_->kernels) {
        kernel_args_.push_back(kernel_args(kernel));
    }
    std::map<std::int64_t, std::vector<std::size_t>> ranks;
    origin_ = run_->events.empty() ? nanoseconds(0) : run_->events.front().start;
    for (std::size_t i = 0; i < run_->events.size(); ++i) {
        ranks[run_->events[i].rank].push_back(i);
        origin_ = std::min(origin_, run_->events[i].start);
    }
    add_name("process_name", 0, process.name);
    const PlaceNames names(*run_);
    for (const auto& [rank, events] : ranks) {
        const std::string name = names.rank(rank);
        add_steps(name, events);
        add_launches(name, events);
        std::map<EventPlace, std::vector<std::size_t>> streams;
        for (const std::size_t i : events) {
            streams[place_of(run_->events[i])].push_back(i);
        }
        for (const auto& [place, of_stream] : streams) {
            add_stream(names.stream(place), of_stream);
        }
    }
}

void TraceEvents::add(const Json& event) {
    lines_ += fmt::format("{}{}", lines_.empty() ? "" : ",\n", line_of(event));
}

void TraceEvents::add_name(const char* what, int track, const std::string& name) {
    add(
        {{"ph", "M"},
         {"pid", process_},
         {"tid", track},
         {"ts", 0},
         {"name", what},
         {"args", {{"name", name}}}}
    );
}

void TraceEvents::add_order(const char* what, int track, int order) {
    add(
        {{"ph", "M"},
         {"pid", process_},
         {"tid", track},
         {"ts", 0},
         {"name", what},
         {"args", {{"sort_index", order}}}}
    );
}

void TraceEvents::add_track(const std::string& name) {
    ++track_;
    add_name("thread_name", track_, name);
    add_order("thread_sort_index", track_, track_);
}

Json TraceEvents::bar(std::string_view name, const TimeSpan& span) const {
    return {
        {"ph", "X"},
        {"pid", process_},
        {"tid", track_},
        {"ts", microseconds_of(span.start - origin_)},
        {"dur", microseconds_of(span.duration)},
        {"name", name}};
}

/// From the first kept record of a step to its last.
void TraceEvents::add_steps(const std::string& rank, const std::vector<std::size_t>& events) {
    std::map<std::int64_t, TimeSpan> steps;
    for (const std::size_t i : events) {
        const KernelEvent& event = run_->events[i];
        widen(steps.try_emplace(event.step, span_of(event)).first->second, span_of(event));
    }
    std::vector<std::int64_t> numbers;
    std::vector<TimeSpan> spans;
    for (const auto& [number, span] : steps) {
        numbers.push_back(number);
        spans.push_back(span);
    }
    for (const Lane& lane : lanes_of(spans)) {
        add_track(of_rank(rank, "steps"));
        for (const std::size_t i : lane) {
            Json event = bar(fmt::format("step {}", numbers[i]), spans[i]);
            event["cat"] = "step";
            event["args"]["step"] = numbers[i];
            add(event);
        }
    }
}

/// From the first record of a graph's nodes in a step to the last.
void TraceEvents::add_launches(const std::string& rank, const std::vector<std::size_t>& events) {
    std::map<Launch, TimeSpan> launches;
    for (const std::size_t i : events) {
        const KernelEvent& event = run_->events[i];
        if (event.node != 0) {
            const Launch launch{event.step, event.node >> 32U};
            widen(launches.try_emplace(launch, span_of(event)).first->second, span_of(event));
        }
    }
    std::vector<Launch> keys;
    std::vector<TimeSpan> spans;
    for (const auto& [launch, span] : launches) {
        keys.push_back(launch);
        spans.push_back(span);
    }
    for (const Lane& lane : lanes_of(spans)) {
        add_track(of_rank(rank, "graph launches"));
        for (const std::size_t i : lane) {
            Json event = bar(fmt::format("graph {}", keys[i].second), spans[i]);
            event["cat"] = "graph";
            event["args"]["step"] = keys[i].first;
            event["args"]["graph"] = std::to_string(keys[i].second);
            add(event);
        }
    }
}

void TraceEvents::add_stream(const std::string& name, const std::vector<std::size_t>& events) {
    std::vector<TimeSpan> spans;
    for (const std::size_t i : events) {
        spans.push_back(span_of(run_->events[i]));
    }
    int part = 0;
    for (const Lane& lane : lanes_of(spans)) {
        ++part;
        add_track(part == 1 ? name : fmt::format("{}, overlap {}", name, part - 1));
        for (const std::size_t i : lane) {
            add_kernel(run_->events[events[i]]);
        }
    }
}

void TraceEvents::add_kernel(const KernelEvent& event) {
    const auto index = static_cast<std::size_t>(event.kernel);
    if (index >= kernel_args_.size()) {
        throw BadDataError(fmt::format(
            "could not export run {}: an event names kernel {} of {}",
            run_->uuid,
            event.kernel,
            kernel_args_.size()
        ));
    }
    const KernelStat& kernel = run_->kernels[index];
    const std::string_view label = kernel.op ? to_string(*kernel.op) : kernel.name;
    Json json = bar(label, span_of(event));
    json["cat"] = kernel.op ? label : to_string(kernel.kind);
    Json& args = json["args"] = kernel_args_[index];
    args["step"] = event.step;
    args["stream"] = event.stream;
    if (event.node != 0) {
        args["node"] = std::to_string(event.node); // a viewer's numbers hold 53 bits
    }
    add(json);
}

} // namespace

std::string trace_json(const std::vector<TraceProcess>& processes, const Json& about) {
    return fmt::format(
        "{{\"displayTimeUnit\":\"ns\",\n\"otherData\":{},\n\"traceEvents\":[\n{}\n]}}\n",
        line_of(about),
        TraceEvents(processes).lines()
    );
}

Json timeline_object(const Run& run) {
    return {
        {"run", run.uuid},
        {"variant", run.variant},
        {"started_at", run.started_at},
        {"device", run.environment.device_name},
        {"build", run.environment.build},
        {"times",
         "traced: tracing makes short kernels longer; kvprof show gives the untraced step time"}};
}

} // namespace kvprof::analyzers

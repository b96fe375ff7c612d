#include "report/timeline_svg.h"

#include "capture/model/units.h"
#include "report/timeline_axis.h"
#include "report/utf8.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <map>
#include <string>
#include <utility>

namespace kvprof::report {

namespace {

using analyzers::StepBar;
using analyzers::StepLane;
using analyzers::StepTimeline;
using std::chrono::nanoseconds;
using Timelines = std::vector<StepTimeline>;

// In the units of the drawing, which are pixels on a wide page.
constexpr int kWidth = 1180;
constexpr int kPlotLeft = 170;
constexpr int kPlotWidth = 980;
constexpr int kLanePitch = 20;
constexpr int kBarHeight = 14;
constexpr int kHeading = 24;
constexpr int kAxis = 26;
constexpr double kLeastWidth = 0.2; ///< narrower bars can not be told apart

constexpr std::size_t kColours = 7;    ///< of the style sheet: k0 to k6
constexpr std::size_t kMostLanes = 48; ///< of a side

/// The bytes of a bar without its name.
constexpr std::size_t kBarBytes = 110;

/// "k0" to "k6" of the names with the most time over all sides, "kx" of the others.
class Colours {
  public:
    explicit Colours(std::vector<std::string> names)
        : names_(std::move(names)) {
        for (std::size_t i = 0; i < names_.size() && i < kColours; ++i) {
            classes_[names_[i]] = fmt::format("k{}", i);
        }
    }

    [[nodiscard]] std::string of(const std::string& name) const {
        const auto found = classes_.find(name);
        return found == classes_.end() ? "kx" : found->second;
    }

    [[nodiscard]] const std::vector<std::string>& names() const { return names_; }

  private:
    std::vector<std::string> names_;
    std::map<std::string, std::string> classes_;
};

/// "12.345 us": every nanosecond of it.
std::string exact_words(nanoseconds time) {
    return fmt::format("{}.{:03} us", time.count() / 1000, time.count() % 1000);
}

std::string title_of(const StepBar& bar, const std::string& name) {
    std::string what = name;
    if (bar.records > 1) {
        what = fmt::format(
            "{} records, {}{}", bar.records, bar.has_others ? "most of the time " : "all ", name
        );
    }
    return fmt::format(
        "{}, from {}, {} long", what, exact_words(bar.start), exact_words(bar.duration)
    );
}

nanoseconds busy(const StepLane& lane) {
    nanoseconds time{0};
    for (const StepBar& bar : lane.bars) {
        time += bar.duration;
    }
    return time;
}

/// The lanes with the most time, in their order.
std::vector<const StepLane*> shown_lanes(const StepTimeline& timeline) {
    std::vector<const StepLane*> lanes;
    for (const StepLane& lane : timeline.lanes) {
        lanes.push_back(&lane);
    }
    if (lanes.size() > kMostLanes) {
        std::stable_sort(lanes.begin(), lanes.end(), [](const auto* a, const auto* b) {
            return busy(*a) > busy(*b);
        });
        lanes.resize(kMostLanes);
        std::sort(lanes.begin(), lanes.end());
    }
    return lanes;
}

nanoseconds extent_of(const Timelines& timelines) {
    nanoseconds extent{1};
    for (const StepTimeline& timeline : timelines) {
        for (const StepLane& lane : timeline.lanes) {
            for (const StepBar& bar : lane.bars) {
                extent = std::max(extent, bar.start + bar.duration);
            }
        }
    }
    return extent;
}

/// What the bars of a side take, in bytes.
std::size_t bar_bytes(const StepTimeline& timeline, nanoseconds limit) {
    std::vector<std::size_t> sizes;
    for (const std::string& name : timeline.names) {
        sizes.push_back(kBarBytes + escaped(name).size());
    }
    std::size_t bytes = 0;
    for (const StepLane* lane : shown_lanes(timeline)) {
        for (const StepBar& bar : merged(lane->bars, limit)) {
            bytes += sizes[bar.name];
        }
    }
    return bytes;
}

/// The least limit for merging with which all bars fit their room.
nanoseconds merge_limit(const Timelines& timelines, nanoseconds extent) {
    const double least = static_cast<double>(extent.count()) * kLeastWidth / kPlotWidth;
    nanoseconds limit(std::max<std::int64_t>(1, static_cast<std::int64_t>(least)));
    const auto fits = [&] {
        std::size_t bytes = 0;
        for (const StepTimeline& timeline : timelines) {
            bytes += bar_bytes(timeline, limit);
        }
        return bytes <= kBarRoom;
    };
    constexpr nanoseconds kMost = nanoseconds::max() / 2;
    while (limit <= extent && limit <= kMost && !fits()) {
        limit *= 2;
    }
    return limit;
}

/// Draws from top to bottom.
class Drawing {
  public:
    Drawing(Html& html, const Timelines& timelines)
        : html_(html),
          colours_(names_by_time(timelines)),
          extent_(extent_of(timelines)),
          limit_(merge_limit(timelines, extent_)) {}

    void add_axis(int height);
    void add_side(const StepTimeline& timeline);
    void add_key();

  private:
    [[nodiscard]] double scaled(nanoseconds time) const {
        return static_cast<double>(time.count()) / static_cast<double>(extent_.count())
               * kPlotWidth;
    }

    void add_text(const std::string& words, const char* kind, double x);
    void add_path(const std::string& kind, const std::string& line);
    void add_lane(const StepLane& lane, const StepTimeline& timeline);

    Html& html_;
    Colours colours_;
    nanoseconds extent_;
    nanoseconds limit_;
    int top_ = 0;
};

void Drawing::add_text(const std::string& words, const char* kind, double x) {
    html_.element(
        "text",
        words,
        {{"class", kind}, {"x", fmt::format("{:.2f}", x)}, {"y", fmt::format("{}", top_ + 12)}}
    );
}

void Drawing::add_path(const std::string& kind, const std::string& line) {
    html_.open("path", {{"class", kind}, {"d", line}}).close();
}

/// Lines behind the lanes, and their times under them.
void Drawing::add_axis(int height) {
    for (const AxisTick& tick : axis_ticks(extent_)) {
        const double x = kPlotLeft + scaled(tick.time);
        add_path("grid", fmt::format("M{:.2f} {}V{}", x, kHeading, height - kAxis));
        top_ = height - kAxis + 6;
        add_text(tick.words, "tick", x);
    }
    top_ = 0;
}

void Drawing::add_lane(const StepLane& lane, const StepTimeline& timeline) {
    constexpr std::size_t kMostLetters = 24;
    add_text(elided(one_line(lane.name), kMostLetters), "name", 0);
    html_.open("g", {{"transform", fmt::format("translate({},{})", kPlotLeft, top_)}});
    add_path("lane", fmt::format("M0 0h{}v{}h-{}z", kPlotWidth, kBarHeight, kPlotWidth));
    for (const StepBar& bar : merged(lane.bars, limit_)) {
        const std::string& name = timeline.names[bar.name];
        const double width = std::max(scaled(bar.duration), kLeastWidth);
        const std::string line = fmt::format(
            "M{:.2f} 0h{:.2f}v{}h-{:.2f}z", scaled(bar.start), width, kBarHeight, width
        );
        html_.open("path", {{"class", colours_.of(name)}, {"d", line}});
        html_.element("title", title_of(bar, name)).close();
    }
    html_.close();
    top_ += kLanePitch;
}

void Drawing::add_side(const StepTimeline& timeline) {
    constexpr std::size_t kMostLetters = 100;
    const std::vector<const StepLane*> lanes = shown_lanes(timeline);
    std::string words = timeline.side.empty() ? "" : timeline.side + ", ";
    words += fmt::format("step {}", timeline.step);
    if (lanes.size() < timeline.lanes.size()) {
        words += fmt::format(
            ": the {} lanes with the most time of {}", lanes.size(), timeline.lanes.size()
        );
    }
    add_text(elided(one_line(words), kMostLetters), "side", 0);
    top_ += kHeading;
    for (const StepLane* lane : lanes) {
        add_lane(*lane, timeline);
    }
}

void Drawing::add_key() {
    constexpr std::size_t kMostLetters = 80;
    const std::vector<std::string>& names = colours_.names();
    html_.open("p", {{"class", "key"}});
    for (std::size_t i = 0; i < names.size() && i < kColours; ++i) {
        html_.open("span", {{"title", names[i]}});
        html_.element("i", "", {{"class", colours_.of(names[i])}});
        html_.text(elided(one_line(names[i]), kMostLetters)).close();
    }
    if (names.size() > kColours) {
        const std::size_t others = names.size() - kColours;
        html_.open("span").element("i", "", {{"class", "kx"}});
        html_.text(fmt::format("{} other{}", others, others == 1 ? "" : "s")).close();
    }
    html_.close();
}

std::string label_of(const Timelines& timelines) {
    std::string label = "Timeline of ";
    for (const StepTimeline& timeline : timelines) {
        label += &timeline == &timelines.front() ? "" : " over ";
        label += fmt::format(
            "{}{}step {}, {} long",
            timeline.side,
            timeline.side.empty() ? "" : ", ",
            timeline.step,
            format_duration_ns(static_cast<double>(timeline.wall.count()))
        );
    }
    return label + ", on one axis. The table below has the figures.";
}

int height_of(const Timelines& timelines) {
    int height = kAxis;
    for (const StepTimeline& timeline : timelines) {
        height += kHeading + kLanePitch * static_cast<int>(shown_lanes(timeline).size());
    }
    return height;
}

} // namespace

void add_timeline(Html& html, const std::vector<StepTimeline>& timelines) {
    const int height = height_of(timelines);
    Drawing drawing(html, timelines);
    html.open(
        "div",
        {{"class", "scroll"}, {"role", "region"}, {"tabindex", "0"}, {"aria-label", "Timeline"}}
    );
    html.open(
        "svg",
        {{"class", "timeline"},
         {"viewBox", fmt::format("0 0 {} {}", kWidth, height)},
         {"role", "img"},
         {"aria-label", label_of(timelines)}}
    );
    drawing.add_axis(height);
    for (const StepTimeline& timeline : timelines) {
        drawing.add_side(timeline);
    }
    html.close().close();
    drawing.add_key();
}

} // namespace kvprof::report

#include "report/timeline_svg.h"

#include "report/renderers.h"
#include "report/timeline_axis.h"
#include "tests/report/sample_reports.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace kvprof::report {
namespace {

using analyzers::StepBar;
using analyzers::StepLane;
using analyzers::StepTimeline;
using std::chrono::nanoseconds;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

StepBar bar(std::int64_t start, std::int64_t duration, std::size_t name = 0) {
    StepBar one;
    one.start = nanoseconds(start);
    one.duration = nanoseconds(duration);
    one.name = name;
    return one;
}

StepTimeline timeline_of(
    const std::string& side, std::vector<std::string> names, const std::vector<StepBar>& bars
) {
    StepTimeline timeline;
    timeline.side = side;
    timeline.run = "0123456789abcdef";
    timeline.kept = 1;
    timeline.kernels = std::ssize(bars);
    timeline.names = std::move(names);
    timeline.lanes.push_back({"stream 7", bars});
    for (const StepBar& one : bars) {
        timeline.wall = std::max(timeline.wall, one.start + one.duration);
    }
    return timeline;
}

std::string drawn(const std::vector<StepTimeline>& timelines) {
    Html html;
    add_timeline(html, timelines);
    return std::move(html).take();
}

std::size_t count(std::string_view text, std::string_view part) {
    std::size_t found = 0;
    for (std::size_t at = text.find(part); at != text.npos; at = text.find(part, at + 1)) {
        ++found;
    }
    return found;
}

/// The class of the bar whose title begins with the words; empty where there is none.
std::string colour_of(std::string_view html, const std::string& words, std::size_t from = 0) {
    constexpr std::string_view kStart = "<path class=\"";
    const std::size_t title = html.find("<title>" + words, from);
    if (title == html.npos) {
        return {};
    }
    const std::size_t start = html.rfind(kStart, title) + kStart.size();
    return std::string(html.substr(start, html.find('"', start) - start));
}

TEST(TimelineSvg, DrawsBothSidesOnOneAxis) {
    const std::string html = drawn(
        {timeline_of("base: A", {"gemm"}, {bar(0, 1000)}),
         timeline_of("candidate: B", {"gemm"}, {bar(0, 500)})}
    );
    EXPECT_THAT(html, HasSubstr("d=\"M0.00 0h980.00v14h-980.00z\"><title>gemm, from 0.000 us"));
    EXPECT_THAT(html, HasSubstr("d=\"M0.00 0h490.00v14h-490.00z\"><title>gemm, from 0.000 us"));
    EXPECT_EQ(count(html, ">1 us</text>"), 1U) << "one axis";
    EXPECT_LT(html.find("base: A, step 0"), html.find("candidate: B, step 0"));
}

TEST(TimelineSvg, LeavesGapsBlank) {
    const std::string html = drawn({timeline_of("", {"gemm"}, {bar(0, 250), bar(750, 250)})});
    EXPECT_THAT(html, HasSubstr("M0.00 0h245.00v14"));
    EXPECT_THAT(html, HasSubstr("M735.00 0h245.00v14"));
}

TEST(TimelineSvg, SaysNameStartAndLengthOfAKernel) {
    const std::string html =
        drawn({timeline_of("", {"gemm", "norm"}, {bar(0, 1'234'567), bar(2'000'001, 89, 1)})});
    EXPECT_THAT(html, HasSubstr("<title>gemm, from 0.000 us, 1234.567 us long</title>"));
    EXPECT_THAT(html, HasSubstr("<title>norm, from 2000.001 us, 0.089 us long</title>"));
}

TEST(TimelineSvg, GivesANameOneColourOnBothSides) {
    const std::string html = drawn(
        {timeline_of("base: A", {"norm", "gemm"}, {bar(0, 100), bar(100, 300, 1)}),
         timeline_of("candidate: B", {"gemm", "norm"}, {bar(0, 300), bar(300, 100, 1)})}
    );
    const std::size_t second = html.find("candidate: B, step");
    EXPECT_EQ(colour_of(html, "gemm"), "k0");
    EXPECT_EQ(colour_of(html, "gemm", second), "k0");
    EXPECT_EQ(colour_of(html, "norm"), "k1");
    EXPECT_EQ(colour_of(html, "norm", second), "k1");
}

TEST(TimelineSvg, GivesColoursToTheLargestSharesAndGreyToTheRest) {
    std::vector<std::string> names;
    std::vector<StepBar> bars;
    for (std::size_t i = 0; i < 9; ++i) {
        names.push_back("kernel" + std::to_string(i));
        bars.push_back(
            bar(static_cast<std::int64_t>(i) * 1000, static_cast<std::int64_t>(100 + i), i)
        );
    }
    const std::string html = drawn({timeline_of("", names, bars)});
    EXPECT_EQ(colour_of(html, "kernel8"), "k0");
    EXPECT_EQ(colour_of(html, "kernel2"), "k6");
    EXPECT_EQ(colour_of(html, "kernel1"), "kx");
    EXPECT_EQ(colour_of(html, "kernel0"), "kx");
    EXPECT_THAT(html, HasSubstr("<i class=\"kx\"></i>\n2 others"));
}

TEST(TimelineSvg, PutsBarsTogetherThatAreTooNarrowToSee) {
    // a pixel is 1,020 ns, so that 0.2 of one are 204 ns
    const std::string html = drawn({timeline_of(
        "", {"gemm", "norm"}, {bar(0, 999'600), bar(999'700, 40, 1), bar(999'800, 40, 1)}
    )});
    EXPECT_THAT(html, HasSubstr("<title>2 records, all norm, from 999.700 us, 0.140 us long"));
}

TEST(TimelineSvg, StaysSmallHoweverManyKernelsThereAre) {
    std::vector<StepBar> bars;
    for (std::int64_t i = 0; i < 100'000; ++i) {
        bars.push_back(bar(i * 1000, i % 7 == 0 ? 990 : 400, static_cast<std::size_t>(i % 3)));
    }
    const std::vector<std::string> names{
        std::string(200, 'a'), std::string(200, '<'), std::string(5000, 'c')};
    const auto one = timeline_of("base: A", names, bars);
    EXPECT_LT(drawn({one, one}).size(), 300'000U);
    // of overlapping bars, which are all wide
    std::vector<StepBar> wide(100'000, bar(0, 1'000'000));
    EXPECT_LT(drawn({timeline_of("", {"gemm"}, wide)}).size(), 300'000U);
}

TEST(TimelineSvg, ShowsTheBusiestOfVeryManyLanes) {
    StepTimeline timeline = timeline_of("base: A", {"gemm"}, {});
    timeline.lanes.clear();
    for (std::int64_t i = 0; i < 1000; ++i) {
        timeline.lanes.push_back({"stream " + std::to_string(i), {bar(0, 1000 + i)}});
    }
    const std::string html = drawn({timeline});
    EXPECT_THAT(html, HasSubstr("step 0: the 48 lanes with the most time of 1000"));
    EXPECT_EQ(count(html, "class=\"name\""), 48U);
    EXPECT_LT(html.find(">stream 952<"), html.find(">stream 999<")) << "in their order";
    EXPECT_THAT(html, Not(HasSubstr(">stream 951<")));
}

TEST(TimelineSvg, EscapesNames) {
    const std::string name = "a<b> & \"c\" 'd'\x01\xff</title><script>";
    StepTimeline timeline = timeline_of("base: <A>", {name}, {bar(0, 100)});
    timeline.lanes[0].name = "rank <TP\"0\">, stream 7";
    const std::string html = drawn({timeline});
    EXPECT_THAT(html, HasSubstr("<title>a&lt;b&gt; &amp; &quot;c&quot; &#39;d&#39;\xEF\xBF\xBD"));
    EXPECT_THAT(html, Not(HasSubstr("<script")));
    EXPECT_EQ(count(html, "<title>"), count(html, "</title>"));
    EXPECT_THAT(html, Not(HasSubstr("\xff")));
    EXPECT_EQ(html.find('\x01'), html.npos);
    EXPECT_THAT(html, HasSubstr(">rank &lt;TP&quot;0&quot;&gt;, stream 7<"));
}

TEST(TimelineSvg, DrawsOneKernelAndOneWithoutLength) {
    EXPECT_THAT(drawn({timeline_of("", {"gemm"}, {bar(0, 10)})}), HasSubstr("M0.00 0h980.00"));
    const std::string html = drawn({timeline_of("", {"gemm"}, {bar(0, 0)})});
    EXPECT_THAT(html, HasSubstr("M0.00 0h0.20v14")) << "narrow, and there";
    EXPECT_THAT(html, HasSubstr("gemm, from 0.000 us, 0.000 us long"));
}

TEST(TimelineSvg, SaysInWordsWhatItShows) {
    const std::string html = drawn(
        {timeline_of("base: A", {"gemm"}, {bar(0, 4'000)}),
         timeline_of("candidate: B", {"gemm"}, {bar(0, 2'000)})}
    );
    EXPECT_THAT(
        html,
        HasSubstr("role=\"img\" aria-label=\"Timeline of base: A, step 0, 4.00 us long over "
                  "candidate: B, step 0, 2.00 us long, on one axis. The table below has")
    );
    EXPECT_THAT(html, Not(HasSubstr("style=\""))) << "the policy would ignore it";
}

std::vector<std::string> marks(std::int64_t extent) {
    std::vector<std::string> words;
    for (const AxisTick& tick : axis_ticks(nanoseconds(extent))) {
        words.push_back(tick.words);
    }
    return words;
}

TEST(AxisTicks, StandAtRoundTimesOfOneUnit) {
    EXPECT_THAT(marks(1), ElementsAre("0", "1 ns"));
    EXPECT_THAT(marks(999), ElementsAre("0", "200 ns", "400 ns", "600 ns", "800 ns"));
    EXPECT_THAT(marks(1000), ElementsAre("0", "0.2 us", "0.4 us", "0.6 us", "0.8 us", "1 us"));
    EXPECT_THAT(
        marks(3'580'000),
        ElementsAre("0", "0.5 ms", "1 ms", "1.5 ms", "2 ms", "2.5 ms", "3 ms", "3.5 ms")
    );
}

TEST(AxisTicks, AreFewOfAnyLength) {
    for (std::int64_t extent = 1; extent < INT64_MAX / 3; extent *= 3) {
        EXPECT_GE(marks(extent).size(), 2U) << extent;
        EXPECT_LE(marks(extent).size(), 8U) << extent;
    }
    EXPECT_LE(marks(INT64_MAX).size(), 8U);
}

nlohmann::json embedded(const std::string& page) {
    const std::string start = "<script type=\"application/json\" id=\"kvprof-report\">";
    const std::size_t from = page.find(start) + start.size();
    return nlohmann::json::parse(page.substr(from, page.find("</script>", from) - from));
}

TEST(HtmlTimeline, HasItsFiguresAsATableAndAsJson) {
    Report report = test::lone_gate_report(Format::html);
    report.drawn_steps = {timeline_of("base: A", {"gemm"}, {bar(0, 4'000)})};
    const std::string page = html_page(report);
    EXPECT_THAT(page, HasSubstr("<h2>Timeline</h2>"));
    EXPECT_THAT(page, HasSubstr("<td class=\"n\">4.00 us</td>"));
    EXPECT_EQ(embedded(page)["timeline"][0]["wall_ns"], 4'000);
}

TEST(HtmlTimeline, OfOneSideSaysWhyTheOtherHasNone) {
    Report report = test::lone_gate_report(Format::html);
    report.drawn_steps = {timeline_of("base: A", {"gemm"}, {bar(0, 4'000)})};
    analyzers::Comparison& only = std::get<Judged>(report.subject).gate.cases.front();
    only.candidate.label = "cand";
    only.candidate.runs.front().profile.emplace();
    EXPECT_THAT(html_page(report), HasSubstr("candidate: cand is not drawn"));
    EXPECT_THAT(html_page(report), HasSubstr("--keep-events 4"));
    report.drawn_steps.push_back(timeline_of("candidate: cand", {"gemm"}, {bar(0, 4'000)}));
    EXPECT_THAT(html_page(report), Not(HasSubstr("is not drawn")));
}

TEST(HtmlTimeline, IsLeftOutWhereNothingWasKept) {
    const std::string page = html_page(test::lone_gate_report(Format::html));
    EXPECT_THAT(page, Not(HasSubstr("Timeline</h2>")));
    EXPECT_FALSE(embedded(page).contains("timeline"));
}

} // namespace
} // namespace kvprof::report

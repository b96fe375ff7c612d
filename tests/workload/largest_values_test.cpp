#include "capture/model/error.h"
#include "capture/model/params.h"
#include "capture/workload/step_plan.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <string>
#include <type_traits>
#include <vector>

namespace {

using namespace kvprof;

/// The names of the fields of a type.
template<typename Value, typename Spec>
std::vector<std::string> names_of(const Spec& spec) {
    std::vector<std::string> names;
    visit_fields(spec, [&](const FieldInfo& field, const auto& value) {
        if constexpr (std::is_same_v<std::decay_t<decltype(value)>, Value>) {
            names.emplace_back(field.name);
        }
    });
    return names;
}

bool is_refused(const std::string& field, const std::string& value) {
    StepSpec step;
    step.preset = "tiny-mla";
    step.seq_len = 64;
    MeasureSpec measure;
    if (!set_field(step, field, value)) {
        set_field(measure, field, value);
    }
    try {
        static_cast<void>(workload::plan_step(step, measure));
    } catch (const UsageError&) {
        return true;
    }
    return false;
}

TEST(LargestValues, OfWholeNumbersAreRefused) {
    std::vector<std::string> names = names_of<std::int64_t>(StepSpec{});
    for (const std::string& name : names_of<std::int64_t>(MeasureSpec{})) {
        names.push_back(name);
    }
    ASSERT_GT(names.size(), 10U);
    for (const std::string& name : names) {
        const auto most = std::to_string(std::numeric_limits<std::int64_t>::max());
        EXPECT_EQ(is_refused(name, most), name != "seed") << name; // any seed is a seed
    }
}

TEST(LargestValues, OfRealsAreRefused) {
    std::vector<std::string> names = names_of<double>(StepSpec{});
    for (const std::string& name : names_of<double>(MeasureSpec{})) {
        names.push_back(name);
    }
    ASSERT_GT(names.size(), 3U);
    for (const std::string& name : names) {
        EXPECT_TRUE(is_refused(name, "1e300")) << name;
    }
}

TEST(SmallestValues, OfChurnAreRefusedBeforeTheirCycleLeaves64Bits) {
    EXPECT_TRUE(is_refused("churn", "1e-320")); // 1 / 1e-320 is infinite
    EXPECT_TRUE(is_refused("churn", "1e-19"));  // a cycle of 1e19 steps
    EXPECT_FALSE(is_refused("churn", "0.001"));
}

} // namespace

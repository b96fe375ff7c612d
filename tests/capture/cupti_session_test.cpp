#include "capture/cuda/cupti_session.h"

#include "capture/cuda/cupti_trial.h"
#include "capture/model/error.h"
#include "tests/support/cuda/fake_cupti.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

namespace kvprof::cuda {
namespace {

using test::FakeCupti;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::UnorderedElementsAre;

TraceLevel level(Pass pass) {
    return level_of(pass).value();
}

/// Opens a session that must fail: its error.
UnavailableError refused(const FakeCupti& fake, Pass pass = Pass::nodes) {
    try {
        const CuptiSession session(fake.api(), level(pass));
    } catch (const UnavailableError& error) {
        return error;
    }
    ADD_FAILURE() << "the session opened";
    return UnavailableError("");
}

TEST(CuptiSession, SubscribesBeforeAnythingElseAndUnsubscribesLast) {
    FakeCupti fake;
    { const CuptiSession session(fake.api(), level(Pass::nodes)); }
    EXPECT_THAT(
        fake.log,
        ElementsAre(
            "subscribe",
            "attribute",
            "buffers",
            "enable_callback",
            "enable",
            "disable",
            "unsubscribe"
        )
    );
}

TEST(CuptiSession, TracesNodesWithoutTheKindThatSerialisesKernels) {
    FakeCupti fake;
    const CuptiSession session(fake.api(), level(Pass::nodes));
    EXPECT_THAT(
        fake.kinds(),
        UnorderedElementsAre(
            CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL,
            CUPTI_ACTIVITY_KIND_MEMCPY,
            CUPTI_ACTIVITY_KIND_MEMSET,
            CUPTI_ACTIVITY_KIND_OVERHEAD
        )
    );
}

TEST(CuptiSession, TracesGraphsWithoutNodes) {
    FakeCupti fake;
    const CuptiSession session(fake.api(), level(Pass::graph));
    EXPECT_THAT(fake.kinds(), UnorderedElementsAre(CUPTI_ACTIVITY_KIND_GRAPH_TRACE));
}

TEST(CuptiSession, CountsWithoutAnyRecord) {
    FakeCupti fake;
    const CuptiSession session(fake.api(), level(Pass::counts));
    EXPECT_THAT(fake.kinds(), IsEmpty());
}

TEST(CuptiSession, HasNoLevelForPassesThatRunWithoutCupti) {
    EXPECT_FALSE(level_of(Pass::timing).has_value());
    EXPECT_FALSE(level_of(Pass::memory).has_value());
}

TEST(CuptiSession, HearsLaunchesInBothDomains) {
    FakeCupti fake;
    const CuptiSession session(fake.api(), level(Pass::counts));
    for (const auto domain : {CUPTI_CB_DOMAIN_RUNTIME_API, CUPTI_CB_DOMAIN_DRIVER_API}) {
        EXPECT_TRUE(fake.hears(domain, "cudaLaunchKernel"));
        EXPECT_TRUE(fake.hears(domain, "cudaGraphLaunch"));
        EXPECT_TRUE(fake.hears(domain, "cudaMemcpyAsync"));
        EXPECT_TRUE(fake.hears(domain, "cudaEventRecord"));
        EXPECT_FALSE(fake.hears(domain, "cudaFuncGetAttributes"));
    }
}

TEST(CuptiSession, DoesNotHearWaitsAndEventsWhileItTraces) {
    FakeCupti fake;
    const CuptiSession session(fake.api(), level(Pass::nodes));
    const auto runtime = CUPTI_CB_DOMAIN_RUNTIME_API;
    EXPECT_TRUE(fake.hears(runtime, "cudaLaunchKernel"));
    EXPECT_TRUE(fake.hears(runtime, "cudaGraphInstantiate"));
    EXPECT_FALSE(fake.hears(runtime, "cudaEventRecord"));
    EXPECT_FALSE(fake.hears(runtime, "cudaMalloc"));
    EXPECT_FALSE(fake.hears(runtime, "cudaDeviceSynchronize"));
}

TEST(CuptiSession, NamesTheRivalThatHoldsCupti) {
    FakeCupti fake;
    fake.rival = "CUPTI for torch";
    fake.fail("subscribe", CUPTI_ERROR_MULTIPLE_SUBSCRIBERS_NOT_SUPPORTED);
    const UnavailableError error = refused(fake);
    EXPECT_THAT(error.what(), HasSubstr("could not subscribe to CUPTI: "));
    EXPECT_THAT(error.what(), HasSubstr("\"CUPTI for torch\" holds CUPTI"));
    EXPECT_THAT(error.hint(), HasSubstr("CUDA_INJECTION64_PATH"));
}

TEST(CuptiSession, SaysThatARivalGivesNoName) {
    FakeCupti fake;
    fake.rival = "<not provided>"; // by CUPTI 13.0
    fake.fail("subscribe", CUPTI_ERROR_MULTIPLE_SUBSCRIBERS_NOT_SUPPORTED);
    EXPECT_THAT(
        refused(fake).what(),
        HasSubstr("another tool, which gives no name, holds CUPTI in this process")
    );
}

class EveryStep : public ::testing::TestWithParam<std::tuple<const char*, int>> {};

TEST_P(EveryStep, IsUndoneWhenALaterOneFails) {
    const auto& [function, code] = GetParam();
    FakeCupti fake;
    fake.fail(function, code);
    const UnavailableError error = refused(fake);
    EXPECT_THAT(error.what(), HasSubstr(std::to_string(code)));
    EXPECT_THAT(error.hint(), Not(IsEmpty()));
    EXPECT_FALSE(fake.is_subscribed());
    EXPECT_THAT(fake.kinds(), IsEmpty());
}

INSTANTIATE_TEST_SUITE_P(
    CuptiSession,
    EveryStep,
    ::testing::Combine(
        ::testing::Values("subscribe", "attribute", "buffers", "enable_callback", "enable"),
        ::testing::Values(15, 35, 39, 999)
    ),
    [](const auto& param) {
        return std::string(std::get<0>(param.param)) + std::to_string(std::get<1>(param.param));
    }
);

TEST(CuptiSession, TurnsOffTheKindsThatWereOnWhenTheNextFails) {
    FakeCupti fake;
    fake.fail("enable", CUPTI_ERROR_INSUFFICIENT_PRIVILEGES, 3);
    EXPECT_THAT(refused(fake).what(), HasSubstr("could not turn tracing on: INSUFFICIENT"));
    EXPECT_THAT(fake.kinds(), IsEmpty());
}

TEST(CuptiSession, OpensAgainAfterAFailedAttempt) {
    FakeCupti fake;
    fake.fail("subscribe", CUPTI_ERROR_MULTIPLE_SUBSCRIBERS_NOT_SUPPORTED);
    static_cast<void>(refused(fake));
    EXPECT_NO_THROW(CuptiSession(fake.api(), level(Pass::nodes)));
}

TEST(CuptiSession, IsOneAtATime) {
    FakeCupti fake;
    const CuptiSession session(fake.api(), level(Pass::nodes));
    EXPECT_THAT(refused(fake).what(), HasSubstr("has or had a session"));
}

TEST(CuptiSession, IsOneAProcessWhereCuptiMixesUpASecond) {
    FakeCupti fake(130'001);
    FakeCupti mended(130'101);
    { const CuptiSession first(mended.api(), level(Pass::nodes)); }
    EXPECT_THAT(refused(fake).what(), HasSubstr("correlation ids"));
    EXPECT_NO_THROW(CuptiSession(mended.api(), level(Pass::nodes)));
}

TEST(CuptiSession, TakesABufferBackAfterItsEnd) {
    FakeCupti fake;
    {
        CuptiSession session(fake.api(), level(Pass::nodes));
        session.restart();
        fake.keeps_last_record = true;
        fake.fail("forced flush", 999);
        fake.launch("kernel");
        EXPECT_THROW(static_cast<void>(session.finish()), UnavailableError);
        fake.fail("forced flush", 999);
    }
    fake.complete_late();
    CuptiSession next(fake.api(), level(Pass::nodes));
    next.restart();
    EXPECT_EQ(next.finish().records.size(), 0U);
}

TEST(CuptiSession, CallsCuptiNoMoreOnceItHasShutItselfDown) {
    FakeCupti fake;
    {
        CuptiSession session(fake.api(), level(Pass::nodes));
        session.restart();
        fake.die();
        fake.log.clear();
        EXPECT_THROW(static_cast<void>(session.finish()), UnavailableError);
    }
    EXPECT_THAT(fake.log, IsEmpty());
}

TEST(CuptiTrial, TellsThatCuptiCanBeUsed) {
    FakeCupti fake;
    const CuptiProbe probe = try_cupti(fake.api());
    EXPECT_TRUE(probe.is_usable);
    EXPECT_EQ(probe.path, "/fake/libcupti.so.13");
    EXPECT_EQ(probe.version, 130'101U);
    EXPECT_EQ(probe.virtualization, "virtual GPU");
    EXPECT_EQ(probe.failure, "");
    EXPECT_FALSE(fake.is_subscribed());
}

TEST(CuptiTrial, TellsWhoHoldsCupti) {
    FakeCupti fake;
    fake.rival = "Nsight";
    fake.fail("subscribe", CUPTI_ERROR_MULTIPLE_SUBSCRIBERS_NOT_SUPPORTED);
    const CuptiProbe probe = try_cupti(fake.api());
    EXPECT_FALSE(probe.is_usable);
    EXPECT_EQ(probe.code, 39);
    EXPECT_EQ(probe.rival, "Nsight");
    EXPECT_THAT(probe.failure, HasSubstr("\"Nsight\" holds CUPTI"));
    EXPECT_THAT(probe.remedy, Not(IsEmpty()));
}

TEST(CuptiTrial, TellsWhyNothingWasLoaded) {
    const Libraries none{
        .open = [](const std::string& /*file*/) -> void* { return nullptr; },
        .symbol = [](void* /*library*/, const char* /*symbol*/) -> void* { return nullptr; },
        .why = [] { return std::string("no such file"); }};
    const CuptiProbe probe = probe_cupti_session(none);
    EXPECT_FALSE(probe.is_usable);
    EXPECT_EQ(probe.code, number(CuptiCode::library_missing));
    EXPECT_EQ(probe.failure, "could not load CUPTI: no CUPTI 13 library: no such file");
}

} // namespace
} // namespace kvprof::cuda

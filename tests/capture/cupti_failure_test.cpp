#include "capture/cupti_failure.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

namespace kvprof {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;

CuptiContext here() {
    return {
        .action = "turn tracing on",
        .driver_version = 13'000,
        .cupti_version = 130'001,
        .file = "/lib/libcupti.so.13",
        .detail = "CUPTI's words"};
}

CuptiFailure describe(CuptiCode code, const CuptiContext& context = here()) {
    return describe_cupti_failure(number(code), context);
}

struct Expected {
    CuptiCode code{};
    const char* what;   ///< part of it
    const char* remedy; ///< part of it
};

class EveryCode : public ::testing::TestWithParam<Expected> {};

TEST_P(EveryCode, HasACauseAndARemedyOfItsOwn) {
    const CuptiFailure failure = describe(GetParam().code);
    EXPECT_THAT(failure.what, StartsWith("could not turn tracing on: "));
    EXPECT_THAT(failure.what, HasSubstr(GetParam().what));
    EXPECT_THAT(failure.remedy, HasSubstr(GetParam().remedy));
    EXPECT_THAT(failure.what + failure.remedy, Not(HasSubstr("\n")));
}

INSTANTIATE_TEST_SUITE_P(
    CuptiFailure,
    EveryCode,
    ::testing::Values(
        Expected{
            CuptiCode::not_initialized,
            "NOT_INITIALIZED (15): the driver runs CUDA up to 13.0, CUPTI is version 13.0.1",
            "update the driver"},
        Expected{CuptiCode::disabled, "DISABLED (23): another tool", "dcgmi profile --pause"},
        Expected{CuptiCode::hardware_busy, "HARDWARE_BUSY (26): another tool", "run alone"},
        Expected{CuptiCode::not_supported, "NOT_SUPPORTED (27)", "Blackwell"},
        Expected{
            CuptiCode::virtualized_device,
            "VIRTUALIZED_DEVICE_NOT_SUPPORTED (33)",
            "enable_profiling"},
        Expected{
            CuptiCode::insufficient_privileges,
            "INSUFFICIENT_PRIVILEGES (35): the driver does not tell whether profiling is kept for "
            "administrators",
            "--cap-add=SYS_ADMIN"},
        Expected{CuptiCode::legacy_profiler, "LEGACY_PROFILER_NOT_SUPPORTED (38)", "report it"},
        Expected{
            CuptiCode::multiple_subscribers,
            "MULTIPLE_SUBSCRIBERS_NOT_SUPPORTED (39): another tool, which gives no name, "
            "holds CUPTI",
            "CUDA_INJECTION64_PATH"},
        Expected{
            CuptiCode::virtualized_privileges,
            "VIRTUALIZED_DEVICE_INSUFFICIENT_PRIVILEGES (40)",
            "administrator"},
        Expected{
            CuptiCode::confidential_computing,
            "CONFIDENTIAL_COMPUTING_NOT_SUPPORTED (41)",
            "devtools mode"},
        Expected{CuptiCode::cmp_device, "CMP_DEVICE_NOT_SUPPORTED (42)", "--passes timing+memory"},
        Expected{CuptiCode::mig_device, "MIG_DEVICE_NOT_SUPPORTED (43)", "whole GPU"},
        Expected{CuptiCode::sli_device, "SLI_DEVICE_NOT_SUPPORTED (44)", "--passes timing+memory"},
        Expected{CuptiCode::wsl_device, "WSL_DEVICE_NOT_SUPPORTED (45)", "native Linux"},
        Expected{CuptiCode::unknown, "CUPTI error 999: CUPTI's words", "NVLOG_CONFIG_FILE"},
        Expected{
            CuptiCode::library_missing,
            "no CUPTI 13 library: CUPTI's words",
            "nvidia-cuda-cupti==13.0.*"},
        Expected{
            CuptiCode::symbol_missing,
            "/lib/libcupti.so.13 is CUPTI 13.0.1, without CUPTI's words",
            "KVPROF_CUPTI"},
        Expected{CuptiCode::other_major, "reads the records of CUPTI 13", "KVPROF_CUPTI"},
        Expected{CuptiCode::second_session, "has or had a session", "new process"},
        Expected{CuptiCode::unsupported_device, "does not support the device", "older CUPTI"},
        Expected{CuptiCode::callbacks_lost, "0 calls or graph events", "--trace-steps"},
        Expected{CuptiCode::shut_down, "detached itself", "run again"},
        Expected{CuptiCode::graph_ids_disagree, "have another op", "report it"},
        Expected{CuptiCode::graph_ids_missing, "without an id", "report it"},
        Expected{CuptiCode::records_unread, "could not be read to their end", "report it"}
    ),
    [](const auto& param) {
        const int code = number(param.param.code);
        return code < 0 ? "Own" + std::to_string(-code) : "Cupti" + std::to_string(code);
    }
);

TEST(CuptiFailure, BlamesTheDriverThatIsNotThere) {
    CuptiContext context = here();
    context.driver_version.reset();
    for (const CuptiCode code : {CuptiCode::unknown, CuptiCode::not_initialized}) {
        const CuptiFailure failure = describe(code, context);
        EXPECT_THAT(failure.what, HasSubstr("sees no NVIDIA driver"));
        EXPECT_THAT(failure.remedy, HasSubstr("--gpus all"));
    }
}

TEST(CuptiFailure, NamesTheRival) {
    CuptiContext context = here();
    context.rival = "Nsight Systems";
    EXPECT_THAT(
        describe(CuptiCode::multiple_subscribers, context).what,
        HasSubstr("\"Nsight Systems\" holds CUPTI in this process")
    );
}

TEST(CuptiFailure, SaysWhatTheDriverSaysOfAdministrators) {
    CuptiContext context = here();
    context.is_admin_only = true;
    EXPECT_THAT(
        describe(CuptiCode::insufficient_privileges, context).what,
        HasSubstr("RmProfilingAdminOnly is 1: profiling is kept for administrators")
    );
    context.is_admin_only = false;
    EXPECT_THAT(
        describe(CuptiCode::insufficient_privileges, context).what,
        HasSubstr("RmProfilingAdminOnly is 0, yet profiling")
    );
}

TEST(CuptiFailure, NamesTheKindOfVirtualization) {
    CuptiContext context = here();
    context.virtualization = "pass-through";
    EXPECT_THAT(
        describe(CuptiCode::virtualized_device, context).what, HasSubstr("shared (pass-through)")
    );
}

TEST(CuptiFailure, CountsWhatIsLost) {
    CuptiContext context = here();
    context.lost = 12;
    EXPECT_THAT(describe(CuptiCode::records_unread, context).what, HasSubstr(": 12 buffers"));
}

TEST(CuptiFailure, NamesAnOlderLibraryByItsInterface) {
    CuptiContext context = here();
    context.file = "/lib/libcupti.so.12";
    context.cupti_version = 28;
    EXPECT_THAT(
        describe(CuptiCode::other_major, context).what,
        HasSubstr("/lib/libcupti.so.12 is CUPTI interface 28, before 13")
    );
}

TEST(CuptiFailure, GivesANumberAndCuptisWordsForOtherCodes) {
    const CuptiFailure failure = describe_cupti_failure(8, here());
    EXPECT_EQ(failure.what, "could not turn tracing on: CUPTI error 8: CUPTI's words");
    EXPECT_THAT(failure.remedy, HasSubstr("kvprof doctor"));
}

TEST(CuptiFailure, BecomesAnErrorWithAHint) {
    const UnavailableError error = cupti_error(CuptiCode::second_session, here());
    EXPECT_THAT(error.what(), HasSubstr("has or had a session"));
    EXPECT_THAT(error.hint(), HasSubstr("new process"));
}

TEST(CuptiVersion, ReadsBothNumberings) {
    EXPECT_EQ(cupti_major(130'001), 13);
    EXPECT_EQ(cupti_major(28), 12);
    EXPECT_EQ(cupti_major(140'000), 14);
    EXPECT_EQ(cupti_version_text(130'001), "13.0.1");
}

} // namespace
} // namespace kvprof

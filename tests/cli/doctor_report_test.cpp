#include "cli/doctor_report.h"

#include "capture/cupti_failure.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <functional>

namespace kvprof::cli {
namespace {

using ::testing::HasSubstr;
using ::testing::StartsWith;

constexpr std::int64_t kGiB = std::int64_t{1} << 30;

Gpu idle_gpu() {
    return {
        .index = 0,
        .name = "H200",
        .uuid = "GPU-1",
        .total_bytes = 2048,
        .free_bytes = 1024,
        .processes = std::vector<GpuProcess>{},
        .state =
            {.when = {},
             .sm_clock_mhz = 345,
             .memory_clock_mhz = 3201,
             .temperature_c = 35,
             .power_mw = 75'500,
             .event_reasons = 1,
             .used_bytes = 1024,
             .utilization_percent = 0},
        .facts = {
            .mig = "off",
            .ecc = "on",
            .clock_state = "unlocked",
            .virtualization = "passthrough",
            .confidential_compute = "off",
            .power_limit_mw = 700'000,
            .sm_clock_max_mhz = 1980,
            .memory_clock_max_mhz = 3201}};
}

/// A machine on which nothing is missing.
DoctorFacts good() {
    return {
        .build = {"90-real", 13'000},
        .machine =
            {.driver = {true, "runs CUDA up to 13.0"},
             .nvml = {true, "driver 580.1"},
             .cupti = {true, "version 13.0.1 (libcupti.so.13)"},
             .nvcc = {true, "/usr/local/cuda/bin/nvcc"},
             .driver_version = 13'000,
             .cupti_version = 130'001,
             .is_admin_only = false,
             .gpus = {idle_gpu()}},
        .host = {"Xeon", 2, "box", "Linux 6.1", kGiB},
        .around = {"none", "abc", ""},
        .store = {"/data/kvprof.db", "", kGiB},
        .session = CuptiProbe{
            .is_usable = true,
            .path = "libcupti.so.13",
            .version = 130'001,
            .code = 0,
            .rival = {},
            .virtualization = "none",
            .failure = {},
            .remedy = {}}};
}

DoctorFacts without_gpu() {
    const Finding missing{false, "not found: no such file"};
    DoctorFacts facts = good();
    facts.build = {};
    facts.machine = {
        .driver = missing,
        .nvml = missing,
        .cupti = missing,
        .nvcc = missing,
        .driver_version = {},
        .cupti_version = 0,
        .is_admin_only = {},
        .gpus = {}};
    facts.session.reset();
    return facts;
}

DoctorRow row_of(const std::vector<DoctorRow>& rows, std::string_view name) {
    const auto row = std::find_if(rows.begin(), rows.end(), [&](const DoctorRow& candidate) {
        return candidate.name == name;
    });
    return row == rows.end() ? DoctorRow{} : *row;
}

/// A row of the good machine after one change.
DoctorRow row_after(std::string_view name, const std::function<void(DoctorFacts&)>& change) {
    DoctorFacts facts = good();
    change(facts);
    return row_of(doctor_rows(facts), name);
}

/// A row of the good device after one change.
DoctorRow device_row_after(std::string_view name, const std::function<void(Gpu&)>& change) {
    return row_after(name, [&](DoctorFacts& facts) { change(facts.machine.gpus[0]); });
}

TEST(DoctorRows, AreAllFineWhereNothingIsMissing) {
    const auto rows = doctor_rows(good());
    for (const DoctorRow& row : rows) {
        EXPECT_TRUE(row.is_fine) << row.name << ": " << row.cost;
    }
    EXPECT_EQ(row_of(rows, "gpu 0").text, "H200 (GPU-1), 1.0 KiB free of 2.0 KiB");
    EXPECT_EQ(row_of(rows, "gpu 0 users").text, "nobody is listed");
    EXPECT_EQ(
        row_of(rows, "gpu 0 clocks").text,
        "SM 345 of 1980 MHz, memory 3201 of 3201 MHz, 75.5 of 700 W, 35 C, unlocked, held back by: "
        "GPU idle"
    );
    EXPECT_EQ(
        row_of(rows, "gpu 0 mode").text,
        "MIG off, ECC on, virtualization passthrough, confidential computing off"
    );
    EXPECT_EQ(row_of(rows, "runtime").text, "CUDA 13.0, in this program");
    EXPECT_EQ(
        row_of(rows, "session").text,
        "CUPTI 13.0.1 opens and closes (libcupti.so.13), virtualization none"
    );
    EXPECT_EQ(row_of(rows, "container").text, "none");
    EXPECT_EQ(row_of(rows, "variables").text, "none that matter");
    EXPECT_EQ(row_of(rows, "git").text, "abc");
    EXPECT_THAT(row_of(rows, "counters").text, HasSubstr("RmProfilingAdminOnly 0"));
    EXPECT_THAT(doctor_text(rows), StartsWith("everything is there\n"));
}

TEST(DoctorRows, SayWhatEachMissingThingCostsAndHowToGetIt) {
    for (const DoctorRow& row : doctor_rows(without_gpu())) {
        EXPECT_EQ(row.is_fine, row.cost.empty()) << row.name;
        EXPECT_EQ(row.is_fine, row.remedy.empty()) << row.name;
    }
    const auto rows = doctor_rows(without_gpu());
    for (const char* name : {"build", "driver", "nvml", "gpu", "cupti", "nvcc"}) {
        EXPECT_FALSE(row_of(rows, name).is_fine) << name;
    }
    EXPECT_THAT(row_of(rows, "driver").remedy, HasSubstr("--gpus all"));
    EXPECT_THAT(row_of(rows, "cupti").remedy, HasSubstr("KVPROF_CUPTI"));
}

TEST(DoctorRows, LeaveOutARuntimeThatTheBuildHasNot) {
    EXPECT_EQ(row_of(doctor_rows(without_gpu()), "runtime"), DoctorRow{});
}

TEST(DoctorRows, SayThatTheDriverIsTooOldForTheRuntime) {
    const DoctorRow row =
        row_after("runtime", [](DoctorFacts& facts) { facts.machine.driver_version = 12'080; });
    EXPECT_FALSE(row.is_fine);
    EXPECT_EQ(row.text, "CUDA 13.0, in this program; the driver runs up to 12.8");
    EXPECT_THAT(row.remedy, HasSubstr("update"));
    EXPECT_TRUE(row_after("runtime", [](DoctorFacts& facts) {
                    facts.build.cuda_runtime = 13'010;
                }).is_fine); // minor versions are compatible
}

TEST(DoctorRows, SayThatTheDriverIsTooOldForCupti) {
    const DoctorRow row =
        row_after("cupti", [](DoctorFacts& facts) { facts.machine.cupti_version = 130'101; });
    EXPECT_FALSE(row.is_fine);
    EXPECT_THAT(row.text, HasSubstr("the driver runs up to 13.0"));
    EXPECT_THAT(row.remedy, HasSubstr("KVPROF_CUPTI"));
    EXPECT_TRUE(row_after("cupti", [](DoctorFacts& facts) {
                    facts.machine.driver_version = 13'010;
                }).is_fine);
}

DoctorRow session_row_after(const CuptiFailure& failure) {
    return row_after("session", [&](DoctorFacts& facts) {
        facts.session->is_usable = false;
        facts.session->failure = failure.what;
        facts.session->remedy = failure.remedy;
    });
}

TEST(DoctorRows, NameEveryCauseOfAFailedSessionWithItsRemedy) {
    using enum CuptiCode;
    for (const CuptiCode code :
         {not_initialized,
          disabled,
          hardware_busy,
          not_supported,
          virtualized_device,
          insufficient_privileges,
          legacy_profiler,
          multiple_subscribers,
          virtualized_privileges,
          confidential_computing,
          cmp_device,
          mig_device,
          sli_device,
          wsl_device,
          unknown,
          library_missing,
          symbol_missing,
          other_major,
          second_session,
          unsupported_device}) {
        const CuptiFailure failure =
            describe_cupti_failure(static_cast<int>(code), {.driver_version = 13'000});
        const DoctorRow row = session_row_after(failure);
        EXPECT_FALSE(row.is_fine);
        EXPECT_EQ(row.text, failure.what);
        EXPECT_EQ(row.remedy, failure.remedy);
        EXPECT_THAT(row.remedy, testing::Not(testing::IsEmpty())) << row.text;
    }
}

TEST(DoctorRows, AskForAReportOfASessionThatFailedWithoutARemedy) {
    const DoctorRow row = session_row_after({"could not record", ""});
    EXPECT_EQ(row.remedy, "report it with this output");
}

TEST(DoctorRows, LeaveOutASessionThatWasNotTried) {
    EXPECT_EQ(row_after("session", [](DoctorFacts& facts) { facts.session.reset(); }), DoctorRow{});
}

TEST(DoctorRows, SayThatCountersAreKeptForAdministrators) {
    const DoctorRow row =
        row_after("counters", [](DoctorFacts& facts) { facts.machine.is_admin_only = true; });
    EXPECT_TRUE(row.is_fine); // traces need no counters
    EXPECT_THAT(row.text, HasSubstr("RmProfilingAdminOnly 1"));
}

TEST(DoctorRows, ShowWhoElseUsesTheDevice) {
    const DoctorRow row = device_row_after("gpu 0 users", [](Gpu& gpu) {
        gpu.processes = std::vector<GpuProcess>{{77, kGiB}, {78, std::nullopt}};
    });
    EXPECT_FALSE(row.is_fine);
    EXPECT_EQ(row.text, "pid 77 holds 1.00 GiB, pid 78 holds an unknown amount");
    EXPECT_THAT(row.remedy, HasSubstr("--device"));
}

TEST(DoctorRows, SayThatProcessesAreNotListed) {
    const DoctorRow row = device_row_after("gpu 0 users", [](Gpu& gpu) { gpu.processes.reset(); });
    EXPECT_FALSE(row.is_fine);
    EXPECT_EQ(row.text, "the driver lists no processes");
    EXPECT_THAT(row.remedy, HasSubstr("--pid=host"));
}

TEST(DoctorRows, ShowMemoryThatNobodyListedHolds) {
    const auto with_used = [](std::int64_t used) {
        return device_row_after("gpu 0 users", [used](Gpu& gpu) { gpu.state.used_bytes = used; });
    };
    EXPECT_FALSE(with_used(2 * kGiB).is_fine);
    EXPECT_EQ(with_used(2 * kGiB).text, "nobody is listed; 2.00 GiB are in use by nobody listed");
    EXPECT_TRUE(with_used(kGiB).is_fine); // as much may be the driver's own
}

TEST(DoctorRows, ShowEachSlowdownOfTheDevice) {
    for (const std::int64_t reason : {0x08, 0x20, 0x40, 0x80}) {
        const DoctorRow row =
            device_row_after("gpu 0 clocks", [&](Gpu& gpu) { gpu.state.event_reasons = reason; });
        EXPECT_FALSE(row.is_fine) << reason;
        EXPECT_THAT(row.cost, HasSubstr("are void"));
    }
    const DoctorRow capped =
        device_row_after("gpu 0 clocks", [](Gpu& gpu) { gpu.state.event_reasons = 0x4; });
    EXPECT_FALSE(capped.is_fine);
    EXPECT_THAT(capped.cost, HasSubstr("power-capped"));
}

TEST(DoctorRows, SayThatNvmlTellsNoClocks) {
    const DoctorRow row = device_row_after("gpu 0 clocks", [](Gpu& gpu) {
        gpu.state = {};
        gpu.facts = {};
    });
    EXPECT_FALSE(row.is_fine);
    EXPECT_EQ(row.text, "NVML does not tell");
}

TEST(DoctorRows, SayWhatASliceLacks) {
    const DoctorRow row =
        device_row_after("gpu 0 mode", [](Gpu& gpu) { gpu.facts.mig = "1g.18gb"; });
    EXPECT_FALSE(row.is_fine);
    EXPECT_THAT(row.text, HasSubstr("MIG 1g.18gb"));
    EXPECT_THAT(row.remedy, HasSubstr("whole GPU"));
}

TEST(DoctorRows, SayWhatAVirtualGpuNeeds) {
    const DoctorRow row =
        device_row_after("gpu 0 mode", [](Gpu& gpu) { gpu.facts.virtualization = "vgpu"; });
    EXPECT_FALSE(row.is_fine);
    EXPECT_THAT(row.remedy, HasSubstr("enable_profiling"));
}

TEST(DoctorRows, SayWhatConfidentialComputingForbids) {
    const auto in_mode = [](const char* mode) {
        return device_row_after("gpu 0 mode", [mode](Gpu& gpu) {
            gpu.facts.confidential_compute = mode;
        });
    };
    EXPECT_FALSE(in_mode("on").is_fine);
    EXPECT_THAT(in_mode("on").remedy, HasSubstr("devtools"));
    EXPECT_TRUE(in_mode("devtools").is_fine);
}

TEST(DoctorRows, JoinTheTroublesOfOneLine) {
    const DoctorRow row = device_row_after("gpu 0 mode", [](Gpu& gpu) {
        gpu.facts.mig = "on";
        gpu.facts.confidential_compute = "on";
    });
    EXPECT_THAT(row.cost, HasSubstr("a slice's"));
    EXPECT_THAT(row.cost, HasSubstr("; no traces"));
}

TEST(DoctorRows, SayWhatAContainerHides) {
    const DoctorRow row =
        row_after("container", [](DoctorFacts& facts) { facts.around.container = "docker"; });
    EXPECT_TRUE(row.is_fine);
    EXPECT_THAT(row.text, StartsWith("docker; processes outside it may be hidden"));
}

TEST(DoctorRows, WarnOfVariablesThatDisturbEveryMeasurement) {
    const auto with = [](const char* variables) {
        return row_after("variables", [variables](DoctorFacts& facts) {
            facts.around.variables = variables;
        });
    };
    EXPECT_EQ(with("CUDA_INJECTION64_PATH=/a.so").remedy, "unset CUDA_INJECTION64_PATH");
    EXPECT_EQ(with("A=1 CUDA_LAUNCH_BLOCKING=1").remedy, "unset CUDA_LAUNCH_BLOCKING");
    EXPECT_TRUE(with("CUDA_LAUNCH_BLOCKING=0 LD_PRELOAD=a.so").is_fine);
    EXPECT_EQ(with("LD_PRELOAD=a.so").text, "LD_PRELOAD=a.so");
}

TEST(DoctorRows, SayWhyTheGitRevisionIsUnknown) {
    EXPECT_TRUE(row_after("git", [](DoctorFacts& facts) {
                    facts.around.git_revision = "none";
                }).is_fine);
    const DoctorRow row = row_after("git", [](DoctorFacts& facts) {
        facts.around.git_revision = "unavailable: git ran out of time";
    });
    EXPECT_FALSE(row.is_fine);
    EXPECT_THAT(row.text, HasSubstr("ran out of time"));
}

TEST(DoctorRows, SayWhyRunsCanNotBeStored) {
    const DoctorRow row = row_after("store", [](DoctorFacts& facts) {
        facts.store = {"/data/kvprof.db", "the file can not be written", 0};
    });
    EXPECT_EQ(row.text, "/data/kvprof.db: the file can not be written");
    EXPECT_THAT(row.remedy, HasSubstr("--db"));
}

TEST(DoctorText, PutsCostAndRemedyUnderTheLineThatNeedsALook) {
    const std::string text = doctor_text(
        {{"sqlite", true, "3.45", {}, {}}, {"gpu 0 clocks", false, "hot", "slow", "cool it"}}
    );
    EXPECT_EQ(
        text,
        "1 of 2 lines need a look\n"
        "\n"
        "ok sqlite        3.45\n"
        "-- gpu 0 clocks  hot\n"
        "                 costs:  slow\n"
        "                 remedy: cool it\n"
    );
}

TEST(DoctorJson, HasARowForEveryLine) {
    const auto rows = doctor_rows(without_gpu());
    const auto json = nlohmann::json::parse(doctor_json(rows));
    EXPECT_EQ(json["schema"], "kvprof.doctor/1");
    EXPECT_EQ(json["rows"].size(), rows.size());
}

} // namespace
} // namespace kvprof::cli

#include "cli/doctor_report.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <algorithm>

namespace kvprof::cli {
namespace {

using ::testing::HasSubstr;
using ::testing::StartsWith;

const HostFacts kHost{"Xeon", 2, "box", "Linux 6.1", 1 << 30};
const StoreFacts kStore{"/data/kvprof.db", "", 1 << 30};

MachineProbe with_gpu() {
    return {
        .driver = {true, "runs CUDA up to 13.0"},
        .nvml = {true, "driver 580.1"},
        .cupti = {true, "version 130001"},
        .nvcc = {true, "/usr/local/cuda/bin/nvcc"},
        .gpus = {
            {.index = 0,
             .name = "H200",
             .uuid = "GPU-1",
             .total_bytes = 2048,
             .free_bytes = 1024,
             .processes = {}}}};
}

MachineProbe without_gpu() {
    const Finding missing{false, "not found: no such file"};
    return {.driver = missing, .nvml = missing, .cupti = missing, .nvcc = missing, .gpus = {}};
}

DoctorRow row_of(const std::vector<DoctorRow>& rows, std::string_view name) {
    const auto row = std::find_if(rows.begin(), rows.end(), [&](const DoctorRow& candidate) {
        return candidate.name == name;
    });
    return row == rows.end() ? DoctorRow{} : *row;
}

TEST(DoctorRows, AreAllFineWhereNothingIsMissing) {
    const auto rows = doctor_rows(with_gpu(), kHost, kStore, "90-real");
    EXPECT_THAT(rows, ::testing::Each(::testing::Field(&DoctorRow::is_fine, true)));
    EXPECT_EQ(row_of(rows, "gpu 0").text, "H200, 1.0 KiB free of 2.0 KiB");
    EXPECT_THAT(doctor_text(rows), StartsWith("everything is there\n"));
}

TEST(DoctorRows, SayWhatEachMissingThingCostsAndHowToGetIt) {
    for (const DoctorRow& row : doctor_rows(without_gpu(), kHost, kStore, "")) {
        EXPECT_EQ(row.is_fine, row.cost.empty()) << row.name;
        EXPECT_EQ(row.is_fine, row.remedy.empty()) << row.name;
    }
}

TEST(DoctorRows, ShowWhoElseUsesTheDevice) {
    MachineProbe probe = with_gpu();
    probe.gpus[0].processes = {{77, 1 << 20}};
    EXPECT_THAT(
        row_of(doctor_rows(probe, kHost, kStore, "90-real"), "gpu 0").text,
        HasSubstr("pid 77 holds 1.0")
    );
}

TEST(DoctorRows, SayWhyRunsCanNotBeStored) {
    const StoreFacts locked{"/data/kvprof.db", "the file can not be written", 0};
    const DoctorRow row = row_of(doctor_rows(with_gpu(), kHost, locked, "90-real"), "store");
    EXPECT_EQ(row.text, "/data/kvprof.db: the file can not be written");
    EXPECT_THAT(row.remedy, HasSubstr("--db"));
}

TEST(DoctorJson, HasARowForEveryLine) {
    const auto rows = doctor_rows(without_gpu(), kHost, kStore, "");
    const auto json = nlohmann::json::parse(doctor_json(rows));
    EXPECT_EQ(json["schema"], "kvprof.doctor/1");
    EXPECT_EQ(json["rows"].size(), rows.size());
}

} // namespace
} // namespace kvprof::cli

#include "cli/doctor_report.h"

#include "capture/model/units.h"
#include "cli/stores.h"
#include "cli/version.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>

namespace kvprof::cli {

namespace {

constexpr const char* kHostOnly = "steps run on the host executor only; times are host times";

DoctorRow build_row(std::string_view architectures) {
    if (architectures.empty()) {
        return {
            "build",
            false,
            build_text() + ", without CUDA",
            kHostOnly,
            "build with the CUDA 13 toolkit: cmake --preset cuda"};
    }
    return {
        "build", true, fmt::format("{}, CUDA code for {}", build_text(), architectures), {}, {}};
}

DoctorRow row_of(const char* name, const Finding& finding, const char* cost, const char* remedy) {
    if (finding.found) {
        return {name, true, finding.text, {}, {}};
    }
    return {name, false, finding.text, cost, remedy};
}

std::string processes_text(const std::vector<GpuProcess>& processes) {
    std::string text;
    for (const GpuProcess& process : processes) {
        text += fmt::format(
            "{}pid {} holds {}",
            text.empty() ? "" : ", ",
            process.pid,
            format_bytes({process.bytes})
        );
    }
    return text;
}

DoctorRow gpu_row(const Gpu& gpu) {
    DoctorRow row;
    row.name = fmt::format("gpu {}", gpu.index);
    row.text = fmt::format(
        "{}, {} free of {}",
        gpu.name,
        format_bytes({gpu.free_bytes}),
        format_bytes({gpu.total_bytes})
    );
    if (!gpu.processes.empty()) {
        row.is_fine = false;
        row.text += "; " + processes_text(gpu.processes);
        row.cost = "another process on the device disturbs times; runs say so";
        row.remedy = "wait until it ends, or choose another --device";
    }
    return row;
}

DoctorRow store_row(const StoreFacts& store) {
    if (!store.problem.empty()) {
        return {
            "store",
            false,
            fmt::format("{}: {}", store.path, store.problem),
            "runs can not be stored",
            "name another file: --db FILE or KVPROF_DB"};
    }
    return {
        "store",
        true,
        fmt::format("{}, {} free", store.path, format_bytes({store.free_bytes})),
        {},
        {}};
}

} // namespace

std::vector<DoctorRow> doctor_rows(
    const MachineProbe& probe,
    const HostFacts& host,
    const StoreFacts& store,
    std::string_view cuda_architectures
) {
    std::vector<DoctorRow> rows{
        build_row(cuda_architectures),
        row_of("driver", probe.driver, kHostOnly, "install the NVIDIA driver, or run where it is")};
    for (const Gpu& gpu : probe.gpus) {
        rows.push_back(gpu_row(gpu));
    }
    if (probe.gpus.empty()) {
        rows.push_back({"gpu", false, "not found", kHostOnly, "run on a machine with an NVIDIA GPU"}
        );
    }
    rows.push_back(row_of(
        "nvml",
        probe.nvml,
        "other processes on the GPU go unseen",
        "it comes with the NVIDIA driver"
    ));
    rows.push_back(row_of(
        "cupti",
        probe.cupti,
        "no time per kernel; launches and bytes are counted all the same",
        "install the CUDA toolkit's CUPTI, or put its folder into LD_LIBRARY_PATH"
    ));
    rows.push_back(row_of(
        "nvcc",
        probe.nvcc,
        "none for measuring; needed to build with CUDA",
        "install the CUDA 13 toolkit"
    ));
    rows.push_back(
        {"host",
         true,
         fmt::format(
             "{}, {} processors, {} of memory available",
             host.cpu_model,
             host.cpu_count,
             format_bytes({host.memory_available_bytes})
         ),
         {},
         {}}
    );
    rows.push_back({"sqlite", true, std::string(sqlite_version()), {}, {}});
    rows.push_back(store_row(store));
    return rows;
}

std::string doctor_text(const std::vector<DoctorRow>& rows) {
    const auto missing =
        std::count_if(rows.begin(), rows.end(), [](const DoctorRow& row) { return !row.is_fine; });
    std::string text = missing == 0
                           ? std::string("everything is there\n\n")
                           : fmt::format("{} of {} lines need a look\n\n", missing, rows.size());
    for (const DoctorRow& row : rows) {
        text += fmt::format("{} {:<8}{}\n", row.is_fine ? "ok" : "--", row.name, row.text);
        if (!row.cost.empty()) {
            text += fmt::format("{:11}costs:  {}\n{:11}remedy: {}\n", "", row.cost, "", row.remedy);
        }
    }
    return text;
}

std::string doctor_json(const std::vector<DoctorRow>& rows) {
    nlohmann::json json{{"schema", "kvprof.doctor/1"}, {"rows", nlohmann::json::array()}};
    for (const DoctorRow& row : rows) {
        json["rows"].push_back(
            {{"name", row.name},
             {"fine", row.is_fine},
             {"text", row.text},
             {"cost", row.cost},
             {"remedy", row.remedy}}
        );
    }
    // A device or processor name is the machine's; bytes that are no UTF-8 may not end the report.
    return json.dump(2, ' ', false, nlohmann::json::error_handler_t::replace) + "\n";
}

} // namespace kvprof::cli

#include "cli/doctor_report.h"

#include "capture/cupti_failure.h"
#include "capture/model/units.h"
#include "cli/doctor_devices.h"
#include "cli/stores.h"
#include "cli/version.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>

namespace kvprof::cli {

void add_trouble(DoctorRow& row, const std::string& cost, const std::string& remedy) {
    const auto add = [](std::string& text, const std::string& more) {
        if (text.find(more) == std::string::npos) {
            text += (text.empty() ? "" : "; ") + more;
        }
    };
    row.is_fine = false;
    add(row.cost, cost);
    add(row.remedy, remedy);
}

namespace {

constexpr const char* kHostOnly = "steps run on the host executor only; times are host times";
constexpr const char* kNoTraces =
    "no time per kernel and no API calls; timing and memory passes run all the same";

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

DoctorRow runtime_row(int runtime, const std::optional<int>& driver) {
    DoctorRow row{
        "runtime", true, fmt::format("CUDA {}, in this program", cuda_version(runtime)), {}, {}};
    if (driver && *driver / 1000 < runtime / 1000) {
        row.text += fmt::format("; the driver runs up to {}", cuda_version(*driver));
        add_trouble(
            row, "the driver refuses it: " + std::string(kHostOnly), "update the NVIDIA driver"
        );
    }
    return row;
}

DoctorRow cupti_row(const MachineProbe& machine) {
    DoctorRow row = row_of(
        "cupti",
        machine.cupti,
        kNoTraces,
        "install CUPTI 13 (the toolkit's, or pip install nvidia-cuda-cupti==13.0.*) and name the "
        "file with KVPROF_CUPTI"
    );
    // 130001 is 13.0.1, which a driver writes as 13000.
    const auto cuda_of_cupti = static_cast<int>(
        machine.cupti_version / 10'000 * 1000 + machine.cupti_version / 100 % 100 * 10
    );
    if (machine.cupti.found && machine.driver_version && *machine.driver_version < cuda_of_cupti) {
        row.text +=
            fmt::format("; the driver runs up to {}", cuda_version(*machine.driver_version));
        add_trouble(
            row,
            "CUPTI may not start on an older driver",
            "name a CUPTI of the driver's CUDA version with KVPROF_CUPTI, or update the driver"
        );
    }
    return row;
}

DoctorRow session_row(const CuptiProbe& probe) {
    DoctorRow row{"session", true, {}, {}, {}};
    if (!probe.is_usable) {
        row.text = probe.failure;
        add_trouble(
            row, kNoTraces, probe.remedy.empty() ? "report it with this output" : probe.remedy
        );
        return row;
    }
    row.text = fmt::format(
        "CUPTI {} opens and closes ({})", cupti_version_text(probe.version), probe.path
    );
    if (!probe.virtualization.empty()) {
        row.text += fmt::format(", virtualization {}", probe.virtualization);
    }
    return row;
}

/// Tracing needs no permission; the row says what a failed session may come from.
DoctorRow permission_row(bool is_admin_only) {
    return {
        "counters",
        true,
        is_admin_only
            ? "kept for administrators (RmProfilingAdminOnly 1); traces need no such permission"
            : "open to every user (RmProfilingAdminOnly 0)",
        {},
        {}};
}

DoctorRow container_row(const std::string& container) {
    DoctorRow row{"container", true, container, {}, {}};
    if (container != "none") {
        row.text += "; processes outside it may be hidden, and are then noticed by the device's "
                    "memory alone";
    }
    return row;
}

DoctorRow git_row(const std::string& revision) {
    DoctorRow row{"git", true, revision, {}, {}};
    if (revision.starts_with("unavailable: ")) {
        add_trouble(
            row,
            "runs do not say at which commit they were started",
            "git describe --always in this folder shows what is wrong"
        );
    }
    return row;
}

DoctorRow variables_row(const std::string& variables) {
    DoctorRow row{"variables", true, variables.empty() ? "none that matter" : variables, {}, {}};
    const auto is_set = [&](std::string_view text) {
        return (" " + variables).find(fmt::format(" {}", text)) != std::string::npos;
    };
    if (is_set("CUDA_INJECTION64_PATH=")) {
        add_trouble(
            row,
            "another tool loads itself into measured processes and holds CUPTI there",
            "unset CUDA_INJECTION64_PATH"
        );
    }
    if (is_set("CUDA_LAUNCH_BLOCKING=1")) {
        add_trouble(
            row,
            "every launch waits for the device: host times and gaps are those of debugging",
            "unset CUDA_LAUNCH_BLOCKING"
        );
    }
    return row;
}

DoctorRow host_row(const HostFacts& host) {
    return {
        "host",
        true,
        fmt::format(
            "{}, {} processors, {} of memory available, {}",
            host.cpu_model,
            host.cpu_count,
            format_bytes({host.memory_available_bytes}),
            host.os
        ),
        {},
        {}};
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

/// Driver, runtime, devices and NVML.
void add_gpu_rows(const DoctorFacts& facts, std::vector<DoctorRow>& rows) {
    const MachineProbe& machine = facts.machine;
    rows.push_back(row_of(
        "driver",
        machine.driver,
        kHostOnly,
        "run where the NVIDIA driver is; in a container add --gpus all"
    ));
    if (facts.build.cuda_runtime != 0) {
        rows.push_back(runtime_row(facts.build.cuda_runtime, machine.driver_version));
    }
    rows.push_back(row_of(
        "nvml",
        machine.nvml,
        "other processes on the GPU and slow-downs of it go unseen",
        "it comes with the NVIDIA driver"
    ));
    for (const Gpu& gpu : machine.gpus) {
        for (DoctorRow& row : device_rows(gpu)) {
            rows.push_back(std::move(row));
        }
    }
    if (machine.gpus.empty()) {
        rows.push_back({"gpu", false, "not found", kHostOnly, "run on a machine with an NVIDIA GPU"}
        );
    }
}

/// What traces need.
void add_trace_rows(const DoctorFacts& facts, std::vector<DoctorRow>& rows) {
    rows.push_back(cupti_row(facts.machine));
    if (facts.session) {
        rows.push_back(session_row(*facts.session));
    }
    if (facts.machine.is_admin_only) {
        rows.push_back(permission_row(*facts.machine.is_admin_only));
    }
}

} // namespace

std::vector<DoctorRow> doctor_rows(const DoctorFacts& facts) {
    std::vector<DoctorRow> rows{build_row(facts.build.architectures)};
    add_gpu_rows(facts, rows);
    add_trace_rows(facts, rows);
    rows.push_back(container_row(facts.around.container));
    rows.push_back(variables_row(facts.around.variables));
    rows.push_back(git_row(facts.around.git_revision));
    rows.push_back(row_of(
        "nvcc",
        facts.machine.nvcc,
        "none for measuring; needed to build with CUDA",
        "install the CUDA 13 toolkit"
    ));
    rows.push_back(host_row(facts.host));
    rows.push_back({"sqlite", true, std::string(sqlite_version()), {}, {}});
    rows.push_back(store_row(facts.store));
    return rows;
}

std::string doctor_text(const std::vector<DoctorRow>& rows) {
    const auto missing =
        std::count_if(rows.begin(), rows.end(), [](const DoctorRow& row) { return !row.is_fine; });
    std::string text = missing == 0
                           ? std::string("everything is there\n\n")
                           : fmt::format("{} of {} lines need a look\n\n", missing, rows.size());
    for (const DoctorRow& row : rows) {
        text += fmt::format("{} {:<14}{}\n", row.is_fine ? "ok" : "--", row.name, row.text);
        if (!row.cost.empty()) {
            text += fmt::format("{:17}costs:  {}\n{:17}remedy: {}\n", "", row.cost, "", row.remedy);
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

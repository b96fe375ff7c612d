#include "capture/cupti_failure.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string_view>

namespace kvprof {

namespace {

struct Row {
    CuptiCode code{};
    std::string_view name; ///< as in cupti_result.h, without CUPTI_ERROR_
    std::string_view cause;
    std::string_view remedy;
};

constexpr std::string_view kRunAlone =
    "stop nsys, ncu, compute-sanitizer or a framework's profiler around this process, and unset "
    "CUDA_INJECTION64_PATH";
constexpr std::string_view kNoTracing = "use --passes timing+memory, which need no CUPTI";

/// Causes whose text does not depend on the machine.
constexpr std::array kRows{
    Row{CuptiCode::disabled,
        "DISABLED",
        "another tool holds the profiler of this device",
        "run alone; dcgmi profile --pause stops a monitor's use of it"},
    Row{CuptiCode::hardware_busy,
        "HARDWARE_BUSY",
        "another tool holds the profiling hardware of this device",
        "run alone; dcgmi profile --pause stops a monitor's use of it"},
    Row{CuptiCode::not_supported,
        "NOT_SUPPORTED",
        "this device or this driver has not that feature",
        "update the driver; hardware tracing needs a Blackwell GPU"},
    Row{CuptiCode::legacy_profiler,
        "LEGACY_PROFILER_NOT_SUPPORTED",
        "it was removed in CUDA 13, and kvprof should not have asked for it",
        "report it with the output of kvprof doctor"},
    Row{CuptiCode::confidential_computing,
        "CONFIDENTIAL_COMPUTING_NOT_SUPPORTED",
        "the GPU is in confidential-compute mode",
        "set its devtools mode, or use --passes timing+memory, which need no CUPTI"},
    Row{CuptiCode::cmp_device,
        "CMP_DEVICE_NOT_SUPPORTED",
        "CUPTI does not support this mining card",
        kNoTracing},
    Row{CuptiCode::mig_device,
        "MIG_DEVICE_NOT_SUPPORTED",
        "a MIG slice lacks that feature",
        "run on a whole GPU, or use --passes timing+memory, which need no CUPTI"},
    Row{CuptiCode::sli_device,
        "SLI_DEVICE_NOT_SUPPORTED",
        "CUPTI does not support linked (SLI) devices",
        kNoTracing},
    Row{CuptiCode::wsl_device,
        "WSL_DEVICE_NOT_SUPPORTED",
        "CUPTI does not support this device under WSL",
        "allow GPU counters in the NVIDIA control panel, or run on native Linux"},
    Row{CuptiCode::second_session,
        "",
        "this process has or had a session, and CUPTI mixes up correlation ids after the first",
        "use a new process for every pass (leave out --single-process), or CUPTI 13.1.1 or later"},
    Row{CuptiCode::unsupported_device,
        "",
        "this CUPTI does not support the device",
        "use an older CUPTI for a GPU before compute capability 7.5, a newer one for a newer GPU"},
    Row{CuptiCode::shut_down,
        "",
        "CUPTI met an error that it could not mend and detached itself",
        "run again; set NVLOG_CONFIG_FILE for CUPTI's own log if it comes back"},
};

std::string driver_text(const CuptiContext& context) {
    const int driver = context.driver_version.value_or(0);
    return fmt::format("{}.{}", driver / 1000, driver % 1000 / 10);
}

/// "NAME (35): cause", "cause" for what CUPTI has no code for.
CuptiFailure make(const Row& row, const CuptiContext& context, std::string_view cause) {
    const int code = static_cast<int>(row.code);
    const std::string name = row.name.empty() ? "" : fmt::format("{} ({}): ", row.name, code);
    return {
        fmt::format("could not {}: {}{}", context.action, name, cause), std::string(row.remedy)};
}

CuptiFailure no_driver(const CuptiContext& context) {
    const Row row{
        .remedy = "run where the NVIDIA driver is; in a container add --gpus all; "
                  "--executor host needs no driver"};
    return make(row, context, "this process sees no NVIDIA driver (libcuda.so.1)");
}

CuptiFailure too_old_driver(const CuptiContext& context) {
    const Row row{
        .code = CuptiCode::not_initialized,
        .name = "NOT_INITIALIZED",
        .remedy = "update the driver, or name a CUPTI of the driver's CUDA version with "
                  "KVPROF_CUPTI"};
    return make(
        row,
        context,
        fmt::format(
            "the driver runs CUDA up to {}, CUPTI is version {}",
            driver_text(context),
            cupti_version_text(context.cupti_version)
        )
    );
}

CuptiFailure not_permitted(const CuptiContext& context) {
    std::string_view state = "the driver does not tell whether";
    if (context.is_admin_only) {
        state = *context.is_admin_only ? "RmProfilingAdminOnly is 1:"
                                       : "RmProfilingAdminOnly is 0, yet";
    }
    const Row row{
        .code = CuptiCode::insufficient_privileges,
        .name = "INSUFFICIENT_PRIVILEGES",
        .remedy = "in a container add --cap-add=SYS_ADMIN; on the host set the module option "
                  "NVreg_RestrictProfilingToAdminUsers=0 and reboot; --passes timing+memory need "
                  "no permission"};
    return make(row, context, fmt::format("{} profiling is kept for administrators", state));
}

CuptiFailure rival_holds(const CuptiContext& context) {
    const Row row{
        .code = CuptiCode::multiple_subscribers,
        .name = "MULTIPLE_SUBSCRIBERS_NOT_SUPPORTED",
        .remedy = kRunAlone};
    const std::string rival = context.rival.empty() ? "another tool, which gives no name,"
                                                    : fmt::format("\"{}\"", context.rival);
    return make(row, context, fmt::format("{} holds CUPTI in this process", rival));
}

CuptiFailure virtualized(CuptiCode code, const CuptiContext& context) {
    const bool lacks_right = code == CuptiCode::virtualized_privileges;
    const Row row{
        .code = code,
        .name = lacks_right ? "VIRTUALIZED_DEVICE_INSUFFICIENT_PRIVILEGES"
                            : "VIRTUALIZED_DEVICE_NOT_SUPPORTED",
        .remedy = "ask the host's administrator to enable profiling for the vGPU "
                  "(enable_profiling), or for a passed-through GPU"};
    const std::string_view mode = context.virtualization.empty()
                                      ? std::string_view("virtualized")
                                      : std::string_view(context.virtualization);
    return make(
        row,
        context,
        fmt::format(
            "the device is shared ({}) and {}",
            mode,
            lacks_right ? "this guest may not profile it" : "can not be profiled"
        )
    );
}

CuptiFailure library_trouble(CuptiCode code, const CuptiContext& context) {
    const Row row{
        .code = CuptiCode::library_missing,
        .remedy = "install CUPTI 13 (the toolkit's, or pip install nvidia-cuda-cupti==13.0.*) and "
                  "name the file with KVPROF_CUPTI"};
    if (code == CuptiCode::library_missing) {
        return make(row, context, fmt::format("no CUPTI 13 library: {}", context.detail));
    }
    const std::string found =
        fmt::format("{} is CUPTI {}", context.file, cupti_version_text(context.cupti_version));
    if (code == CuptiCode::symbol_missing) {
        return make(row, context, fmt::format("{}, without {}", found, context.detail));
    }
    return make(row, context, fmt::format("{}; kvprof reads the records of CUPTI 13", found));
}

CuptiFailure bad_records(CuptiCode code, const CuptiContext& context) {
    Row row{.remedy = "report it with the output of kvprof doctor"};
    std::string_view lost;
    if (code == CuptiCode::callbacks_lost) {
        lost = "calls or graph events could not be kept: this process is out of host memory";
        row.remedy = "record fewer steps with --trace-steps";
    } else if (code == CuptiCode::records_unread) {
        lost = "buffers could not be read to their end";
    } else if (code == CuptiCode::graph_ids_missing) {
        lost = "nodes or graphs were announced without an id";
    } else {
        lost = "nodes of the executable graph have another op than the graph they come from";
    }
    return make(row, context, fmt::format("{} {}", context.lost, lost));
}

CuptiFailure unnamed(int code, const CuptiContext& context) {
    const std::string detail = context.detail.empty() ? "no reason given" : context.detail;
    return {
        fmt::format("could not {}: CUPTI error {}: {}", context.action, code, detail),
        "kvprof doctor shows what this machine has; NVLOG_CONFIG_FILE makes CUPTI write a log, and "
        "dmesg may show a driver error"};
}

} // namespace

CuptiFailure describe_cupti_failure(int code, const CuptiContext& context) {
    const auto known = static_cast<CuptiCode>(code);
    switch (known) {
    case CuptiCode::not_initialized:
        return context.driver_version ? too_old_driver(context) : no_driver(context);
    case CuptiCode::unknown:
        return context.driver_version ? unnamed(code, context) : no_driver(context);
    case CuptiCode::insufficient_privileges: return not_permitted(context);
    case CuptiCode::multiple_subscribers: return rival_holds(context);
    case CuptiCode::virtualized_device:
    case CuptiCode::virtualized_privileges: return virtualized(known, context);
    case CuptiCode::library_missing:
    case CuptiCode::symbol_missing:
    case CuptiCode::other_major: return library_trouble(known, context);
    case CuptiCode::callbacks_lost:
    case CuptiCode::records_unread:
    case CuptiCode::graph_ids_missing:
    case CuptiCode::graph_ids_disagree: return bad_records(known, context);
    case CuptiCode::disabled:
    case CuptiCode::hardware_busy:
    case CuptiCode::not_supported:
    case CuptiCode::legacy_profiler:
    case CuptiCode::confidential_computing:
    case CuptiCode::cmp_device:
    case CuptiCode::mig_device:
    case CuptiCode::sli_device:
    case CuptiCode::wsl_device:
    case CuptiCode::second_session:
    case CuptiCode::unsupported_device:
    case CuptiCode::shut_down: break;
    }
    const auto* row = std::find_if(kRows.begin(), kRows.end(), [known](const Row& candidate) {
        return candidate.code == known;
    });
    return row == kRows.end() ? unnamed(code, context) : make(*row, context, row->cause);
}

UnavailableError cupti_error(CuptiCode code, const CuptiContext& context) {
    const CuptiFailure failure = describe_cupti_failure(static_cast<int>(code), context);
    return UnavailableError(failure.what, failure.remedy);
}

int cupti_major(std::uint32_t version) {
    return version < 10'000 ? 12 : static_cast<int>(version / 10'000);
}

std::string cupti_version_text(std::uint32_t version) {
    if (version < 10'000) {
        return fmt::format("interface {}, before 13", version);
    }
    return fmt::format("{}.{}.{}", version / 10'000, version / 100 % 100, version % 100);
}

} // namespace kvprof

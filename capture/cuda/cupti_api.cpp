#include "capture/cuda/cupti_api.h"

#include "capture/cupti_library.h"

#include <dlfcn.h>

namespace kvprof::cuda {

namespace {

constexpr bool is_same(CuptiCode ours, CUptiResult theirs) {
    return static_cast<int>(ours) == static_cast<int>(theirs);
}

static_assert(is_same(CuptiCode::not_initialized, CUPTI_ERROR_NOT_INITIALIZED));
static_assert(is_same(CuptiCode::disabled, CUPTI_ERROR_DISABLED));
static_assert(is_same(CuptiCode::hardware_busy, CUPTI_ERROR_HARDWARE_BUSY));
static_assert(is_same(CuptiCode::not_supported, CUPTI_ERROR_NOT_SUPPORTED));
static_assert(is_same(CuptiCode::virtualized_device, CUPTI_ERROR_VIRTUALIZED_DEVICE_NOT_SUPPORTED));
static_assert(is_same(CuptiCode::insufficient_privileges, CUPTI_ERROR_INSUFFICIENT_PRIVILEGES));
static_assert(is_same(CuptiCode::legacy_profiler, CUPTI_ERROR_LEGACY_PROFILER_NOT_SUPPORTED));
static_assert(
    is_same(CuptiCode::multiple_subscribers, CUPTI_ERROR_MULTIPLE_SUBSCRIBERS_NOT_SUPPORTED)
);
static_assert(is_same(
    CuptiCode::virtualized_privileges, CUPTI_ERROR_VIRTUALIZED_DEVICE_INSUFFICIENT_PRIVILEGES
));
static_assert(
    is_same(CuptiCode::confidential_computing, CUPTI_ERROR_CONFIDENTIAL_COMPUTING_NOT_SUPPORTED)
);
static_assert(is_same(CuptiCode::cmp_device, CUPTI_ERROR_CMP_DEVICE_NOT_SUPPORTED));
static_assert(is_same(CuptiCode::mig_device, CUPTI_ERROR_MIG_DEVICE_NOT_SUPPORTED));
static_assert(is_same(CuptiCode::sli_device, CUPTI_ERROR_SLI_DEVICE_NOT_SUPPORTED));
static_assert(is_same(CuptiCode::wsl_device, CUPTI_ERROR_WSL_DEVICE_NOT_SUPPORTED));
static_assert(is_same(CuptiCode::unknown, CUPTI_ERROR_UNKNOWN));

/// The file that the loader took the function from; `file` when it does not tell.
std::string path_of(void* function, const std::string& file) {
    Dl_info info{};
    return dladdr(function, &info) != 0 && info.dli_fname != nullptr ? info.dli_fname : file;
}

/// The library, refused unless its major version is the one whose records are read here.
CuptiLibrary find_cupti_13(const Libraries& libraries, CuptiContext& context) {
    CuptiLibrary library = find_cupti_library(libraries);
    context.action = "load CUPTI";
    context.file = library.file;
    context.cupti_version = library.version;
    context.detail = library.why;
    if (library.handle == nullptr) {
        throw cupti_error(CuptiCode::library_missing, context);
    }
    if (cupti_major(library.version) != 13) {
        throw cupti_error(CuptiCode::other_major, context);
    }
    return library;
}

} // namespace

std::string CuptiApi::virtualization(int device) const {
    CUpti_DeviceVirtualizationMode mode{};
    if (virtualization_mode(device, &mode) != CUPTI_SUCCESS) {
        return {};
    }
    if (mode == CUPTI_DEVICE_VIRTUALIZATION_MODE_PASS_THROUGH) {
        return "pass-through";
    }
    return mode == CUPTI_DEVICE_VIRTUALIZATION_MODE_VIRTUAL_GPU ? "virtual GPU" : "none";
}

CuptiFailure CuptiApi::describe(int code, std::string_view action) const {
    CuptiContext here = context;
    here.action = action;
    const char* text = nullptr;
    if (code > 0 && get_error_message(static_cast<CUptiResult>(code), &text) == CUPTI_SUCCESS
        && text != nullptr) {
        here.detail = text;
    }
    if (code == CUPTI_ERROR_VIRTUALIZED_DEVICE_NOT_SUPPORTED
        || code == CUPTI_ERROR_VIRTUALIZED_DEVICE_INSUFFICIENT_PRIVILEGES) {
        here.virtualization = virtualization(0);
    }
    return describe_cupti_failure(code, here);
}

UnavailableError CuptiApi::error(int code, std::string_view action) const {
    const CuptiFailure failure = describe(code, action);
    return UnavailableError(failure.what, failure.remedy);
}

void CuptiApi::check(CUptiResult result, std::string_view action) const {
    if (result != CUPTI_SUCCESS) {
        throw error(result, action);
    }
}

CuptiApi load_cupti(const Libraries& libraries) {
    CuptiApi api{.context = read_cupti_context(libraries)};
    const CuptiLibrary library = find_cupti_13(libraries, api.context);
    void* last = nullptr;
    const auto load = [&]<typename F>(F& function, const char* symbol) {
        last = libraries.symbol(library.handle, symbol);
        function = reinterpret_cast<F>(last);
        if (function == nullptr) {
            api.context.detail = symbol;
            throw cupti_error(CuptiCode::symbol_missing, api.context);
        }
    };
    load(api.get_error_message, "cuptiGetErrorMessage");
    load(api.subscribe, "cuptiSubscribe_v2");
    load(api.unsubscribe, "cuptiUnsubscribe");
    load(api.enable_callback, "cuptiEnableCallback");
    load(api.get_callback_name, "cuptiGetCallbackName");
    load(api.set_attribute, "cuptiActivitySetAttribute");
    load(api.register_callbacks, "cuptiActivityRegisterCallbacks");
    load(api.enable_activity, "cuptiActivityEnable");
    load(api.disable_activity, "cuptiActivityDisable");
    load(api.flush_all, "cuptiActivityFlushAll");
    load(api.get_num_dropped, "cuptiActivityGetNumDroppedRecords");
    load(api.get_next_record, "cuptiActivityGetNextRecord");
    load(api.get_graph_id, "cuptiGetGraphId");
    load(api.get_graph_exec_id, "cuptiGetGraphExecId");
    load(api.get_graph_node_id, "cuptiGetGraphNodeId");
    load(api.get_device_id, "cuptiGetDeviceId");
    load(api.device_supported, "cuptiDeviceSupported");
    load(api.virtualization_mode, "cuptiDeviceVirtualizationMode");
    api.context.file = path_of(last, library.file);
    return api;
}

} // namespace kvprof::cuda

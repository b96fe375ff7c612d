#pragma once

#include "capture/cupti_failure.h"
#include "capture/libraries.h"

#include <cupti_activity.h>
#include <cupti_callbacks.h>
#include <cupti_result.h>
#include <cupti_version.h>

#include <string>
#include <string_view>

namespace kvprof::cuda {

/// The functions of CUPTI that are used here, found in the library at run time or brought by a
/// test; and what messages say about the library and the machine.
struct CuptiApi {
    decltype(&cuptiGetErrorMessage) get_error_message = nullptr;
    decltype(&cuptiSubscribe_v2) subscribe = nullptr;
    decltype(&cuptiUnsubscribe) unsubscribe = nullptr;
    decltype(&cuptiEnableCallback) enable_callback = nullptr;
    decltype(&cuptiGetCallbackName) get_callback_name = nullptr;
    decltype(&cuptiActivitySetAttribute) set_attribute = nullptr;
    decltype(&cuptiActivityRegisterCallbacks) register_callbacks = nullptr;
    decltype(&cuptiActivityEnable) enable_activity = nullptr;
    decltype(&cuptiActivityDisable) disable_activity = nullptr;
    decltype(&cuptiActivityFlushAll) flush_all = nullptr;
    decltype(&cuptiActivityGetNumDroppedRecords) get_num_dropped = nullptr;
    decltype(&cuptiActivityGetNextRecord) get_next_record = nullptr;
    decltype(&cuptiGetGraphId) get_graph_id = nullptr;
    decltype(&cuptiGetGraphExecId) get_graph_exec_id = nullptr;
    decltype(&cuptiGetGraphNodeId) get_graph_node_id = nullptr;
    decltype(&cuptiGetDeviceId) get_device_id = nullptr;
    decltype(&cuptiDeviceSupported) device_supported = nullptr;
    decltype(&cuptiDeviceVirtualizationMode) virtualization_mode = nullptr;

    CuptiContext context; ///< file is the path that the loader took

    /// @throws UnavailableError with the cause and a remedy unless the result is success.
    void check(CUptiResult result, std::string_view action) const;
    /// The error of a CUptiResult other than success, or of a CuptiCode.
    [[nodiscard]] UnavailableError error(int code, std::string_view action) const;
    /// "none", "pass-through", "virtual GPU"; empty before CUDA knows the device.
    [[nodiscard]] std::string virtualization(int device) const;
    [[nodiscard]] CuptiFailure describe(int code, std::string_view action) const;
};

/// @throws UnavailableError without a CUPTI 13.
[[nodiscard]] CuptiApi load_cupti(const Libraries& libraries = system_libraries());

} // namespace kvprof::cuda

#include "tests/support/cuda/fake_cupti.h"

#include "tests/support/out_of_memory.h"

#include <cstring>
#include <stdexcept>

namespace kvprof::test {

namespace {

FakeCupti* the_fake = nullptr;

/// Function, the runtime's name for CUPTI, and the driver function that it calls. Ids are 1, 2, ...
struct Named {
    const char* function;
    const char* runtime;
    const char* driver;
};

constexpr std::array kNames{
    Named{"cudaFuncGetAttributes", "cudaFuncGetAttributes_v3020", "cuFuncGetAttribute"},
    Named{"cudaLaunchKernel", "cudaLaunchKernel_v7000", "cuLaunchKernel"},
    Named{"cudaMemcpyAsync", "cudaMemcpyAsync_v3020", "cuMemcpyHtoDAsync_v2"},
    Named{"cudaMemsetAsync", "cudaMemsetAsync_v3020", "cuMemsetD8Async"},
    Named{"cudaGraphInstantiate", "cudaGraphInstantiate_v12000", "cuGraphInstantiateWithFlags"},
    Named{"cudaGraphLaunch", "cudaGraphLaunch_v10000", "cuGraphLaunch"},
    Named{"cudaGraphDestroy", "cudaGraphDestroy_v10000", "cuGraphDestroy"},
    Named{"cudaEventRecord", "cudaEventRecord_v3020", "cuEventRecord"},
    Named{"cudaMalloc", "cudaMalloc_v3020", "cuMemAlloc_v2"},
    Named{"cudaDeviceSynchronize", "cudaDeviceSynchronize_v3020", "cuCtxSynchronize"},
    Named{"cudaStreamBeginCapture", "cudaStreamBeginCapture_v10000", "cuStreamBeginCapture_v2"},
    Named{"cudaStreamEndCapture", "cudaStreamEndCapture_v10000", "cuStreamEndCapture"}};

std::uint32_t id_of(std::string_view function) {
    for (std::size_t i = 0; i < kNames.size(); ++i) {
        if (kNames[i].function == function) {
            return static_cast<std::uint32_t>(i + 1);
        }
    }
    throw std::invalid_argument("the fake has no " + std::string(function));
}

template<typename Handle, typename T>
Handle handle_of(T* object) {
    return reinterpret_cast<Handle>(object);
}

} // namespace

struct FakeCupti::Functions {
    static CUptiResult message(CUptiResult, const char** text) {
        *text = "the fake's words";
        return CUPTI_SUCCESS;
    }

    static CUptiResult subscribe(
        CUpti_SubscriberHandle* handle,
        CUpti_CallbackFunc callback,
        void* user,
        CUpti_SubscriberParams* params
    ) {
        const CUptiResult result = the_fake->answer("subscribe");
        if (result != CUPTI_SUCCESS) {
            std::strncpy(
                params->oldSubscriberName, the_fake->rival.c_str(), params->oldSubscriberSize
            );
            return result;
        }
        *handle = handle_of<CUpti_SubscriberHandle>(the_fake);
        the_fake->callback_ = callback;
        the_fake->user_ = user;
        return CUPTI_SUCCESS;
    }

    static CUptiResult unsubscribe(CUpti_SubscriberHandle) {
        the_fake->callback_ = nullptr;
        the_fake->enabled_.clear();
        return the_fake->answer("unsubscribe");
    }

    static CUptiResult enable_callback(
        std::uint32_t, CUpti_SubscriberHandle, CUpti_CallbackDomain domain, std::uint32_t id
    ) {
        const CUptiResult result = the_fake->answer("enable_callback");
        if (result == CUPTI_SUCCESS) {
            the_fake->enabled_.emplace(domain, id);
        }
        return result;
    }

    static CUptiResult name(CUpti_CallbackDomain domain, std::uint32_t id, const char** text) {
        if (id < 1 || id > kNames.size()) {
            return CUPTI_ERROR_INVALID_PARAMETER;
        }
        *text =
            domain == CUPTI_CB_DOMAIN_RUNTIME_API ? kNames[id - 1].runtime : kNames[id - 1].driver;
        return CUPTI_SUCCESS;
    }

    static CUptiResult attribute(CUpti_ActivityAttribute, std::size_t*, void*) {
        return the_fake->answer("attribute");
    }

    static CUptiResult
    buffers(CUpti_BuffersCallbackRequestFunc request, CUpti_BuffersCallbackCompleteFunc complete) {
        the_fake->request_ = request;
        the_fake->complete_ = complete;
        return the_fake->answer("buffers");
    }

    static CUptiResult enable(CUpti_ActivityKind kind) {
        const CUptiResult result = the_fake->answer("enable");
        if (result == CUPTI_SUCCESS) {
            the_fake->kinds_.insert(kind);
        }
        return result;
    }

    static CUptiResult disable(CUpti_ActivityKind kind) {
        the_fake->kinds_.erase(kind);
        return the_fake->answer("disable");
    }

    static CUptiResult flush_all(std::uint32_t flag) {
        const CUptiResult result = the_fake->answer(flag == 0 ? "flush" : "forced flush");
        if (result == CUPTI_SUCCESS) {
            the_fake->flush(flag != 0);
        }
        return result;
    }

    static CUptiResult num_dropped(CUcontext, std::uint32_t, std::size_t* dropped) {
        *dropped = the_fake->dropped.exchange(0);
        return the_fake->answer("num_dropped");
    }

    /// The size of a record stands in front of it.
    static CUptiResult next(std::uint8_t* data, std::size_t valid, CUpti_Activity** record) {
        std::uint8_t* at = data;
        if (*record != nullptr) {
            at = reinterpret_cast<std::uint8_t*>(*record);
            at += *reinterpret_cast<std::size_t*>(at - sizeof(std::size_t));
        }
        if (at + sizeof(std::size_t) > data + valid) {
            return CUPTI_ERROR_MAX_LIMIT_REACHED;
        }
        *record = reinterpret_cast<CUpti_Activity*>(at + sizeof(std::size_t));
        return CUPTI_SUCCESS;
    }

    static CUptiResult graph_id(CUgraph graph, std::uint32_t* id) {
        *id = reinterpret_cast<Graph*>(graph)->id;
        return the_fake->answer("graph_id");
    }

    static CUptiResult exec_id(CUgraphExec executable, std::uint32_t* id) {
        *id = reinterpret_cast<Graph*>(executable)->id;
        return the_fake->answer("exec_id");
    }

    static CUptiResult node_id(CUgraphNode node, std::uint64_t* id) {
        *id = reinterpret_cast<Node*>(node)->id;
        return the_fake->answer("node_id");
    }

    static CUptiResult device_id(CUcontext, std::uint32_t* id) {
        *id = 0;
        return CUPTI_SUCCESS;
    }

    static CUptiResult supported(CUdevice, int* is_supported) {
        *is_supported = static_cast<int>(the_fake->device_supported);
        return CUPTI_SUCCESS;
    }

    static CUptiResult virtualization(CUdevice, CUpti_DeviceVirtualizationMode* mode) {
        *mode = CUPTI_DEVICE_VIRTUALIZATION_MODE_VIRTUAL_GPU;
        return CUPTI_SUCCESS;
    }
};

FakeCupti::FakeCupti(std::uint32_t version) {
    the_fake = this;
    api_ = {
        .get_error_message = &Functions::message,
        .subscribe = &Functions::subscribe,
        .unsubscribe = &Functions::unsubscribe,
        .enable_callback = &Functions::enable_callback,
        .get_callback_name = &Functions::name,
        .set_attribute = &Functions::attribute,
        .register_callbacks = &Functions::buffers,
        .enable_activity = &Functions::enable,
        .disable_activity = &Functions::disable,
        .flush_all = &Functions::flush_all,
        .get_num_dropped = &Functions::num_dropped,
        .get_next_record = &Functions::next,
        .get_graph_id = &Functions::graph_id,
        .get_graph_exec_id = &Functions::exec_id,
        .get_graph_node_id = &Functions::node_id,
        .get_device_id = &Functions::device_id,
        .device_supported = &Functions::supported,
        .virtualization_mode = &Functions::virtualization,
        .context = {
            .driver_version = 13'000, .cupti_version = version, .file = "/fake/libcupti.so.13"}};
}

FakeCupti::~FakeCupti() {
    the_fake = nullptr;
}

cuda::CuptiApi FakeCupti::api() const {
    return api_;
}

void FakeCupti::fail(const std::string& function, int code, int nth_call) {
    faults_[function] = {code, nth_call};
}

CUptiResult FakeCupti::answer(const std::string& function) {
    if (log.empty() || log.back() != function) {
        log.push_back(function);
    }
    const auto fault = faults_.find(function);
    return fault != faults_.end() && --fault->second.second == 0
               ? static_cast<CUptiResult>(fault->second.first)
               : CUPTI_SUCCESS;
}

bool FakeCupti::hears(CUpti_CallbackDomain domain, std::string_view function) const {
    return enabled_.contains({domain, id_of(function)});
}

void FakeCupti::tell(CUpti_CallbackDomain domain, std::uint32_t id, const void* data) const {
    if (callback_ != nullptr && enabled_.contains({domain, id})) {
        const OutOfMemory scope(is_out_of_memory);
        callback_(user_, domain, id, data);
    }
}

void FakeCupti::make_call(std::string_view function, bool fails, const Work& work) {
    const std::uint32_t id = id_of(function);
    int result = fails ? 1 : 0; // a cudaError_t or a CUresult
    CUpti_CallbackData data{};
    data.functionReturnValue = &result;
    data.correlationId = next_correlation_++;
    const auto tell_site = [&](CUpti_CallbackDomain domain, CUpti_ApiCallbackSite site) {
        data.callbackSite = site;
        tell(domain, id, &data);
    };
    tell_site(CUPTI_CB_DOMAIN_RUNTIME_API, CUPTI_API_ENTER);
    tell_site(CUPTI_CB_DOMAIN_DRIVER_API, CUPTI_API_ENTER);
    if (!fails) {
        work(data.correlationId);
    }
    tell_site(CUPTI_CB_DOMAIN_DRIVER_API, CUPTI_API_EXIT);
    tell_site(CUPTI_CB_DOMAIN_RUNTIME_API, CUPTI_API_EXIT);
}

void FakeCupti::call(std::string_view function, bool fails) {
    make_call(function, fails, [](std::uint32_t) {});
}

void FakeCupti::die() {
    const CUpti_StateData data{};
    tell(CUPTI_CB_DOMAIN_STATE, CUPTI_CBID_STATE_FATAL_ERROR, &data);
}

} // namespace kvprof::test

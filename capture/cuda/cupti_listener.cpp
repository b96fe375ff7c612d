#include "capture/cuda/cupti_listener.h"

#include "capture/activity/api_class.h"
#include "capture/model/api_names.h"

#include <cuda.h>

#include <driver_types.h>

namespace kvprof::cuda {

namespace {

using activity::ApiDomain;
using activity::ApiId;
using activity::NodeKind;

constexpr std::array kDomains{ApiDomain::runtime, ApiDomain::driver};

/// Of the resource domain: what builds and ends graphs. Node types are sure in the clone alone.
constexpr std::array kGraphCallbacks{
    CUPTI_CBID_RESOURCE_GRAPHNODE_CREATED,
    CUPTI_CBID_RESOURCE_GRAPHNODE_CLONED,
    CUPTI_CBID_RESOURCE_GRAPHEXEC_CREATED,
    CUPTI_CBID_RESOURCE_GRAPHEXEC_DESTROY_STARTING,
    CUPTI_CBID_RESOURCE_GRAPH_DESTROY_STARTING};

CUpti_CallbackDomain cupti_domain(ApiDomain domain) {
    return domain == ApiDomain::runtime ? CUPTI_CB_DOMAIN_RUNTIME_API : CUPTI_CB_DOMAIN_DRIVER_API;
}

NodeKind node_kind(CUgraphNodeType type) {
    if (type == CU_GRAPH_NODE_TYPE_KERNEL) {
        return NodeKind::kernel;
    }
    if (type == CU_GRAPH_NODE_TYPE_MEMCPY) {
        return NodeKind::memory_copy;
    }
    return type == CU_GRAPH_NODE_TYPE_MEMSET ? NodeKind::memory_set : NodeKind::other;
}

bool has_failed(ApiDomain domain, const void* result) {
    if (result == nullptr) {
        return false;
    }
    return domain == ApiDomain::runtime ? *static_cast<const cudaError_t*>(result) != cudaSuccess
                                        : *static_cast<const CUresult*>(result) != CUDA_SUCCESS;
}

} // namespace

CuptiListener::CuptiListener(const CuptiApi& api, bool hears_all)
    : api_(api),
      hears_all_(hears_all) {
    for (const ApiDomain domain : kDomains) {
        auto& functions = functions_[static_cast<std::size_t>(domain)];
        functions.emplace_back(); // id 0 is none
        const char* name = nullptr;
        // Ids are numbered without holes; the first without a name is one past the last.
        for (std::uint32_t id = 1;
             api.get_callback_name(cupti_domain(domain), id, &name) == CUPTI_SUCCESS
             && name != nullptr;
             ++id) {
            functions.push_back({name, classify_api(name)});
        }
    }
}

bool CuptiListener::is_heard(ApiKind kind) const {
    const bool is_aside =
        kind == ApiKind::synchronize || kind == ApiKind::event || kind == ApiKind::allocate;
    return activity::is_counted(kind) && (hears_all_ || !is_aside);
}

void CuptiListener::enable(CUpti_SubscriberHandle subscriber) const {
    const auto turn_on = [&](CUpti_CallbackDomain domain, std::uint32_t id) {
        api_.check(api_.enable_callback(1, subscriber, domain, id), "listen to CUDA's calls");
    };
    for (const ApiDomain domain : kDomains) {
        const auto& functions = functions_of(domain);
        for (std::uint32_t id = 1; id < functions.size(); ++id) {
            if (is_heard(functions[id].kind)) {
                turn_on(cupti_domain(domain), id);
            }
        }
    }
    for (const CUpti_CallbackIdResource id : kGraphCallbacks) {
        turn_on(CUPTI_CB_DOMAIN_RESOURCE, id);
    }
    turn_on(CUPTI_CB_DOMAIN_STATE, CUPTI_CBID_STATE_FATAL_ERROR);
}

void CuptiListener::on_callback(
    void* user, CUpti_CallbackDomain domain, CUpti_CallbackId id, const void* data
) noexcept {
    auto& self = *static_cast<CuptiListener*>(user);
    try {
        self.hear(domain, id, data);
    } catch (...) { // out of memory: nothing may leave a callback
        ++self.lost_;
    }
}

void CuptiListener::hear(CUpti_CallbackDomain domain, CUpti_CallbackId id, const void* data) {
    if (domain == CUPTI_CB_DOMAIN_RUNTIME_API) {
        hear_call(ApiDomain::runtime, id, *static_cast<const CUpti_CallbackData*>(data));
    } else if (domain == CUPTI_CB_DOMAIN_DRIVER_API) {
        hear_call(ApiDomain::driver, id, *static_cast<const CUpti_CallbackData*>(data));
    } else if (domain == CUPTI_CB_DOMAIN_STATE) {
        observer_.fatal();
    } else if (domain == CUPTI_CB_DOMAIN_RESOURCE) {
        const auto& resource = *static_cast<const CUpti_ResourceData*>(data);
        hear_graph(id, *static_cast<const CUpti_GraphData*>(resource.resourceDescriptor));
    }
}

void CuptiListener::hear_call(
    ApiDomain domain, CUpti_CallbackId id, const CUpti_CallbackData& call
) {
    const auto& functions = functions_of(domain);
    if (id >= functions.size()) {
        return;
    }
    const ApiId api{domain, id};
    if (call.callbackSite == CUPTI_API_ENTER) {
        observer_.api_enter(api, functions[id].kind, call.correlationId);
    } else {
        observer_.api_exit(api, has_failed(domain, call.functionReturnValue));
    }
}

void CuptiListener::hear_graph(CUpti_CallbackId id, const CUpti_GraphData& graph) {
    std::uint64_t node = 0;
    std::uint64_t original = 0;
    std::uint32_t ended = 0;
    bool is_known = true;
    switch (id) {
    case CUPTI_CBID_RESOURCE_GRAPHNODE_CREATED:
        is_known = api_.get_graph_node_id(graph.node, &node) == CUPTI_SUCCESS;
        if (is_known) {
            observer_.node_created(node, node_kind(graph.nodeType));
        }
        break;
    case CUPTI_CBID_RESOURCE_GRAPHNODE_CLONED:
        is_known = api_.get_graph_node_id(graph.node, &node) == CUPTI_SUCCESS
                   && api_.get_graph_node_id(graph.originalNode, &original) == CUPTI_SUCCESS;
        if (is_known) {
            observer_.node_cloned(node, original, node_kind(graph.nodeType));
        }
        break;
    case CUPTI_CBID_RESOURCE_GRAPHEXEC_CREATED: is_known = hear_instance(graph); break;
    case CUPTI_CBID_RESOURCE_GRAPHEXEC_DESTROY_STARTING:
        if (api_.get_graph_exec_id(graph.graphExec, &ended) == CUPTI_SUCCESS) {
            observer_.graph_destroyed(ended);
        }
        break;
    case CUPTI_CBID_RESOURCE_GRAPH_DESTROY_STARTING:
        forget_source(graph.graph);
        if (api_.get_graph_id(graph.graph, &ended) == CUPTI_SUCCESS) {
            observer_.graph_destroyed(ended);
        }
        break;
    default: break;
    }
    unidentified_ += is_known ? 0 : 1;
}

bool CuptiListener::hear_instance(const CUpti_GraphData& graph) {
    std::uint32_t executable = 0;
    if (api_.get_graph_exec_id(graph.graphExec, &executable) != CUPTI_SUCCESS) {
        return false;
    }
    observer_.executable_created(executable);
    const std::lock_guard lock(mutex_);
    instances_.push_back({graph.graph, executable});
    return true;
}

void CuptiListener::forget_source(CUgraph source) {
    const std::lock_guard lock(mutex_);
    std::erase_if(instances_, [source](const GraphInstance& instance) {
        return instance.source == source;
    });
}

std::string CuptiListener::function_name(const ApiId& api) const {
    const auto& functions = functions_of(api.domain);
    return api.number < functions.size() && functions[api.number].name != nullptr
               ? std::string(kvprof::function_name(functions[api.number].name))
               : "unknown function";
}

std::vector<GraphInstance> CuptiListener::instances() const {
    const std::lock_guard lock(mutex_);
    return instances_;
}

} // namespace kvprof::cuda

#include "capture/cuda/cupti_recorder.h"

#include "capture/cuda/cuda_check.h"
#include "capture/model/error.h"

#include <cuda_runtime_api.h>

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace kvprof::cuda {

namespace {

using activity::Recording;

TraceLevel level_or_throw(Pass pass) {
    auto level = level_of(pass);
    if (!level) {
        throw UsageError(
            fmt::format("could not record the {} pass: it runs without CUPTI", to_string(pass))
        );
    }
    return *std::move(level);
}

/// Whether two nodes serve the same op; nodes of nobody are alike.
bool is_same_tag(activity::GraphRegistry& graphs, std::uint64_t one, std::uint64_t other) {
    return graphs.tag_of(one) == graphs.tag_of(other);
}

} // namespace

std::vector<SourceNode> read_graph(CUgraph graph) {
    std::size_t count = 0;
    check(cudaGraphGetNodes(graph, nullptr, &count), "count the graph's nodes");
    std::vector<cudaGraphNode_t> handles(count);
    check(cudaGraphGetNodes(graph, handles.data(), &count), "list the graph's nodes");
    std::vector<SourceNode> nodes;
    for (cudaGraphNode_t handle : handles) {
        cudaGraphNodeType type{};
        check(cudaGraphNodeGetType(handle, &type), "read a node's type");
        const bool does_work = type == cudaGraphNodeTypeKernel || type == cudaGraphNodeTypeMemcpy
                               || type == cudaGraphNodeTypeMemset;
        nodes.push_back({handle, does_work});
    }
    return nodes;
}

CuptiRecorder::CuptiRecorder(const CuptiApi& api, Pass pass, ReadGraph read)
    : api_(api),
      read_(std::move(read)),
      session_(api, level_or_throw(pass)) {}

void CuptiRecorder::check_device() const {
    std::uint32_t device = 0;
    int is_supported = 1;
    if (api_.get_device_id(nullptr, &device) == CUPTI_SUCCESS
        && api_.device_supported(static_cast<CUdevice>(device), &is_supported) == CUPTI_SUCCESS
        && is_supported == 0) {
        throw api_.error(number(CuptiCode::unsupported_device), "record with CUPTI");
    }
}

void CuptiRecorder::start() {
    check_device();
    session_.restart();
}

Recording CuptiRecorder::stop() {
    Decoded decoded = session_.finish();
    Recording recording{
        .shapes = std::move(decoded.shapes),
        .records = std::move(decoded.records),
        .spans = std::move(decoded.spans),
        .launches = session_.listener().observer().launches().launches(),
        .dropped = session_.dropped(),
        .refused_buffers = session_.refused_buffers(),
        .unknown_kinds = decoded.unknown_kinds};
    CuptiListener& listener = session_.listener();
    for (const activity::CallCount& count : listener.observer().launches().counts()) {
        recording.calls.push_back({listener.function_name(count.api), count});
    }
    const activity::GraphRegistry& graphs = listener.observer().graphs();
    recording.executables = graphs.executables();
    for (const activity::Executable& executable : recording.executables) {
        recording.node_tags.push_back(graphs.tags_of_executable(executable.id));
    }
    fail(recording, CuptiCode::records_unread, decoded.broken_buffers);
    fail(recording, CuptiCode::records_unread, session_.has_read_failure() ? 1 : 0);
    fail(recording, CuptiCode::callbacks_lost, listener.lost());
    fail(recording, CuptiCode::graph_ids_missing, listener.unidentified());
    cross_check(recording);
    return recording;
}

void CuptiRecorder::cross_check(Recording& recording) {
    activity::GraphRegistry& graphs = session_.listener().observer().graphs();
    std::int64_t disagreeing = 0;
    for (const GraphInstance& instance : session_.listener().instances()) {
        const auto known = graphs.nodes_of(instance.executable);
        for (const SourceNode& source : read_(instance.source)) {
            std::uint64_t id = 0;
            api_.check(api_.get_graph_node_id(source.node, &id), "read a graph node's id");
            const std::uint64_t copy =
                std::uint64_t{instance.executable} << 32U | (id & 0xFFFF'FFFFU);
            const bool is_known = std::binary_search(known.begin(), known.end(), copy);
            if (is_known && is_same_tag(graphs, id, copy)) {
                ++recording.nodes_cross_checked;
            } else if (is_known || source.does_work) { // an empty node may be left out
                ++disagreeing;
            }
        }
    }
    fail(recording, CuptiCode::graph_ids_disagree, disagreeing);
}

void CuptiRecorder::fail(Recording& recording, CuptiCode code, std::int64_t lost) const {
    if (lost == 0 || !recording.failure.empty()) {
        return;
    }
    CuptiApi api = api_;
    api.context.lost = lost;
    recording.failure = with_hint(api.error(number(code), "trust what CUPTI recorded"));
}

} // namespace kvprof::cuda

// The part of FakeCupti that plays CUDA: launches, graphs, and the records that they leave.
#include "tests/support/cuda/fake_cupti.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <thread>

namespace kvprof::test {

namespace {

template<typename Handle, typename T>
Handle handle_of(T* object) {
    return reinterpret_cast<Handle>(object);
}

} // namespace

FakeCupti::Graph& FakeCupti::add_graph() {
    Graph& graph = graphs_.emplace_back();
    graph.id = next_graph_++;
    return graph;
}

void FakeCupti::tell_graph(CUpti_CallbackIdResource id, const CUpti_GraphData& data) const {
    CUpti_GraphData copy = data;
    const CUpti_ResourceData resource{.resourceDescriptor = &copy};
    tell(CUPTI_CB_DOMAIN_RESOURCE, id, &resource);
}

void FakeCupti::begin_capture() {
    call("cudaStreamBeginCapture");
    capturing_ = &add_graph();
}

CUgraph FakeCupti::end_capture() {
    call("cudaStreamEndCapture");
    return handle_of<CUgraph>(std::exchange(capturing_, nullptr));
}

void FakeCupti::do_or_capture(std::string_view function, Node node) {
    make_call(function, false, [&](std::uint32_t correlation) {
        if (capturing_ == nullptr) {
            record(node, correlation, 0);
            return;
        }
        node.id = std::uint64_t{capturing_->id} << 32U | capturing_->nodes.size();
        Node& made = capturing_->nodes.emplace_back(node);
        // The type reads as kernel while it is not known yet.
        tell_graph(
            CUPTI_CBID_RESOURCE_GRAPHNODE_CREATED,
            {.graph = handle_of<CUgraph>(capturing_), .node = handle_of<CUgraphNode>(&made)}
        );
    });
}

void FakeCupti::launch(const char* kernel, std::int32_t blocks) {
    do_or_capture(
        "cudaLaunchKernel", {.type = CU_GRAPH_NODE_TYPE_KERNEL, .kernel = kernel, .blocks = blocks}
    );
}

void FakeCupti::copy(std::uint64_t bytes) {
    do_or_capture("cudaMemcpyAsync", {.type = CU_GRAPH_NODE_TYPE_MEMCPY, .bytes = bytes});
}

void FakeCupti::fill(std::uint64_t bytes) {
    do_or_capture("cudaMemsetAsync", {.type = CU_GRAPH_NODE_TYPE_MEMSET, .bytes = bytes});
}

CUgraphExec FakeCupti::instantiate(CUgraph handle) {
    auto& source = *reinterpret_cast<Graph*>(handle);
    Graph& copy = add_graph();
    ++next_graph_; // the lowered graph takes an id as well
    make_call("cudaGraphInstantiate", false, [&](std::uint32_t) {
        for (std::size_t i = 0; i < source.nodes.size(); ++i) {
            Node& node = copy.nodes.emplace_back(source.nodes[i]);
            node.id = std::uint64_t{copy.id} << 32U | i;
            Node& original = source.nodes[clones_are_mixed_up ? 0 : i];
            CUpti_GraphData data{
                .graph = handle_of<CUgraph>(&copy), .node = handle_of<CUgraphNode>(&node)};
            tell_graph(CUPTI_CBID_RESOURCE_GRAPHNODE_CREATED, data);
            data.originalGraph = handle;
            data.originalNode = handle_of<CUgraphNode>(&original);
            data.nodeType = node.type;
            tell_graph(CUPTI_CBID_RESOURCE_GRAPHNODE_CLONED, data);
        }
        tell_graph(
            CUPTI_CBID_RESOURCE_GRAPHEXEC_CREATED,
            {.graph = handle, .graphExec = handle_of<CUgraphExec>(&copy)}
        );
    });
    return handle_of<CUgraphExec>(&copy);
}

void FakeCupti::replay(CUgraphExec executable) {
    const auto& graph = *reinterpret_cast<Graph*>(executable);
    make_call("cudaGraphLaunch", false, [&](std::uint32_t correlation) {
        if (kinds_.contains(CUPTI_ACTIVITY_KIND_GRAPH_TRACE)) {
            CUpti_ActivityGraphTrace2 span{};
            span.kind = CUPTI_ACTIVITY_KIND_GRAPH_TRACE;
            span.graphId = graph.id;
            span.correlationId = correlation;
            span.start = now_;
            span.end = now_ += 10 * graph.nodes.size();
            add_record(span);
            return; // no node records beside it
        }
        for (const Node& node : graph.nodes) {
            record(node, correlation, graph.id);
        }
    });
}

void FakeCupti::destroy(CUgraph handle) {
    tell_graph(CUPTI_CBID_RESOURCE_GRAPH_DESTROY_STARTING, {.graph = handle});
    reinterpret_cast<Graph*>(handle)->is_alive = false;
}

void FakeCupti::destroy(CUgraphExec executable) {
    tell_graph(CUPTI_CBID_RESOURCE_GRAPHEXEC_DESTROY_STARTING, {.graphExec = executable});
    // Its handle is that of its copy of the graph.
    destroy(reinterpret_cast<CUgraph>(executable));
}

std::vector<cuda::SourceNode> FakeCupti::nodes_of(CUgraph handle) const {
    auto& graph = *reinterpret_cast<Graph*>(handle);
    if (!graph.is_alive) {
        std::abort(); // CUDA would read freed memory
    }
    std::vector<cuda::SourceNode> nodes;
    for (Node& node : graph.nodes) {
        nodes.push_back({handle_of<CUgraphNode>(&node), true});
    }
    return nodes;
}

template<typename T>
void FakeCupti::add_record(T activity) {
    if (!kinds_.contains(activity.kind)) {
        return;
    }
    const bool is_work = activity.kind != CUPTI_ACTIVITY_KIND_OVERHEAD;
    if (is_work && spoil == Spoil::no_times) {
        activity.start = 0;
        activity.end = 0;
    } else if (is_work && spoil == Spoil::end_before_start) {
        activity.end = activity.start - 1;
    }
    Raw raw{.size = sizeof(T)};
    std::memcpy(raw.bytes.data(), &activity, sizeof(T));
    pending_.push_back(raw);
    if (is_work && spoil == Spoil::twice) {
        pending_.push_back(raw);
    }
}

void FakeCupti::record(const Node& node, std::uint32_t correlation, std::uint32_t executable) {
    const auto fill_in = [&](auto activity, CUpti_ActivityKind kind) {
        activity.kind = kind;
        activity.start = now_;
        activity.end = now_ += 10;
        activity.correlationId = correlation;
        activity.streamId = 13;
        activity.graphId = executable;
        activity.graphNodeId = executable == 0 ? 0 : node.id;
        return activity;
    };
    if (node.type == CU_GRAPH_NODE_TYPE_KERNEL) {
        auto kernel = fill_in(CUpti_ActivityKernel10{}, CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL);
        kernel.name = node.kernel;
        kernel.gridX = node.blocks;
        kernel.gridY = kernel.gridZ = kernel.blockY = kernel.blockZ = 1;
        kernel.blockX = 128;
        add_record(kernel);
    } else if (node.type == CU_GRAPH_NODE_TYPE_MEMCPY) {
        auto copied = fill_in(CUpti_ActivityMemcpy6{}, CUPTI_ACTIVITY_KIND_MEMCPY);
        copied.copyKind = CUPTI_ACTIVITY_MEMCPY_KIND_HTOD;
        copied.bytes = node.bytes;
        add_record(copied);
    } else {
        auto filled = fill_in(CUpti_ActivityMemset4{}, CUPTI_ACTIVITY_KIND_MEMSET);
        filled.bytes = node.bytes;
        add_record(filled);
    }
}

void FakeCupti::flush(bool is_forced) {
    CUpti_ActivityOverhead3 overhead{};
    overhead.kind = CUPTI_ACTIVITY_KIND_OVERHEAD;
    overhead.start = overhead.end = now_;
    overhead.overheadData = kinds_.contains(overhead.kind) ? std::malloc(12) : nullptr;
    add_record(overhead);
    if (has_unknown_kind) {
        Raw raw{.size = 16};
        raw.bytes[0] = CUPTI_ACTIVITY_KIND_FUNCTION;
        pending_.push_back(raw);
    }
    std::vector<Raw> ready = std::exchange(pending_, {});
    std::shuffle(ready.begin(), ready.end(), random_);
    if (keeps_last_record && !is_forced && !ready.empty()) {
        pending_.push_back(ready.back());
        ready.pop_back();
        std::size_t size = 0;
        std::size_t max_records = 0;
        if (kept_ == nullptr) {
            request_(&kept_, &size, &max_records);
        }
    } else if (kept_ != nullptr) {
        complete_(nullptr, 0, std::exchange(kept_, nullptr), 0, 0);
    }
    const auto middle = ready.begin() + static_cast<std::ptrdiff_t>(ready.size() / 2);
    std::thread other([&] { deliver({ready.begin(), middle}); });
    deliver({middle, ready.end()});
    other.join();
}

void FakeCupti::deliver(std::vector<Raw> records) {
    std::size_t next = 0;
    while (next < records.size()) {
        std::uint8_t* buffer = nullptr;
        std::size_t size = 0;
        std::size_t max_records = 0;
        request_(&buffer, &size, &max_records);
        const std::size_t end = std::min(records.size(), next + records_per_buffer);
        if (buffer == nullptr) {
            dropped += end - next;
            ++refused_;
            next = end;
            continue;
        }
        std::size_t valid = 0;
        for (; next < end; ++next) {
            const Raw& raw = records[next];
            std::memcpy(buffer + valid, &raw.size, sizeof raw.size);
            std::memcpy(buffer + valid + sizeof raw.size, raw.bytes.data(), raw.size);
            valid += sizeof raw.size + raw.size;
        }
        complete_(nullptr, 0, buffer, size, valid);
    }
}

void FakeCupti::complete_late() {
    complete_(nullptr, 0, std::exchange(kept_, nullptr), 0, 0);
}

} // namespace kvprof::test

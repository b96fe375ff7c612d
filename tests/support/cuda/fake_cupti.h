#pragma once

#include "capture/cuda/cupti_api.h"
#include "capture/cuda/cupti_recorder.h"

#include <array>
#include <atomic>
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <random>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace kvprof::test {

/// A CUPTI and the CUDA under it, played without either: calls make the callbacks and records that
/// the real one was seen to make, and only those that were turned on. One at a time; what it plays
/// is called from one thread, records come back on several.
class FakeCupti {
  public:
    /// How records are spoilt as they are written.
    enum class Spoil : std::uint8_t { nothing, no_times, end_before_start, twice };

    explicit FakeCupti(std::uint32_t version = 130'101);
    FakeCupti(const FakeCupti&) = delete;
    FakeCupti& operator=(const FakeCupti&) = delete;
    ~FakeCupti();

    [[nodiscard]] cuda::CuptiApi api() const;

    // CUDA, called by a program.
    void launch(const char* kernel, std::int32_t blocks = 1);
    void copy(std::uint64_t bytes);
    void fill(std::uint64_t bytes);
    /// Any function of the table in the source file, by its runtime name without suffix.
    void call(std::string_view function, bool fails = false);
    void begin_capture();
    [[nodiscard]] CUgraph end_capture();
    [[nodiscard]] CUgraphExec instantiate(CUgraph graph);
    void replay(CUgraphExec executable);
    void destroy(CUgraph graph);
    void destroy(CUgraphExec executable);
    [[nodiscard]] std::vector<cuda::SourceNode> nodes_of(CUgraph graph) const;

    // What goes wrong.
    void fail(const std::string& function, int code, int nth_call = 1);
    void die(); ///< CUPTI's fatal error
    std::string rival;
    Spoil spoil = Spoil::nothing;
    std::atomic<std::size_t> dropped = 0; ///< told at the next question
    bool clones_are_mixed_up = false;     ///< an executable's nodes name the wrong originals
    bool keeps_last_record = false;       ///< unfinished until a forced flush
    bool has_unknown_kind = false;        ///< one record of a kind of its own in a flush
    void complete_late();                 ///< gives back a buffer that flushes left out
    std::int64_t device_supported = 1;
    bool is_out_of_memory = false; ///< inside callbacks: no `new` succeeds there

    // What the program under test did.
    [[nodiscard]] bool is_subscribed() const { return callback_ != nullptr; }

    [[nodiscard]] const std::set<CUpti_ActivityKind>& kinds() const { return kinds_; }

    [[nodiscard]] bool hears(CUpti_CallbackDomain domain, std::string_view function) const;

    [[nodiscard]] std::size_t refused_buffers() const { return refused_; }

    std::vector<std::string> log; ///< functions called, repeats in a row once
    std::size_t records_per_buffer = 100;

  private:
    struct Functions; // the C functions of the table, which find the one fake

    struct Node {
        std::uint64_t id = 0;
        CUgraphNodeType type{};
        const char* kernel = nullptr;
        std::int32_t blocks = 0;
        std::uint64_t bytes = 0;
    };

    struct Graph {
        std::uint32_t id = 0;
        bool is_alive = true;
        std::deque<Node> nodes;
    };

    struct alignas(8) Raw {
        std::array<std::uint8_t, 216> bytes{};
        std::size_t size = 0;
    };

    using Work = std::function<void(std::uint32_t correlation)>;

    [[nodiscard]] CUptiResult answer(const std::string& function);
    void tell(CUpti_CallbackDomain domain, std::uint32_t id, const void* data) const;
    void make_call(std::string_view function, bool fails, const Work& work);
    void tell_graph(CUpti_CallbackIdResource id, const CUpti_GraphData& data) const;
    void do_or_capture(std::string_view function, Node node);
    void record(const Node& node, std::uint32_t correlation, std::uint32_t executable);
    template<typename T>
    void add_record(T activity);
    void flush(bool is_forced);
    void deliver(std::vector<Raw> records);
    Graph& add_graph();

    cuda::CuptiApi api_;
    CUpti_CallbackFunc callback_ = nullptr;
    void* user_ = nullptr;
    CUpti_BuffersCallbackRequestFunc request_ = nullptr;
    CUpti_BuffersCallbackCompleteFunc complete_ = nullptr;
    std::set<std::pair<CUpti_CallbackDomain, std::uint32_t>> enabled_;
    std::set<CUpti_ActivityKind> kinds_;
    std::map<std::string, std::pair<int, int>> faults_; ///< function -> code, calls to go
    std::deque<Graph> graphs_;
    Graph* capturing_ = nullptr;
    std::vector<Raw> pending_;
    std::uint8_t* kept_ = nullptr; ///< buffer with an unfinished record
    std::uint32_t next_graph_ = 1;
    std::uint32_t next_correlation_ = 1;
    std::uint64_t now_ = 1'000'000;
    std::atomic<std::size_t> refused_ = 0;
    std::mt19937 random_{7};
};

} // namespace kvprof::test

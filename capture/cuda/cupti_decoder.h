#pragma once

#include "capture/activity/records.h"
#include "capture/cuda/cupti_api.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <unordered_map>
#include <vector>

namespace kvprof::cuda {

/// What the records of some buffers say.
struct Decoded {
    std::vector<activity::Shape> shapes;
    activity::RecordTable records;
    std::vector<activity::Span> spans;
    std::int64_t unknown_kinds = 0;  ///< records of a kind that is not read here
    std::int64_t broken_buffers = 0; ///< that end in a record CUPTI itself can not read
};

/// Turns CUPTI's records into neutral ones. Times, correlation, stream and node ids are taken as
/// they are: a missing time stays 0. Names are copied at once, as they belong to CUPTI.
class RecordDecoder {
  public:
    /// Overhead records are not kept; what hangs on one is freed, as CUPTI asks.
    void decode(const CUpti_Activity& record);
    /// Every record of the first `valid` bytes.
    void decode_buffer(const CuptiApi& api, std::uint8_t* data, std::size_t valid);

    /// What was decoded since the last take.
    [[nodiscard]] Decoded take();

  private:
    /// A shape before its name is copied: 5 million of these a second are compared.
    struct Form {
        const char* name = nullptr;
        std::uint64_t bytes = 0;
        std::array<std::int32_t, 3> grid{};
        std::array<std::int32_t, 3> block{};
        std::int32_t static_shared = 0;
        std::int32_t dynamic_shared = 0;
        std::uint32_t local = 0;
        std::uint16_t registers = 0;
        ActivityKind kind{};
        CopyKind copy{};

        friend bool operator==(const Form&, const Form&) = default;
    };

    struct FormHash {
        std::size_t operator()(const Form& form) const noexcept;
    };

    /// The last form seen at a place of the cache. A node has the same one in every replay.
    struct Seen {
        Form form;
        std::uint32_t shape = 0;
        bool is_set = false;
    };

    static constexpr std::size_t kCacheSize = 4096;

    void decode_kernel(const CUpti_ActivityKernel10& kernel);
    void add(const Form& form, activity::Record record);
    [[nodiscard]] std::uint32_t intern(const Form& form);

    Decoded decoded_;
    std::unordered_map<Form, std::uint32_t, FormHash> shape_of_;
    std::vector<Seen> cache_ = std::vector<Seen>(kCacheSize);
};

} // namespace kvprof::cuda

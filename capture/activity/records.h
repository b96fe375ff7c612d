#pragma once

#include "capture/model/trace.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace kvprof::activity {

/// What records of one kind of work have in common: interned once, referred to by index.
struct Shape {
    ActivityKind kind{};
    CopyKind copy{};
    std::string name; ///< mangled, as recorded; "memory copy", "memory set"
    Dim3 grid{};
    Dim3 block{};
    std::int64_t registers = 0;
    std::int64_t static_shared_bytes = 0;
    std::int64_t dynamic_shared_bytes = 0;
    std::int64_t local_bytes = 0;
    std::int64_t bytes = 0; ///< of a copy or a fill

    friend bool operator==(const Shape&, const Shape&) = default;
};

/// One finished piece of device work. Times are nanoseconds of the recorder's clock; 0 is missing.
struct Record {
    std::uint64_t start = 0;
    std::uint64_t end = 0;
    std::uint64_t node = 0; ///< graph node id: (executable's id << 32) | index; 0 outside graphs
    std::uint32_t correlation = 0; ///< of the API call that launched it: one for a whole replay
    std::uint32_t shape = 0;
    std::uint32_t stream = 0;

    friend bool operator==(const Record&, const Record&) = default;
};

/// One replay in a graph-level trace.
struct Span {
    std::uint64_t start = 0;
    std::uint64_t end = 0;
    std::uint32_t correlation = 0;

    friend bool operator==(const Span&, const Span&) = default;
};

/// Records in chunks that never move: growing copies nothing, so that 2 million take 80 MB and not
/// twice that while they grow.
class RecordTable {
  public:
    void append(const Record& record);

    [[nodiscard]] std::size_t size() const noexcept { return size_; }

    [[nodiscard]] const Record& operator[](std::size_t index) const noexcept {
        return chunks_[index / kChunk][index % kChunk];
    }

  private:
    static constexpr std::size_t kChunk = 65'536;

    std::vector<std::unique_ptr<Record[]>> chunks_; // NOLINT(modernize-avoid-c-arrays)
    std::size_t size_ = 0;
};

} // namespace kvprof::activity

#include "capture/activity/records.h"

namespace kvprof::activity {

void RecordTable::append(const Record& record) {
    if (size_ == chunks_.size() * kChunk) {
        // Not zeroed: a page of memory is touched when the first record comes to lie in it.
        chunks_.push_back(std::make_unique_for_overwrite<Record[]>(kChunk)); // NOLINT
    }
    chunks_[size_ / kChunk][size_ % kChunk] = record;
    ++size_;
}

} // namespace kvprof::activity

#pragma once

#include <compare>
#include <cstddef>
#include <iterator>
#include <memory>
#include <type_traits>
#include <utility>
#include <vector>

namespace kvprof::import {

/// A place in `Chunks`: enough of an iterator for std::sort.
template<class T>
class ChunkIterator {
  public:
    using iterator_category = std::random_access_iterator_tag;
    using value_type = T;
    using difference_type = std::ptrdiff_t;
    using pointer = T*;
    using reference = T&;

    static constexpr std::size_t kBits = 15;
    static constexpr std::size_t kSize = std::size_t{1} << kBits; ///< records a chunk

    ChunkIterator() = default;

    ChunkIterator(const std::unique_ptr<T[]>* chunks, difference_type at)
        : chunks_(chunks),
          at_(at) {}

    reference operator*() const { return (*this)[0]; }

    pointer operator->() const { return &(*this)[0]; }

    reference operator[](difference_type offset) const {
        const auto at = static_cast<std::size_t>(at_ + offset);
        return chunks_[at >> kBits][at & (kSize - 1)];
    }

    ChunkIterator& operator+=(difference_type by) {
        at_ += by;
        return *this;
    }

    ChunkIterator& operator-=(difference_type by) { return *this += -by; }

    ChunkIterator& operator++() { return *this += 1; }

    ChunkIterator& operator--() { return *this -= 1; }

    ChunkIterator operator++(int) { return std::exchange(*this, *this + 1); }

    ChunkIterator operator--(int) { return std::exchange(*this, *this - 1); }

    friend ChunkIterator operator+(ChunkIterator it, difference_type by) { return it += by; }

    friend ChunkIterator operator+(difference_type by, ChunkIterator it) { return it += by; }

    friend ChunkIterator operator-(ChunkIterator it, difference_type by) { return it -= by; }

    friend difference_type operator-(const ChunkIterator& a, const ChunkIterator& b) {
        return a.at_ - b.at_;
    }

    friend bool operator==(const ChunkIterator& a, const ChunkIterator& b) {
        return a.at_ == b.at_;
    }

    friend std::strong_ordering operator<=>(const ChunkIterator& a, const ChunkIterator& b) {
        return a.at_ <=> b.at_;
    }

  private:
    const std::unique_ptr<T[]>* chunks_ = nullptr;
    difference_type at_ = 0;
};

/// A growing array in pieces: growth copies nothing and never holds two copies, and a piece takes
/// memory as it is written.
template<class T>
class Chunks {
    static_assert(std::is_trivially_copyable_v<T>);

  public:
    using Iterator = ChunkIterator<T>;

    void push_back(const T& record) {
        if (size_ == chunks_.size() * Iterator::kSize) {
            chunks_.push_back(std::make_unique_for_overwrite<T[]>(Iterator::kSize));
        }
        (*this)[size_++] = record;
    }

    [[nodiscard]] std::size_t size() const noexcept { return size_; }

    [[nodiscard]] T& operator[](std::size_t at) {
        return chunks_[at >> Iterator::kBits][at & (Iterator::kSize - 1)];
    }

    [[nodiscard]] const T& operator[](std::size_t at) const {
        return chunks_[at >> Iterator::kBits][at & (Iterator::kSize - 1)];
    }

    [[nodiscard]] Iterator begin() const { return {chunks_.data(), 0}; }

    [[nodiscard]] Iterator end() const {
        return {chunks_.data(), static_cast<std::ptrdiff_t>(size_)};
    }

    /// Gives the memory back.
    void clear() {
        chunks_.clear();
        size_ = 0;
    }

  private:
    std::vector<std::unique_ptr<T[]>> chunks_;
    std::size_t size_ = 0;
};

} // namespace kvprof::import

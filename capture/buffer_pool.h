#pragma once

#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <mutex>
#include <thread>

namespace kvprof {

/// Lends zeroed buffers to a recorder that fills them on its own threads, and reads those that come
/// back on one thread of its own. A buffer that is out belongs to the borrower: it is never freed,
/// not even at the end, because the borrower may still write to it.
class BufferPool {
  public:
    /// Reads the first `valid` bytes of a buffer; called on the reading thread, no lock held.
    using Read = std::function<void(std::uint8_t* data, std::size_t valid)>;

    static constexpr std::size_t kBufferBytes = std::size_t{4} << 20U;
    static constexpr std::size_t kMaxBuffers = 64;

    explicit BufferPool(Read read, std::size_t max_buffers = kMaxBuffers);
    BufferPool(const BufferPool&) = delete;
    BufferPool& operator=(const BufferPool&) = delete;
    /// No buffer may come back any more.
    ~BufferPool();

    /// kBufferBytes zeros, aligned to 16; null when max_buffers are in use, when memory is short
    /// and after `close`.
    [[nodiscard]] std::uint8_t* lend() noexcept;
    /// Gives a buffer back to the pool that lent it, from any thread. It is read in its turn.
    static void take_back(std::uint8_t* data, std::size_t valid) noexcept;

    /// Waits until everything that came back has been read, then runs `work` while nothing is read.
    /// `work` may use what the reader writes; it may not call the pool.
    void while_idle(const std::function<void()>& work);

    /// Reads what came back and ends the reading thread. Buffers may still come back: they are kept
    /// and not read.
    void close() noexcept;

    /// Buffers that the borrower has.
    [[nodiscard]] std::size_t out() const;
    /// Calls of lend that got nothing.
    [[nodiscard]] std::size_t refused() const;
    /// Whether a read threw: what it should have read is lost.
    [[nodiscard]] bool has_failed() const;

  private:
    struct Buffer;

    void enqueue(Buffer* buffer) noexcept;
    void read_until_closed();

    [[nodiscard]] bool is_read_up() const { return first_ == nullptr && !is_reading_; }

    Read read_;
    std::size_t max_buffers_;

    mutable std::mutex mutex_; ///< of all below; never held while the reader or CUPTI runs
    std::condition_variable changed_;
    Buffer* free_ = nullptr;  ///< zeroed
    Buffer* first_ = nullptr; ///< come back, not yet read: a queue
    Buffer* last_ = nullptr;
    std::size_t made_ = 0;
    std::size_t out_ = 0;
    std::size_t refused_ = 0;
    bool is_reading_ = false;
    bool is_held_ = false; ///< while_idle has the floor
    bool is_closed_ = false;
    bool has_failed_ = false;
    std::thread reader_; ///< last: it uses the members above
};

} // namespace kvprof

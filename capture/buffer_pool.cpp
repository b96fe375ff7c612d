#include "capture/buffer_pool.h"

#include <cstdlib>
#include <cstring>
#include <new>
#include <utility>

namespace kvprof {

/// Lies in front of the bytes that are lent, so that a pointer that comes back finds it.
struct alignas(16) BufferPool::Buffer {
    BufferPool* owner = nullptr;
    Buffer* next = nullptr;
    std::size_t valid = 0;

    /// Fresh memory of this size comes zeroed from the system and is touched page by page as it is
    /// filled: the thread that asks does not stop to clear it.
    static Buffer* make(BufferPool* owner) noexcept {
        void* memory = std::calloc(1, sizeof(Buffer) + kBufferBytes);
        return memory == nullptr ? nullptr : new (memory) Buffer{.owner = owner};
    }

    static void free_all(Buffer*& first) noexcept {
        while (first != nullptr) {
            std::free(std::exchange(first, first->next));
        }
    }

    static Buffer* of(std::uint8_t* data) noexcept {
        return std::launder(reinterpret_cast<Buffer*>(data - sizeof(Buffer)));
    }

    [[nodiscard]] std::uint8_t* data() noexcept {
        return reinterpret_cast<std::uint8_t*>(this) + sizeof(Buffer);
    }

    /// The whole of it: a recorder may have written behind its last valid byte.
    void clear() noexcept { std::memset(data(), 0, kBufferBytes); }
};

BufferPool::BufferPool(Read read, std::size_t max_buffers)
    : read_(std::move(read)),
      max_buffers_(max_buffers),
      reader_([this] { read_until_closed(); }) {}

BufferPool::~BufferPool() {
    close();
    Buffer::free_all(first_);
}

void BufferPool::close() noexcept {
    {
        const std::lock_guard lock(mutex_);
        is_closed_ = true;
    }
    changed_.notify_all();
    if (reader_.joinable()) {
        reader_.join();
    }
    const std::lock_guard lock(mutex_);
    Buffer::free_all(free_);
}

std::uint8_t* BufferPool::lend() noexcept {
    {
        const std::lock_guard lock(mutex_);
        if (free_ != nullptr) {
            Buffer* buffer = std::exchange(free_, free_->next);
            ++out_;
            return buffer->data();
        }
        if (is_closed_ || made_ == max_buffers_) {
            ++refused_;
            return nullptr;
        }
        ++made_;
        ++out_;
    }
    // Outside the lock: the system may take its time.
    if (Buffer* buffer = Buffer::make(this)) {
        return buffer->data();
    }
    const std::lock_guard lock(mutex_);
    --made_;
    --out_;
    ++refused_;
    return nullptr;
}

void BufferPool::take_back(std::uint8_t* data, std::size_t valid) noexcept {
    Buffer* buffer = Buffer::of(data);
    buffer->next = nullptr;
    buffer->valid = valid;
    buffer->owner->enqueue(buffer);
}

void BufferPool::enqueue(Buffer* buffer) noexcept {
    {
        const std::lock_guard lock(mutex_);
        --out_;
        (first_ == nullptr ? first_ : last_->next) = buffer;
        last_ = buffer;
    }
    changed_.notify_all();
}

void BufferPool::read_until_closed() {
    std::unique_lock lock(mutex_);
    while (true) {
        changed_.wait(lock, [this] { return is_closed_ || (first_ != nullptr && !is_held_); });
        if (first_ == nullptr) {
            return; // closed, and everything is read
        }
        Buffer* buffer = std::exchange(first_, first_->next);
        is_reading_ = true;
        lock.unlock();
        bool is_read = true;
        try {
            read_(buffer->data(), buffer->valid);
        } catch (...) {
            is_read = false;
        }
        buffer->clear();
        lock.lock();
        is_reading_ = false;
        has_failed_ = has_failed_ || !is_read;
        buffer->next = std::exchange(free_, buffer);
        changed_.notify_all();
    }
}

void BufferPool::while_idle(const std::function<void()>& work) {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [this] { return is_read_up() && !is_held_; });
    is_held_ = true;
    lock.unlock();

    // Lets the reader go on also when `work` throws.
    const struct Release {
        BufferPool& pool;

        ~Release() {
            {
                const std::lock_guard guard(pool.mutex_);
                pool.is_held_ = false;
            }
            pool.changed_.notify_all();
        }
    } release{*this};

    work();
}

std::size_t BufferPool::out() const {
    const std::lock_guard lock(mutex_);
    return out_;
}

std::size_t BufferPool::refused() const {
    const std::lock_guard lock(mutex_);
    return refused_;
}

bool BufferPool::has_failed() const {
    const std::lock_guard lock(mutex_);
    return has_failed_;
}

} // namespace kvprof

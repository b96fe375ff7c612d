#include "tests/support/out_of_memory.h"

#include <cstddef>
#include <cstdlib>
#include <new>

namespace kvprof::test {

namespace {

bool& is_memory_out() noexcept {
    thread_local bool is_out = false;
    return is_out;
}

} // namespace

OutOfMemory::OutOfMemory(bool is_out) noexcept
    : outer_(is_memory_out()) {
    is_memory_out() = is_out;
}

OutOfMemory::~OutOfMemory() {
    is_memory_out() = outer_;
}

} // namespace kvprof::test

// The program's own: the standard library's other forms of `new` call this one.
void* operator new(std::size_t size) {
    void* memory = kvprof::test::is_memory_out() ? nullptr : std::malloc(size == 0 ? 1 : size);
    if (memory == nullptr) {
        throw std::bad_alloc();
    }
    return memory;
}

void operator delete(void* memory) noexcept {
    std::free(memory);
}

void operator delete(void* memory, std::size_t /*size*/) noexcept {
    std::free(memory);
}

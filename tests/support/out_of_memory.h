#pragma once

namespace kvprof::test {

/// While it lives, and when `is_out`, no `new` of this thread succeeds. Scopes nest.
class OutOfMemory {
  public:
    explicit OutOfMemory(bool is_out = true) noexcept;
    OutOfMemory(const OutOfMemory&) = delete;
    OutOfMemory& operator=(const OutOfMemory&) = delete;
    ~OutOfMemory();

  private:
    bool outer_;
};

} // namespace kvprof::test

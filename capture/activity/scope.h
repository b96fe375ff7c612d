#pragma once

#include "capture/model/op_kind.h"
#include "capture/model/trace.h"

#include <cstdint>

namespace kvprof::activity {

/// What the code that runs now on this thread serves.
struct Tag {
    Role role = Role::none;
    OpKind op{}; ///< of Role::op
    Stage stage{};
    Placement placement{};
    std::int32_t ordinal = -1; ///< of the command in its list (captured, or before the replay)

    friend bool operator==(const Tag&, const Tag&) = default;
};

struct Scope {
    Tag tag;
    std::int64_t step = -1; ///< counts from 0 in a process; -1 outside steps
};

/// The scope of this thread. Executors set it around every launch, traced or not: it costs two
/// stores. Callbacks read it.
[[nodiscard]] inline Scope& current_scope() noexcept {
    thread_local Scope scope;
    return scope;
}

/// Tags what this thread launches until it is destroyed; scopes nest.
class TagScope {
  public:
    explicit TagScope(const Tag& tag) noexcept
        : outer_(current_scope().tag) {
        current_scope().tag = tag;
    }

    TagScope(const TagScope&) = delete;
    TagScope& operator=(const TagScope&) = delete;

    ~TagScope() { current_scope().tag = outer_; }

  private:
    Tag outer_;
};

/// Numbers the step that this thread is in until it is destroyed.
class StepScope {
  public:
    explicit StepScope(std::int64_t step) noexcept { current_scope().step = step; }

    StepScope(const StepScope&) = delete;
    StepScope& operator=(const StepScope&) = delete;

    ~StepScope() { current_scope().step = -1; }
};

} // namespace kvprof::activity

#include "capture/activity/launch_counter.h"

namespace kvprof::activity {

namespace {

/// The outermost call that is open on a thread.
struct OpenCall {
    std::int32_t depth = 0;        ///< calls open, nested ones included
    std::int32_t copying_from = 0; ///< depth of the outermost call that copies graphs; 0: none
    bool is_captured = false;
    ApiId api;
    ApiKind kind{};
    std::uint32_t correlation = 0;
    Scope scope;
};

OpenCall& open_call() noexcept {
    thread_local OpenCall call;
    return call;
}

bool puts_work_on_device(ApiKind kind) {
    return kind == ApiKind::kernel_launch || kind == ApiKind::graph_launch
           || kind == ApiKind::memory_copy || kind == ApiKind::memory_set;
}

CallCount count_for(const OpenCall& call) {
    CallCount count{.api = call.api, .kind = call.kind, .tag = call.scope.tag};
    count.tag.ordinal = -1;
    count.is_captured = call.is_captured;
    count.first_step = call.scope.step;
    return count;
}

/// Everything but the counts and the kind, which the function implies.
std::uint64_t key_of(const CallCount& count) {
    std::uint64_t key = count.api.number;
    const auto add = [&key](std::uint64_t value, unsigned bits) { key = (key << bits) | value; };
    add(static_cast<std::uint64_t>(count.api.domain), 1);
    add(static_cast<std::uint64_t>(count.tag.role), 2);
    add(static_cast<std::uint64_t>(count.tag.op), 8);
    add(static_cast<std::uint64_t>(count.tag.stage), 3);
    add(static_cast<std::uint64_t>(count.tag.placement), 1);
    add(count.is_captured ? 1 : 0, 1);
    add(count.first_step >= 0 ? 1 : 0, 1);
    return key;
}

} // namespace

void LaunchCounter::enter(const ApiId& api, ApiKind kind, std::uint32_t correlation) noexcept {
    OpenCall& call = open_call();
    if (++call.depth == 1) {
        call.is_captured = false;
        call.copying_from = 0;
        call.api = api;
        call.kind = kind;
        call.correlation = correlation;
        call.scope = current_scope();
    }
    if (kind == ApiKind::graph_instantiate && call.copying_from == 0) {
        call.copying_from = call.depth;
    }
}

void LaunchCounter::exit(const ApiId& api, bool has_failed) {
    OpenCall& call = open_call();
    if (call.depth == 0) {
        return; // entered before callbacks were on
    }
    if (--call.depth < call.copying_from) {
        call.copying_from = 0;
    }
    if (call.depth > 0 || call.api != api) {
        return;
    }
    const CallCount call_count = count_for(call);
    const std::lock_guard lock(mutex_);
    auto found = count_of_.find(key_of(call_count));
    if (found == count_of_.end()) {
        counts_.push_back(call_count); // first: an index that was kept has its count
        found = count_of_.emplace(key_of(call_count), counts_.size() - 1).first;
    }
    CallCount& count = counts_[found->second];
    ++(has_failed ? count.failed : count.calls);
    if (!has_failed && !call.is_captured && puts_work_on_device(call.kind)) {
        launches_.push_back({call.correlation, call.kind, call.scope.tag, call.scope.step});
    }
}

void LaunchCounter::note_captured() noexcept {
    open_call().is_captured = true;
}

bool LaunchCounter::is_copying() noexcept {
    return open_call().copying_from > 0;
}

void LaunchCounter::restart() {
    const std::lock_guard lock(mutex_);
    launches_.clear();
    std::erase_if(counts_, [](const CallCount& count) { return !count.is_captured; });
    count_of_.clear();
    for (std::size_t index = 0; index < counts_.size(); ++index) {
        count_of_.emplace(key_of(counts_[index]), index);
    }
}

std::vector<CallCount> LaunchCounter::counts() const {
    const std::lock_guard lock(mutex_);
    return counts_;
}

std::vector<Launch> LaunchCounter::launches() const {
    const std::lock_guard lock(mutex_);
    return launches_;
}

} // namespace kvprof::activity

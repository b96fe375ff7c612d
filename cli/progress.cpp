#include "cli/progress.h"

#include "cli/messages.h"

#include <fmt/format.h>

namespace kvprof::cli {

Progress::Progress(std::FILE* file, bool is_terminal, std::size_t total)
    : file_(file),
      is_terminal_(is_terminal),
      total_(total) {}

Progress::~Progress() {
    clear();
}

void Progress::start(std::size_t position, const std::string& variant) {
    position_ = position;
    variant_ = variant.empty() ? "run" : variant;
    started_ = std::chrono::steady_clock::now();
    tick();
}

double Progress::elapsed_s() const {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - started_).count();
}

void Progress::clear() {
    if (is_drawn_) {
        say("\r\033[K", file_);
        is_drawn_ = false;
    }
}

void Progress::tick() {
    if (is_terminal_) {
        say(fmt::format(
                "\r\033[K[{}/{}] {:.60}  {:.0f} s", position_ + 1, total_, variant_, elapsed_s()
            ),
            file_);
        is_drawn_ = true;
    }
}

void Progress::stored(const Run& run, bool is_verbose) {
    clear();
    const bool is_complete = run.status.state == RunState::complete;
    if (!is_terminal_ || !is_complete) {
        say(fmt::format(
                "[{}/{}] {}: {}{} ({:.1f} s)\n",
                position_ + 1,
                total_,
                variant_,
                to_string(run.status.state),
                is_complete ? std::string() : ": " + run.status.reason,
                elapsed_s()
            ),
            file_);
    }
    if (is_verbose) {
        for (const std::string& note : run.notes) {
            say(fmt::format("    {}\n", note), file_);
        }
    }
}

} // namespace kvprof::cli

#include "cli/interrupts.h"

#include <unistd.h>

#include <atomic>

namespace kvprof::cli {

namespace {

std::atomic<int> first_signal{0};
std::atomic<int> signal_count{0};
std::atomic<bool> exits_on_second{false};
static_assert(std::atomic<int>::is_always_lock_free, "a signal handler may not lock");

extern "C" void remember_signal(int number) {
    int none = 0;
    first_signal.compare_exchange_strong(none, number);
    if (signal_count.fetch_add(1) > 0 && exits_on_second) {
        _exit(128 + number);
    }
}

} // namespace

Interrupts::Interrupts(bool second_exits) {
    first_signal = 0;
    signal_count = 0;
    exits_on_second = second_exits;

    struct sigaction action {};

    action.sa_handler = remember_signal;
    sigemptyset(&action.sa_mask);
    action.sa_flags = SA_RESTART; // the store's writes go on; waiting for a child has a time limit
    sigaction(SIGINT, &action, &old_int_);
    sigaction(SIGTERM, &action, &old_term_);
    sigaction(SIGHUP, nullptr, &old_hangup_);
    if (old_hangup_.sa_handler != SIG_IGN) { // nohup: the program outlives its terminal
        sigaction(SIGHUP, &action, nullptr);
    }
}

Interrupts::~Interrupts() {
    sigaction(SIGINT, &old_int_, nullptr);
    sigaction(SIGTERM, &old_term_, nullptr);
    sigaction(SIGHUP, &old_hangup_, nullptr);
}

int Interrupts::signal() noexcept {
    return first_signal;
}

int Interrupts::count() noexcept {
    return signal_count;
}

ExitCode Interrupts::exit_code() noexcept {
    return first_signal == SIGINT ? ExitCode::interrupted : ExitCode::terminated;
}

} // namespace kvprof::cli

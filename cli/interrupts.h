#pragma once

#include "cli/exit_code.h"

#include <csignal>

namespace kvprof::cli {

/// While it lives, SIGINT, SIGTERM and SIGHUP are remembered instead of ending the program, so that
/// what is finished can be kept. One object at a time.
class Interrupts {
  public:
    /// With `second_exits` the second signal ends the program from within the handler: for code
    /// that can not look at `signal()` while it works.
    explicit Interrupts(bool second_exits);
    Interrupts(const Interrupts&) = delete;
    Interrupts& operator=(const Interrupts&) = delete;
    ~Interrupts();

    /// The first signal that came, 0 while there is none.
    [[nodiscard]] static int signal() noexcept;
    /// How many came.
    [[nodiscard]] static int count() noexcept;
    /// 130 or 143 once a signal came.
    [[nodiscard]] static ExitCode exit_code() noexcept;

  private:
    struct sigaction old_int_ {};

    struct sigaction old_term_ {};

    struct sigaction old_hangup_ {};
};

} // namespace kvprof::cli

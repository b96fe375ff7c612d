#include "capture/experiment/child_process.h"

#include "capture/model/error.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <optional>
#include <string_view>

namespace kvprof::experiment {

namespace {

using Clock = std::chrono::steady_clock;
constexpr std::chrono::milliseconds kTick{100};
constexpr std::chrono::milliseconds kMoment{2};
constexpr std::size_t kTailBytes = 4'096;

UnavailableError failed(const char* action) {
    return UnavailableError{fmt::format("could not {}: {}", action, std::strerror(errno))};
}

/// Only async-signal-safe calls: this runs between fork and exec.
[[noreturn]] void
become(const char* program, char* const* arguments, int output, pid_t parent) noexcept {
    setpgid(0, 0);
    // A parent that is killed can stop nobody; the kernel does it, unless it is gone already.
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != parent) {
        _exit(127);
    }
    const int null = open("/dev/null", O_RDONLY | O_CLOEXEC);
    dup2(null, STDIN_FILENO);
    dup2(output, STDOUT_FILENO);
    dup2(output, STDERR_FILENO);
    execv(program, arguments);
    const char* why = strerrordesc_np(errno);
    static_cast<void>(!write(STDERR_FILENO, why, std::strlen(why)));
    _exit(127);
}

/// A started process and the pipe that it writes to.
class Child {
  public:
    explicit Child(const ChildCommand& command);
    Child(const Child&) = delete;
    Child& operator=(const Child&) = delete;
    ~Child();

    /// Waits a tick for output or the end; the wait status once it has ended.
    std::optional<int> wait();

    void signal(int number) const { kill(-pid_, number); }

    [[nodiscard]] pid_t pid() const { return pid_; }

    [[nodiscard]] const std::string& tail() const { return tail_; }

  private:
    void drain();

    pid_t pid_ = -1;
    int pipe_ = -1;
    bool is_running_ = true;
    bool is_open_ = true; ///< the pipe has a writer
    std::string tail_;
};

Child::Child(const ChildCommand& command) {
    std::array<int, 2> ends{};
    if (pipe2(ends.data(), O_CLOEXEC) != 0) {
        throw failed("make a pipe");
    }
    std::vector<char*> argv;
    for (const std::string& argument : command.arguments) {
        argv.push_back(const_cast<char*>(argument.c_str())); // execv's signature; it writes nothing
    }
    argv.push_back(nullptr);
    const pid_t parent = getpid();
    pid_ = fork();
    if (pid_ == 0) {
        become(command.program.c_str(), argv.data(), ends[1], parent);
    }
    close(ends[1]);
    pipe_ = ends[0];
    if (pid_ < 0) {
        close(pipe_);
        throw failed("start a process");
    }
    setpgid(pid_, pid_); // here too: whoever comes first, the group exists before a signal is sent
    fcntl(pipe_, F_SETFL, O_NONBLOCK);
}

Child::~Child() {
    if (is_running_) {
        signal(SIGKILL);
        waitpid(pid_, nullptr, 0);
    }
    close(pipe_);
}

void Child::drain() {
    std::array<char, 4096> buffer{};
    ssize_t count = 0;
    while ((count = read(pipe_, buffer.data(), buffer.size())) > 0) {
        tail_.append(buffer.data(), static_cast<std::size_t>(count));
        if (tail_.size() > kTailBytes) {
            tail_.erase(0, tail_.size() - kTailBytes);
        }
    }
}

std::optional<int> Child::wait() {
    // A closed pipe is readable at once and would make this spin: wait a moment instead.
    pollfd readable{.fd = is_open_ ? pipe_ : -1, .events = POLLIN, .revents = 0};
    poll(&readable, 1, static_cast<int>((is_open_ ? kTick : kMoment).count()));
    is_open_ = is_open_ && (readable.revents & POLLHUP) == 0;
    drain();
    int status = 0;
    if (waitpid(pid_, &status, WNOHANG) != pid_) {
        return std::nullopt;
    }
    is_running_ = false;
    drain();
    return status;
}

/// Stops a child when a signal came or its time is up.
class Stopper {
  public:
    explicit Stopper(const ChildCommand& command)
        : command_(command),
          deadline_(Clock::now() + command.timeout) {}

    /// Does what is due now.
    void look(const Child& child);

    /// How the child ends by this object's doing; `exited` when it had none.
    [[nodiscard]] ChildEnd end() const { return end_; }

  private:
    const ChildCommand& command_;
    Clock::time_point deadline_;
    Clock::time_point kill_at_ = Clock::time_point::max();
    int passed_on_ = 0;
    ChildEnd end_ = ChildEnd::exited;
};

void Stopper::look(const Child& child) {
    const Clock::time_point now = Clock::now();
    const int stop = command_.stop_signal ? command_.stop_signal() : 0;
    if (stop != passed_on_) {
        passed_on_ = stop;
        end_ = ChildEnd::stopped;
        child.signal(stop);
        kill_at_ = now + command_.grace;
    }
    if (command_.timeout.count() > 0 && now >= deadline_ && end_ == ChildEnd::exited) {
        end_ = ChildEnd::timed_out;
        kill_at_ = now;
    }
    if (now >= kill_at_) {
        child.signal(SIGKILL);
    }
}

/// The last line that says what happened: a hint stands under the line that it belongs to.
std::string_view last_line(std::string_view text) {
    std::string_view line;
    do {
        const std::size_t end = text.find_last_not_of(" \n");
        text = text.substr(0, end == std::string_view::npos ? 0 : end + 1);
        const std::size_t start = text.find_last_of('\n');
        line = start == std::string_view::npos ? text : text.substr(start + 1);
        text.remove_suffix(line.size());
    } while (line.starts_with("  hint: "));
    return line;
}

} // namespace

ChildResult run_child(const ChildCommand& command) {
    Child child(command);
    Stopper stopper(command);
    std::optional<int> status;
    while (!(status = child.wait())) {
        if (command.tick) {
            command.tick();
        }
        stopper.look(child);
    }
    child.signal(SIGKILL); // whatever it left behind in its group
    ChildResult result;
    result.pid = child.pid();
    result.end = stopper.end();
    result.output_tail = child.tail();
    if (result.end == ChildEnd::exited && WIFSIGNALED(*status)) {
        result.end = ChildEnd::signalled;
    }
    result.code = WIFSIGNALED(*status) ? WTERMSIG(*status) : WEXITSTATUS(*status);
    return result;
}

std::string describe(const ChildResult& result) {
    const std::string_view line = last_line(result.output_tail);
    const std::string said = line.empty() ? std::string() : fmt::format(": {}", line);
    switch (result.end) {
    case ChildEnd::exited: return fmt::format("exited with code {}{}", result.code, said);
    case ChildEnd::signalled: {
        const char* name = sigabbrev_np(result.code);
        return fmt::format(
            "killed by SIG{}{}{}",
            name == nullptr ? std::to_string(result.code) : name,
            result.code == SIGKILL ? " (out of memory?)" : "",
            said
        );
    }
    case ChildEnd::timed_out: return "ran out of time";
    case ChildEnd::stopped: return "stopped";
    }
    return "unknown";
}

} // namespace kvprof::experiment

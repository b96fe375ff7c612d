#include "cli/output.h"

#include "capture/model/file_beside.h"
#include "report/gzip.h"

#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <optional>
#include <utility>

namespace kvprof::cli {

namespace {

constexpr std::array kColors{
    std::pair<std::string_view, std::string_view>{"regressed", "31"},
    std::pair<std::string_view, std::string_view>{"improved", "32"},
    std::pair<std::string_view, std::string_view>{"inconclusive", "33"},
    std::pair<std::string_view, std::string_view>{"not comparable", "33"},
    std::pair<std::string_view, std::string_view>{"not-run", "31"},
    std::pair<std::string_view, std::string_view>{"invalid", "31"},
    std::pair<std::string_view, std::string_view>{"not found", "33"}};

const char* value_of(const char* variable) {
    const char* value = std::getenv(variable); // NOLINT(concurrency-mt-unsafe): no thread yet
    return value == nullptr ? "" : value;
}

/// Of a variable that switches something on: "0" does not.
bool is_on(const char* variable) {
    const std::string_view value = value_of(variable);
    return !value.empty() && value != "0";
}

struct Close {
    void operator()(std::FILE* file) const noexcept { std::fclose(file); }
};

using File = std::unique_ptr<std::FILE, Close>;

UsageError failed(const std::filesystem::path& path) {
    return UsageError(
        fmt::format("could not write {}: {}", path.string(), std::strerror(errno)),
        "give -o a file in a folder that exists and can be written"
    );
}

/// Devices, pipes of the shell and the open files of a process.
bool is_of_system(const std::filesystem::path& path) {
    const std::string name = path.lexically_normal().string();
    return name.starts_with("/dev/") || name.starts_with("/proc/");
}

/// A store that a report was meant to be made from is easily given as its place.
bool is_database(const std::filesystem::path& path) {
    constexpr std::string_view kMagic("SQLite format 3\0", 16);
    std::array<char, kMagic.size()> begin{};
    const File file(std::fopen(path.c_str(), "re"));
    return file && std::fread(begin.data(), 1, begin.size(), file.get()) == begin.size()
           && std::string_view(begin.data(), begin.size()) == kMagic;
}

} // namespace

Output::Output(const CommonOptions& options)
    : options_(options) {
    if (!options.output) {
        return;
    }
    if (is_of_system(*options.output)) {
        target_ = *options.output; // "/dev/stdout" is a link to what this process has open
        return;
    }
    const auto target = end_of_links(*options.output);
    if (!target) {
        throw failed(*options.output);
    }
    target_ = *target;

    struct stat state {};

    const bool is_there = stat(target_.c_str(), &state) == 0;
    if (is_there && access(target_.c_str(), W_OK) != 0) {
        throw failed(*options.output);
    }
    if (is_there && S_ISDIR(state.st_mode)) {
        errno = EISDIR;
        throw failed(*options.output);
    }
    if (is_there && !S_ISREG(state.st_mode)) {
        return; // a pipe or a device: there is nothing to keep
    }
    if (is_there && is_database(target_)) {
        throw UsageError(
            fmt::format("could not write {}: it is a database", options.output->string()),
            "name another file; kvprof export -o runs.db writes a bundle of runs"
        );
    }
    // Whether the folder takes a file; none stays there while the verb works.
    const auto probe = make_beside(target_);
    if (!probe) {
        throw failed(*options.output);
    }
    std::remove(probe->c_str());
    is_replaced_ = true;
}

void Output::write(const std::string& text) {
    if (!options_.output) {
        const bool colors =
            options_.format == Format::text && wants_color(options_.color, isatty(1) != 0);
        const std::string shown = colors ? colored(text) : text;
        if (std::fwrite(shown.data(), 1, shown.size(), stdout) != shown.size()
            || std::fflush(stdout) != 0) {
            throw failed("the result to stdout");
        }
        return;
    }
    const std::string packed = options_.is_gzip ? report::gzip(text) : text;
    const std::optional<std::filesystem::path> place =
        is_replaced_ ? make_beside(target_) : target_;
    const bool is_written = place && write_text(*place, "we", packed)
                            && (!is_replaced_ || std::rename(place->c_str(), target_.c_str()) == 0);
    if (!is_written) {
        const UsageError error = failed(*options_.output); // before errno changes
        if (is_replaced_ && place) {
            std::remove(place->c_str());
        }
        throw error;
    }
}

bool write_text(const std::filesystem::path& path, const char* mode, const std::string& text) {
    File file(std::fopen(path.c_str(), mode));
    return file && std::fwrite(text.data(), 1, text.size(), file.get()) == text.size()
           && std::fflush(file.get()) == 0 && std::fclose(file.release()) == 0;
}

bool wants_color(ColorMode mode, bool is_terminal) {
    switch (mode) {
    case ColorMode::always: return true;
    case ColorMode::never: return false;
    case ColorMode::automatic: break;
    }
    if (*value_of("NO_COLOR") != '\0') {
        return false;
    }
    if (is_on("CLICOLOR_FORCE") || is_on("FORCE_COLOR")) {
        return true;
    }
    const std::string_view terminal = value_of("TERM");
    return is_terminal && !terminal.empty() && terminal != "dumb";
}

std::string colored(std::string_view text) {
    std::string result;
    while (!text.empty()) {
        std::size_t at = std::string_view::npos;
        std::pair<std::string_view, std::string_view> found;
        for (const auto& color : kColors) {
            if (const std::size_t place = text.find(color.first); place < at) {
                at = place;
                found = color;
            }
        }
        if (at == std::string_view::npos) {
            return result.append(text);
        }
        result += fmt::format("{}\033[{}m{}\033[0m", text.substr(0, at), found.second, found.first);
        text.remove_prefix(at + found.first.size());
    }
    return result;
}

} // namespace kvprof::cli

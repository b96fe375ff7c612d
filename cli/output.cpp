#include "cli/output.h"

#include <fmt/format.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>
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

bool is_set(const char* variable) {
    const char* value = std::getenv(variable);
    return value != nullptr && *value != '\0' && std::string_view(value) != "0";
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

} // namespace

Output::Output(const CommonOptions& options)
    : options_(options) {
    if (options.output) {
        has_made_file_ = access(options.output->c_str(), F_OK) != 0;
        const File file(std::fopen(options.output->c_str(), "ae"));
        if (!file) {
            throw failed(*options.output);
        }
    }
}

Output::~Output() {
    if (has_made_file_) {
        std::remove(options_.output->c_str());
    }
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
    File file(std::fopen(options_.output->c_str(), "we"));
    if (!file || std::fwrite(text.data(), 1, text.size(), file.get()) != text.size()
        || std::fclose(file.release()) != 0) {
        throw failed(*options_.output);
    }
    has_made_file_ = false;
}

bool wants_color(ColorMode mode, bool is_terminal) {
    switch (mode) {
    case ColorMode::always: return true;
    case ColorMode::never: return false;
    case ColorMode::automatic: break;
    }
    if (is_set("NO_COLOR")) {
        return false;
    }
    if (is_set("CLICOLOR_FORCE") || is_set("FORCE_COLOR")) {
        return true;
    }
    const char* terminal = std::getenv("TERM");
    return is_terminal && terminal != nullptr && std::string_view(terminal) != "dumb";
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

#include "capture/scripted/script.h"

#include "capture/model/environment.h"
#include "capture/model/error.h"
#include "capture/model/units.h"

#include <fmt/format.h>

#include <charconv>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string_view>
#include <system_error>

namespace kvprof::scripted {

namespace {

constexpr double kLeastUs = 0.001; ///< a nanosecond, the unit that times are kept in
constexpr double kMostUs = 1e9;

double read_gpu_us(const std::string& word) {
    const double gpu_us = parse_real(word, "gpu_us");
    if (gpu_us < kLeastUs || gpu_us > kMostUs) {
        throw UsageError(fmt::format(
            "could not read the script: gpu_us {} is outside {} to {:.0f}", word, kLeastUs, kMostUs
        ));
    }
    return gpu_us;
}

/// A number with or without "0x".
std::int64_t read_bits(std::string_view word) {
    const bool is_hex = word.starts_with("0x");
    const std::string_view digits = is_hex ? word.substr(2) : word;
    std::int64_t bits = 0;
    const char* const last = digits.data() + digits.size();
    const auto [end, error] = std::from_chars(digits.data(), last, bits, is_hex ? 16 : 10);
    if (error != std::errc() || end != last) {
        throw UsageError(fmt::format("could not read the script: \"{}\" is no number", word));
    }
    return bits;
}

Param read_fact(std::istringstream& rest) {
    Param fact;
    rest >> fact.name;
    std::getline(rest >> std::ws, fact.value);
    Environment probe;
    if (!set_field(probe, fact.name, fact.value)) {
        throw UsageError(
            fmt::format("could not read the script: the environment has no \"{}\"", fact.name)
        );
    }
    return fact;
}

/// The number of runs counted before this one.
std::int64_t count_run(const std::string& path) {
    std::int64_t runs = 0;
    std::ifstream(path) >> runs;
    std::ofstream(path, std::ios::trunc) << runs + 1 << '\n';
    return runs;
}

/// Reads lines into a script as far as they hold in this run.
class ScriptReader {
  public:
    void line(const std::string& text) {
        std::istringstream words(text.substr(0, text.find('#')));
        std::string key;
        if (!(words >> key)) {
            return;
        }
        if (key == "state") {
            std::string path;
            std::getline(words >> std::ws, path);
            turn_ = count_run(path);
        } else if (key == "turn") {
            holds_ = is_in_turn(words);
        } else {
            Script elsewhere;
            read(key, words, holds_ ? script_ : elsewhere);
        }
    }

    [[nodiscard]] const Script& script() const { return script_; }

  private:
    [[nodiscard]] bool is_in_turn(std::istringstream& words) const {
        if (!turn_) {
            throw UsageError("could not read the script: \"turn\" stands after no \"state FILE\"");
        }
        std::string first;
        words >> first;
        std::string last = first;
        words >> last;
        return parse_count(first, "turn") <= *turn_ && *turn_ <= parse_count(last, "turn");
    }

    static void read_numbers(const std::string& key, std::istringstream& rest, Script& script) {
        if (key == "gpu_us") {
            script.gpu_us.clear();
            for (std::string word; rest >> word;) {
                script.gpu_us.push_back(read_gpu_us(word));
            }
        } else if (key == "clock_mhz") {
            script.clock_mhz.clear();
            for (std::string word; rest >> word;) {
                script.clock_mhz.push_back(parse_count(word, "clock_mhz"));
            }
        } else {
            std::string word;
            rest >> word;
            script.reasons = read_bits(word);
        }
    }

    static void read(const std::string& key, std::istringstream& rest, Script& script) {
        if (key == "gpu_us" || key == "clock_mhz" || key == "reasons") {
            read_numbers(key, rest, script);
        } else if (key == "fail") {
            rest >> script.fail_stage;
            std::getline(rest >> std::ws, script.fail_text);
        } else if (key == "wrong_ids") {
            script.has_wrong_ids = true;
        } else if (key == "crash") {
            script.has_crash = true;
        } else if (key == "hang") {
            script.has_hang = true;
        } else if (key == "log") {
            std::getline(rest >> std::ws, script.log_file);
        } else if (key == "fact") {
            script.facts.push_back(read_fact(rest));
        } else {
            throw UsageError(fmt::format("could not read the script: unknown word \"{}\"", key));
        }
    }

    Script script_;
    std::optional<std::int64_t> turn_;
    bool holds_ = true;
};

} // namespace

Script read_script(const std::string& path) {
    if (path.empty()) {
        return {};
    }
    std::error_code ignored;
    if (!std::filesystem::is_regular_file(path, ignored)) {
        throw UsageError(fmt::format("could not read the script {}: there is no such file", path));
    }
    std::ifstream file(path);
    if (!file) {
        throw UsageError(fmt::format("could not read the script {}: it can not be opened", path));
    }
    ScriptReader reader;
    for (std::string line; std::getline(file, line);) {
        reader.line(line);
    }
    if (reader.script().gpu_us.empty()) {
        throw UsageError(fmt::format("could not read the script {}: gpu_us names no time", path));
    }
    return reader.script();
}

} // namespace kvprof::scripted

#pragma once

#include <string>
#include <vector>

namespace CLI {
class App;
} // namespace CLI

namespace kvprof::cli {

/// An option of a verb, or the words that stand without one, as the parser knows them.
struct OptionUsage {
    std::vector<std::string> names; ///< {"-o", "--output"}; of words without an option {"REF"}
    std::string value;              ///< "FILE", "auto|cuda|host"; empty: a flag
    std::string doc;
    std::string default_value;
    std::string group; ///< heading that it stands under
    bool is_positional = false;
    bool is_repeatable = false; ///< each time adds to the others
    int most_values = 1;        ///< words that one use takes
};

/// A verb, or with the empty name the program: what --help, the manual pages and the completions
/// are made of.
struct Usage {
    std::string name;
    std::string summary;
    std::string synopsis;             ///< alternatives are parted by "  |  "
    std::string examples;             ///< one a line
    std::vector<OptionUsage> options; ///< in the order of their groups, without hidden ones
};

/// Of a verb's app, or of the program's.
[[nodiscard]] Usage usage_of(const CLI::App& app);

/// Of every verb that --help lists, in its order.
[[nodiscard]] std::vector<Usage> verb_usages(const CLI::App& program);

} // namespace kvprof::cli

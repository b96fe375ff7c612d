#pragma once

#include <string>
#include <string_view>

namespace CLI {
class App;
} // namespace CLI

namespace kvprof::cli {

/// kvprof(1), or with the name of a verb kvprof-VERB(1), as roff with the macros of man(7). Options
/// and examples are those of --help, the description that of docs/cli.md.
/// @throws UsageError for the name of no verb, with the nearest.
[[nodiscard]] std::string man_page(const CLI::App& program, std::string_view verb);

} // namespace kvprof::cli

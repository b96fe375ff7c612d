#include "cli/commands.h"
#include "cli/messages.h"
#include "cli/parse.h"
#include "report/clean_text.h"

#include <fmt/format.h>

#include <csignal>
#include <exception>

namespace {

namespace cli = kvprof::cli;

int report(const kvprof::Error& error) {
    // Names are input, and a terminal obeys control characters.
    cli::say(kvprof::report::xml_text(fmt::format("kvprof: {}\n", error.what())));
    if (!error.hint().empty()) {
        cli::say(fmt::format("  hint: {}\n", error.hint()));
    }
    return static_cast<int>(cli::code_of(error));
}

} // namespace

int main(int argc, char** argv) {
    cli::hold_standard_streams();
    std::signal(SIGXFSZ, SIG_IGN); // a file that may not grow is a store error, not the end
    try {
        const cli::Command command = cli::parse({argv + 1, argv + argc});
        const auto code =
            std::visit([](const auto& options) { return cli::run(options); }, command);
        return static_cast<int>(code);
    } catch (const kvprof::Error& error) {
        return report(error);
    } catch (const std::exception& error) {
        cli::say(fmt::format("kvprof: internal error: {}\n", error.what()));
        cli::say("  hint: this is a bug in kvprof; please report it\n");
        return static_cast<int>(cli::ExitCode::internal);
    }
}

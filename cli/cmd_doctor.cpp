#include "capture/container.h"
#include "capture/git_revision.h"
#include "capture/machine_facts.h"
#include "cli/commands.h"
#include "cli/doctor_report.h"
#include "cli/output.h"
#include "cli/stores.h"
#include "cli/version.h"
#include "db/store.h"

#include <fmt/format.h>
#include <unistd.h>

#include <filesystem>
#include <system_error>

namespace kvprof::cli {

namespace {

namespace fs = std::filesystem;

/// The nearest folder above the store that exists.
fs::path existing_parent(const fs::path& path) {
    std::error_code ignored;
    fs::path folder = fs::absolute(path, ignored).parent_path();
    while (!fs::exists(folder, ignored) && folder != folder.parent_path()) {
        folder = folder.parent_path();
    }
    return folder;
}

std::string problem_of(const fs::path& path, const fs::path& parent) {
    if (access(parent.c_str(), W_OK) != 0) {
        return fmt::format("the folder {} can not be written", parent.string());
    }
    std::error_code ignored;
    if (!fs::exists(path, ignored)) {
        return {};
    }
    if (access(path.c_str(), W_OK) != 0) {
        return "the file can not be written";
    }
    try {
        db::Store(path, db::OpenMode::read);
        return {};
    } catch (const StoreError& error) {
        return error.what();
    }
}

StoreFacts store_facts(const CommonOptions& options) {
    StoreFacts facts;
    try {
        const fs::path path = store_path_of(options);
        const fs::path parent = existing_parent(path);
        std::error_code ignored;
        facts.path = path.string();
        facts.problem = problem_of(path, parent);
        facts.free_bytes = static_cast<std::int64_t>(fs::space(parent, ignored).available);
    } catch (const UsageError& error) {
        facts.problem = error.what();
    }
    return facts;
}

Surroundings surroundings() {
    return {
        .container = container_in(container_traces()),
        .git_revision = git_revision(),
        .variables = variables_in(process_variables())};
}

} // namespace

ExitCode run(const DoctorOptions& options) {
    Output output(options.common);
    DoctorFacts facts{
        .build = {cuda_architectures(), cuda_runtime()},
        .machine = probe_machine(),
        .host = host_facts(),
        .around = surroundings(),
        .store = store_facts(options.common),
        .session = std::nullopt};
    if (facts.machine.cupti.found) {
        facts.session = probe_cupti_session();
    }
    const auto rows = doctor_rows(facts);
    output.write(options.common.format == Format::json ? doctor_json(rows) : doctor_text(rows));
    const bool has_gpu = !facts.machine.gpus.empty();
    return options.requires_gpu && !has_gpu ? ExitCode::not_measured : ExitCode::done;
}

} // namespace kvprof::cli

#include "capture/executor_factory.h"
#include "cli/parse_run.h"

#include <algorithm>
#include <iterator>

namespace kvprof::cli {

namespace {

constexpr const char* kAxes = "Axes";

} // namespace

void RunTexts::add_axes_to(CLI::App& verb) {
    verb.add_option(
            "--axis",
            axes_,
            "points of one axis, all else as given; repeatable: seq-len, batch, max-context, "
            "max-batch, page-size (default: a few points on each)"
    )
        ->take_all()
        ->allow_extra_args(false)
        ->type_name("AXIS=A,B")
        ->group(kAxes);
    add_memory_to(verb, kAxes);
    add_sides_to(
        verb,
        "two sides at every point, each FIELD=VALUE,... or a TOML file of options, "
        "\"\" for none"
    );
}

RunOptions RunTexts::read_sweep() const {
    RunOptions options = read();
    DesignOptions& design = options.design;
    if (is_ab() && design.sides.empty()) {
        throw UsageError(
            "could not read --ab: a sweep of two sides names both",
            "as in --ab grid=ctx grid=bs; \"\" changes nothing"
        );
    }
    design.kind = ExperimentKind::sweep;
    design.memory = memory();
    std::transform(
        axes_.begin(), axes_.end(), std::back_inserter(design.axes), experiment::parse_axis
    );
    if (!gives("passes")) { // kernels are timed one by one where there is a recorder
        const bool has_nodes = resolve(options.measure.executor) != ExecutorKind::scripted;
        options.measure.passes = has_nodes ? "timing+nodes" : "timing";
    }
    return options;
}

} // namespace kvprof::cli

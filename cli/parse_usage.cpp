#include "cli/parse_usage.h"

#include "cli/verbs.h"

#include <CLI/CLI.hpp>

#include <algorithm>

namespace kvprof::cli {

namespace {

OptionUsage option_usage(const CLI::Option& option) {
    OptionUsage usage;
    usage.is_positional = option.get_positional();
    if (usage.is_positional) {
        usage.names = {option.get_name(true)};
    }
    for (const std::string& name : option.get_snames()) {
        usage.names.push_back("-" + name);
    }
    for (const std::string& name : option.get_lnames()) {
        usage.names.push_back("--" + name);
    }
    usage.value = option.get_type_size() == 0 ? std::string() : option.get_type_name();
    usage.doc = option.get_description();
    usage.default_value = option.get_default_str();
    usage.group = option.get_group();
    usage.is_repeatable = option.get_multi_option_policy() == CLI::MultiOptionPolicy::TakeAll;
    usage.most_values = option.get_allow_extra_args() ? std::min(option.get_expected_max(), 2) : 1;
    return usage;
}

} // namespace

Usage usage_of(const CLI::App& app) {
    Usage usage;
    const auto* verb = std::find_if(kVerbs.begin(), kVerbs.end(), [&](const Verb& candidate) {
        return candidate.name == app.get_name();
    });
    if (verb == kVerbs.end()) {
        usage.summary = "measures what the KV-cache index path of a decode step costs";
        usage.synopsis = "kvprof VERB [options]";
        usage.examples =
            "kvprof run --ab index-mode=rectangle index-mode=stream\n"
            "kvprof gate --ab program=base/kvprof program=head/kvprof\n"
            "kvprof import trace.json.gz    # of torch, or an export of Nsight Systems\n"
            "kvprof show @latest\n"
            "kvprof doctor\n";
    } else {
        usage.name = verb->name;
        usage.summary = verb->summary;
        usage.synopsis = verb->usage;
        usage.examples = verb->examples;
    }
    for (const std::string& group : app.get_groups()) {
        for (const CLI::Option* option : app.get_options()) {
            if (!group.empty() && option->get_group() == group) {
                usage.options.push_back(option_usage(*option));
            }
        }
    }
    return usage;
}

std::vector<Usage> verb_usages(const CLI::App& program) {
    std::vector<Usage> usages;
    for (const Verb& verb : kVerbs) {
        usages.push_back(usage_of(*program.get_subcommand(std::string(verb.name))));
    }
    return usages;
}

} // namespace kvprof::cli

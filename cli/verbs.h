#pragma once

#include <array>
#include <string_view>

namespace kvprof::cli {

/// What --help says about a verb besides its options.
struct Verb {
    std::string_view name;
    std::string_view summary;
    std::string_view usage;
    std::string_view examples; ///< one a line
};

inline constexpr std::array kVerbs{
    Verb{
        "run",
        "build a decode step, verify it, time it, store every run",
        "kvprof run [options]",
        "kvprof run\n"
        "kvprof run --batch 8 --seq-len 1Ki --index-mode rectangle --label before\n"
        "kvprof run --vary index-mode=rectangle,stream --vary batch=1,8,64 --repeats 3\n"
        "kvprof run --op token-stream --l2 flush --json\n"},
    Verb{
        "ls",
        "list the stored experiments, newest first",
        "kvprof ls [options]",
        "kvprof ls\n"
        "kvprof ls --limit 5 --json\n"},
    Verb{
        "show",
        "show an experiment, or every fact of one run",
        "kvprof show [options] REF",
        "kvprof show @latest\n"
        "kvprof show @latest/batch=8\n"
        "kvprof show 4f0c9a --format md -o runs.md\n"},
    Verb{
        "rm",
        "remove experiments or runs from the store",
        "kvprof rm [options] REF...",
        "kvprof rm @latest\n"
        "kvprof rm 4f0c9a before/batch=8\n"},
    Verb{
        "tag",
        "name an experiment or a run",
        "kvprof tag [options] [NAME [REF]]",
        "kvprof tag main @latest\n"
        "kvprof tag\n"
        "kvprof tag --delete main\n"},
    Verb{
        "diff",
        "compare two sides, or the cells of a matrix that differ in one field",
        "kvprof diff [options] A B  |  kvprof diff [options] --by FIELD REF",
        "kvprof diff before after\n"
        "kvprof diff --by index-mode @latest\n"
        "kvprof diff @latest/index-mode=rectangle @latest/index-mode=stream --format md\n"},
    Verb{
        "export",
        "write the timeline of a run for another program",
        "kvprof export [options] REF",
        "kvprof run --passes timing+nodes\n"
        "kvprof export @latest -o step.json\n"
        "kvprof export --format perfetto @latest/index-mode=stream -o stream.json\n"},
    Verb{
        "doctor",
        "say what this machine can measure, and what is missing",
        "kvprof doctor [options]",
        "kvprof doctor\n"
        "kvprof doctor --require-gpu && kvprof run --executor cuda\n"},
    Verb{
        "help",
        "show help on a verb, or the exit codes",
        "kvprof help [VERB | exit-codes]",
        "kvprof help run\n"
        "kvprof help exit-codes\n"}};

} // namespace kvprof::cli

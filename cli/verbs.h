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
        "kvprof run --op token-stream --l2 flush --json\n"
        "kvprof run --ab index-mode=rectangle index-mode=stream --dry-run\n"},
    Verb{
        "matrix",
        "measure every system once: presets x backends x pools x stages, a row each",
        "kvprof matrix [options]",
        "kvprof matrix\n"
        "kvprof matrix --presets kimi-linear-48b,gpt-oss-20b --backends triton --dry-run\n"
        "kvprof matrix --resume\n"
        "kvprof report @latest -o matrix.md\n"},
    Verb{
        "tune",
        "time the launch choices of an op at several shapes, and find the best for all",
        "kvprof tune OP [options]",
        "kvprof tune token-stream --dry-run\n"
        "kvprof tune token-stream --shape 64x8224 --shape 64x1024+1000000:identity\n"
        "kvprof tune page-table --threads 128,256 --split rows,balanced --repeats 3\n"
        "kvprof show @latest\n"},
    Verb{
        "sweep",
        "measure along axes of size, and fit a cost law to every kernel and buffer",
        "kvprof sweep [options]",
        "kvprof sweep\n"
        "kvprof sweep --axis seq-len=1Ki,8Ki,128Ki --axis max-context=256Ki,512Ki,1Mi\n"
        "kvprof sweep --ab grid=ctx grid=bs --index-mode rectangle\n"
        "kvprof sweep --op token-stream --dry-run\n"},
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
        "kvprof show base --kernels\n"
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
        "kvprof diff [options] A B  |  kvprof diff [options] [--by FIELD] REF",
        "kvprof diff before after --treatment index-mode\n"
        "kvprof diff base cand    # two imported sides\n"
        "kvprof diff --by index-mode @latest\n"
        "kvprof diff @latest\n"
        "kvprof diff @latest/index-mode=rectangle @latest/index-mode=stream --format md\n"},
    Verb{
        "gate",
        "compare and judge by a policy, for CI: exit 1 when something gated regressed",
        "kvprof gate --ab A B [options]  |  kvprof gate [options] [--baseline NAME] REF",
        "kvprof gate --ab index-mode=rectangle index-mode=stream\n"
        "kvprof gate --ab program=base/kvprof program=head/kvprof --policy kvprof.toml --confirm\n"
        "kvprof gate --baseline main @latest\n"},
    Verb{
        "baseline",
        "name the runs that a later gate compares with",
        "kvprof baseline set NAME REF... --reason TEXT  |  kvprof baseline ls  |  kvprof baseline "
        "rm NAME",
        "kvprof baseline set main @latest --reason \"release 1.2\"\n"
        "kvprof baseline set main @latest --add --reason \"another day\"\n"
        "kvprof baseline ls\n"},
    Verb{
        "calibrate",
        "measure identical runs: what noise looks like on this machine",
        "kvprof calibrate [options]",
        "kvprof calibrate\n"
        "kvprof calibrate --batch 8 --seq-len 1Ki --runs 20\n"},
    Verb{
        "ceilings",
        "what the GPU reaches at most: the roof that docs/roofline.md holds ops against",
        "kvprof ceilings [options]",
        "kvprof ceilings\n"
        "kvprof ceilings --remeasure\n"},
    Verb{
        "selftest",
        "let the gate judge both sides alike, and a delay of known length",
        "kvprof selftest [options]",
        "kvprof selftest\n"
        "kvprof selftest --inject 0%,2%,1%,0.5% --gates 10\n"},
    Verb{
        "report",
        "render stored runs or a comparison: Markdown, HTML, JSON, formats of CI and benchmarks",
        "kvprof report [options] [REF]  |  kvprof report [options] A B",
        "kvprof report\n"
        "kvprof report @latest -o pr.md --attach --claims claims.toml\n"
        "kvprof report @latest -o report.html\n"
        "kvprof report before after --treatment index-mode --format junit -o junit.xml\n"
        "kvprof report base cand -o pr.html    # two imported sides\n"
        "kvprof report @latest --format github\n"},
    Verb{
        "claims",
        "answer what a pull request says with what was measured",
        "kvprof claims check FILE [REF | A B] [options]",
        "kvprof claims check claims.toml @latest\n"},
    Verb{
        "verify",
        "derive every figure of a report again, and name the first that differs",
        "kvprof verify FILE [REF | A B] [options]",
        "kvprof verify pr.md --db pr.db\n"
        "kvprof verify samples.csv @latest --table samples\n"},
    Verb{
        "export",
        "write runs for another program, or as a bundle for another store",
        "kvprof export REF... [options]",
        "kvprof run --passes timing+nodes\n"
        "kvprof export @latest -o step.json\n"
        "kvprof export @latest -o runs.db\n"
        "kvprof export @latest --format gbench -o bench.json\n"},
    Verb{
        "import",
        "add profiles of torch or Nsight Systems, or a bundle, to the store",
        "kvprof import FILE... [options]",
        "kvprof import before_TP0.trace.json.gz before_TP1.trace.json.gz\n"
        "kvprof import --side after run1.sqlite run2.sqlite run3.sqlite\n"
        "kvprof diff before after\n"
        "kvprof import pr.db\n"},
    Verb{
        "merge",
        "add the runs of other stores to the store",
        "kvprof merge FILE... [options]",
        "kvprof merge --db all.db monday.db tuesday.db\n"},
    Verb{
        "sql",
        "read the store with a statement of SQL",
        "kvprof sql STATEMENT [options]",
        "kvprof sql \"SELECT label, state FROM experiment\"\n"
        "kvprof sql \"SELECT * FROM run\" --format csv -o runs.csv\n"},
    Verb{
        "schema",
        "print the JSON schema of a document, or the tables of the store",
        "kvprof schema [NAME] [options]",
        "kvprof schema\n"
        "kvprof schema comparison\n"
        "kvprof schema tables\n"},
    Verb{
        "doctor",
        "say what this machine can measure, and what is missing",
        "kvprof doctor [options]",
        "kvprof doctor\n"
        "kvprof doctor --require-gpu && kvprof run --executor cuda\n"},
    Verb{
        "completion",
        "print what lets a shell complete commands",
        "kvprof completion bash|zsh|fish",
        "kvprof completion bash > ~/.local/share/bash-completion/completions/kvprof\n"},
    Verb{
        "man",
        "print the manual page of a verb",
        "kvprof man [VERB]",
        "kvprof man run | man -l -\n"},
    Verb{
        "help",
        "show help on a verb, or the exit codes",
        "kvprof help [VERB | exit-codes]",
        "kvprof help run\n"
        "kvprof help exit-codes\n"}};

} // namespace kvprof::cli

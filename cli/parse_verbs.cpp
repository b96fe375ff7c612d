#include "cli/parse_command_line.h"

namespace kvprof::cli {

CommandLine::CommandLine() {
    app_.allow_extras();
    app_.require_subcommand(0, 1);
    // So that a script can add to a list of options that it was given.
    app_.option_defaults()->multi_option_policy(CLI::MultiOptionPolicy::TakeLast);
    app_.set_help_flag("-h,--help", "show this help");
    app_.add_flag("--version", shows_version_, "print the version; with --json, of every part");
    app_.add_flag("--json", common_.is_json, "--version as JSON");
    add_measuring_verbs();
    add_proving_verbs();
    add_judging_verbs();
    add_store_verbs();
    add_report_verbs();
    add_exchange_verbs();
    add_other_verbs();
}

CLI::App& CommandLine::add_verb(const char* name) {
    CLI::App& verb = *app_.add_subcommand(name);
    verb.allow_extras();
    verb.set_help_flag(); // added again by CommonTexts, so that it stands with the common flags
    return verb;
}

void CommandLine::add_measuring_verbs() {
    CLI::App& run = add_verb("run");
    run_.add_step_to(run);
    run_.add_cells_to(run);
    run_.add_matrix_to(run);
    run_.add_ab_to(run);
    run_.add_dry_run_to(run);
    judge_.add_to(run);

    CLI::App& matrix = add_verb("matrix");
    run_.add_step_to(matrix);
    run_.add_systems_to(matrix);
    run_.add_dry_run_to(matrix);
    common_.add_progress_to(matrix);
    common_.add_to(matrix);

    CLI::App& tune = add_verb("tune");
    tune.add_option("OP", references_, "whose launch choices are tried")
        ->type_name("token-stream|page-table")
        ->take_all();
    tune_.add_to(tune);
    run_.add_step_to(tune);
    run_.add_repeats_to(tune);
    run_.add_dry_run_to(tune);
    run_.add_memory_to(tune, "Experiment");
    run_.add_resume_to(tune, "Experiment");
    common_.add_progress_to(tune);
    common_.add_to(tune);

    add_sweep_verb();

    CLI::App& gate = add_verb("gate");
    gate.add_option("REF", references_, "a stored A/B experiment, or the candidate of --baseline")
        ->take_all();
    run_.add_step_to(gate);
    run_.add_cells_to(gate);
    run_.add_ab_to(gate);
    run_.add_dry_run_to(gate);
    judge_.add_to(gate);
    const std::string group = "Judging";
    gate.add_option("--baseline", baseline_, "judge stored runs against this baseline")
        ->type_name("NAME")
        ->group(group);
    gate.add_flag("--confirm", confirms_, "measure a regression once more; fail if both agree")
        ->group(group);
    gate.add_option("--on-inconclusive", on_inconclusive_, "what an undecided row does")
        ->type_name("fail|warn|pass")
        ->group(group);
    gate.add_flag(
            "--allow-single-layout",
            allows_single_layout_,
            "judge times of runs that shared a process"
    )
        ->group(group);

    for (CLI::App* verb : {&run, &gate}) {
        common_.add_progress_to(*verb);
        common_.add_to(*verb);
    }
}

void CommandLine::add_sweep_verb() {
    CLI::App& sweep = add_verb("sweep");
    run_.add_step_to(sweep);
    run_.add_axes_to(sweep);
    run_.add_repeats_to(sweep);
    run_.add_dry_run_to(sweep);
    common_.add_progress_to(sweep);
    common_.add_to(sweep);
}

void CommandLine::add_proving_verbs() {
    CLI::App& calibrate = add_verb("calibrate");
    run_.add_step_to(calibrate);
    run_.add_number_to(calibrate);
    run_.add_dry_run_to(calibrate);
    judge_.add_policy_to(calibrate);

    CLI::App& selftest = add_verb("selftest");
    selftest
        .add_option("--inject", injected_, "delays to find, in percent of the step; 0%: both alike")
        ->type_name("X%,Y%")
        ->default_str("0%,2%")
        ->group("Experiment");
    selftest.add_option("--gates", gates_, "gates for each injection")
        ->type_name("N")
        ->default_str("1")
        ->group("Experiment");
    run_.add_step_to(selftest);
    run_.add_runs_to(selftest);
    judge_.add_policy_to(selftest);

    for (CLI::App* verb : {&calibrate, &selftest}) {
        common_.add_progress_to(*verb);
        common_.add_to(*verb);
    }

    CLI::App& ceilings = add_verb("ceilings");
    ceilings.add_flag("--remeasure", remeasures_, "measure also where the store has some");
    ceilings.add_option("--device", device_, "the GPU to measure, from 0")
        ->type_name("N")
        ->default_str("0");
    common_.add_to(ceilings);
}

void CommandLine::add_judging_verbs() {
    CLI::App& diff = add_verb("diff");
    diff.add_option(
            "REF",
            references_,
            "the base, then the candidate; one A/B experiment; with --by, one matrix"
    )
        ->take_all();
    diff.add_option("--by", by_, "pair the cells of a matrix that differ in this field alone")
        ->type_name("FIELD");
    diff.add_flag("--exit-code", sets_exit_code_, "exit 1 when a judged metric changed");
    judge_.add_to(diff);
    common_.add_table_to(diff);
    common_.add_to(diff);

    CLI::App& baseline = add_verb("baseline");
    baseline.add_option("ACTION", references_, "set NAME REF..., ls, or rm NAME")->take_all();
    baseline.add_option("--reason", reason_, "why these runs are the base, with set")
        ->type_name("TEXT");
    baseline.add_option("--author", author_, "who says so, with set (default: $USER)")
        ->type_name("TEXT");
    baseline.add_flag("--add", adds_, "add to the runs that the baseline has, with set");
    common_.add_quiet_to(baseline);
    common_.add_to(baseline);
}

void CommandLine::add_store_verbs() {
    CLI::App& list = add_verb("ls");
    list.add_option("--limit", limit_, "newest experiments to list; 0: all")
        ->type_name("N")
        ->default_str("0");
    common_.add_to(list);

    CLI::App& show = add_verb("show");
    show.add_option("REF", references_, "what to show: @latest, an id, a label, REF/FIELD=VALUE")
        ->take_all();
    show.add_flag("--steps", shows_steps_, "every step alone, nothing cut off");
    show.add_flag("--kernels", shows_kernels_, "every kernel alone, by full name");
    common_.add_table_to(show);
    common_.add_to(show);

    CLI::App& remove = add_verb("rm");
    remove.add_option("REF", references_, "what to remove: whole experiments, or runs of them")
        ->take_all();
    common_.add_quiet_to(remove);
    common_.add_to(remove);

    CLI::App& tag = add_verb("tag");
    tag.add_option("NAME", references_, "the name, then what it names (default: @latest)")
        ->take_all();
    tag.add_flag("--delete", deletes_, "remove the name; its runs stay");
    common_.add_to(tag);
}

void CommandLine::add_report_verbs() {
    const auto add_subject = [this](CLI::App& verb, bool has_claims) {
        verb.add_option("--by", by_, "pair the cells of a matrix that differ in this field alone")
            ->type_name("FIELD");
        if (has_claims) {
            verb.add_option("--claims", claims_, "answer these claims first")->type_name("FILE");
        }
    };
    CLI::App& report = add_verb("report");
    report
        .add_option(
            "REF", references_, "what to report on, or base and candidate (default: @latest)"
        )
        ->take_all();
    add_subject(report, true);
    report.add_flag("--runs", is_listing_, "the runs as they are, also of an A/B experiment");
    report.add_option("--step", step_, "the kept step that the timeline shows, from 0")
        ->type_name("N")
        ->default_str("of median length");
    report.add_flag("--attach", attaches_, "write the runs beside -o FILE, for kvprof verify");
    judge_.add_to(report);
    common_.add_table_to(report);
    common_.add_to(report);

    CLI::App& claims = add_verb("claims");
    claims.add_option("ACTION", references_, "check FILE [REF [REF]] (default: @latest)")
        ->take_all();
    add_subject(claims, false);
    judge_.add_to(claims);
    common_.add_to(claims);

    CLI::App& verify = add_verb("verify");
    verify
        .add_option(
            "FILE", references_, "the report, then its runs where it does not name them itself"
        )
        ->take_all();
    add_subject(verify, true);
    verify.add_option("--as", as_, "the form of a report that is made again from REF")
        ->type_name(joined(forms_of("show"), "|"));
    verify.add_flag("--runs", is_listing_, "REF was reported with --runs");
    judge_.add_to(verify);
    common_.add_table_to(verify);
    common_.add_to(verify);
}

void CommandLine::add_exchange_verbs() {
    CLI::App& exports = add_verb("export");
    exports.add_option("REF", references_, "the runs: @latest, an id, a label, REF/FIELD=VALUE")
        ->take_all();
    exports.add_flag("--no-events", lacks_events_, "leave timelines out of a bundle");
    exports.add_flag("--no-calibrations", lacks_calibrations_, "and calibrations");
    common_.add_quiet_to(exports);
    common_.add_table_to(exports);
    common_.add_to(exports);

    CLI::App& imports = add_verb("import");
    imports.add_option("FILE", references_, "profiles of torch or nsys, or bundles")->take_all();
    import_.add_to(imports);
    common_.add_quiet_to(imports);
    common_.add_place_to(imports);

    CLI::App& merge = add_verb("merge");
    merge.add_option("FILE", references_, "stores or bundles whose runs to add")->take_all();
    common_.add_quiet_to(merge);
    common_.add_place_to(merge);

    CLI::App& sql = add_verb("sql");
    sql.add_option("STATEMENT", references_, "one SQL statement that reads")->take_all();
    common_.add_to(sql);

    CLI::App& schema = add_verb("schema");
    schema.add_option("NAME", references_, "a JSON document, or tables (default: list them)")
        ->take_all();
    common_.add_output_to(schema);
}

void CommandLine::add_other_verbs() {
    CLI::App& doctor = add_verb("doctor");
    doctor.add_flag("--require-gpu", requires_gpu_, "exit 5 when there is no GPU");
    common_.add_to(doctor);

    CLI::App& completion = add_verb("completion");
    completion.add_option("SHELL", references_, "the shell that reads the script")
        ->type_name("bash|zsh|fish")
        ->take_all();
    CLI::App& man = add_verb("man");
    man.add_option("VERB", references_, "a verb (default: the program)")->take_all();
    for (CLI::App* verb : {&completion, &man}) {
        verb->set_help_flag("-h,--help", "show this help")->group("Common");
    }
    CLI::App& complete = add_verb("_complete");
    complete.add_option("WHAT", references_)->take_all();
    complete.add_option("--db", common_.db);

    CLI::App& help = add_verb("help");
    help.add_option("TOPIC", references_, "a verb, or exit-codes")->take_all();
    help.set_help_flag("-h,--help", "show this help")->group("Common");

    CLI::App& measure = add_verb("_measure");
    measure.add_option("--spec", spec_);
    measure.add_option("--out", out_);
}

} // namespace kvprof::cli

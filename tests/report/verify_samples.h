#pragma once

#include "report/recipe.h"

#include <string>

// Small reports, written by hand, for the tests of `kvprof verify`.

namespace kvprof::report::verify_samples {

inline Recipe recipe_of(Format format) {
    Recipe recipe;
    recipe.format = format;
    recipe.sides = {{"@latest", "11111111111111111111111111111111", {}}};
    recipe.day = "2026-11-29";
    return recipe;
}

inline std::string markdown_sample() {
    return "<!-- kvprof-begin -->\n"
           "### index-mode: rectangle -> stream\n\n"
           "**Verdict: improved.** kvprof 0.1.0\n\n"
           "| Metric | A | B | Change | Verdict |\n"
           "|---|--:|--:|--:|---|\n"
           "| `step.gpu_time` | 3.586 ms | 3.575 ms | -0.32 % [-0.38, -0.24] | same |\n"
           "| `step.launches` | 27 | 26 | -1 | improved |\n\n"
           "<!-- kvprof-report "
           + recipe_json(recipe_of(Format::markdown)) + " -->\n";
}

inline std::string text_sample() {
    return "index-mode: rectangle -> stream\n"
           "verdict: improved\n\n"
           "primary\n"
           "  metric             base       candidate  change   verdict\n"
           "  step.gpu_time      3.586 ms    3.575 ms  -0.32 %  same\n"
           "  graph memory       2.00 GiB    1.00 GiB  -1 GiB   improved\n"
           "  step.launches            27          26           improved\n\n"
           "not measured\n"
           "  TP over 1\n";
}

inline std::string csv_sample() {
    return "cell,metric,unit,base_median,candidate_median,verdict\r\n"
           "batch=8,step.gpu_time,ns,3586000,3575000,same\r\n"
           "batch=8,\"a \"\"b\"\", c\",count,27,26,improved\r\n";
}

inline const std::string kJson =
    R"({"schema": "kvprof.comparison/1", "report": {"tool": {"name": "kvprof", "version": "0.1.0"}},)"
    R"( "metrics": [{"id": "step.gpu_time", "p": 0.30000000000000004, "n": 8},)"
    R"( {"id": "step.launches", "p": null, "n": 18446744073709551615}]})";

inline const std::string kJunit = R"(<?xml version="1.0" encoding="UTF-8"?>
<testsuites name="kvprof" tests="2"><testsuite name="batch=8" tests="2" time="1.5">
  <properties><property name="kvprof.version" value="0.1.0"/></properties>
  <testcase name="step_time" time="1.25"><failure type="regressed">+1.49 % &gt; 1 %</failure></testcase>
  <testcase name="launches" time="0.25"/>
</testsuite></testsuites>
)";

} // namespace kvprof::report::verify_samples

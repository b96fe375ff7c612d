#include "analyzers/metrics_of.h"
#include "report/clean_text.h"
#include "report/judged.h"
#include "report/metric_families.h"
#include "report/renderers.h"
#include "report/series.h"
#include "stats/median.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <string_view>
#include <utility>

namespace kvprof::report {

namespace {

using analyzers::MetricDef;
using Labels = std::vector<std::pair<std::string_view, std::string>>;

/// A metric of one series: one value a run that has it.
struct Values {
    const MetricDef* metric = nullptr;
    std::vector<double> runs;
};

/// Samples under one name, which have to stand together.
struct Family {
    std::string_view unit;
    std::string_view help;
    std::vector<std::string> samples;
};

/// In the order of their appearance in a text.
class Exposition {
  public:
    void add(const std::string& name, std::string_view unit, std::string_view help) {
        if (families_.emplace(name, Family{unit, help, {}}).second) {
            order_.push_back(name);
        }
    }

    /// @pre the family was added
    void sample(const std::string& name, const Labels& labels, double value) {
        std::string line = name;
        std::string_view before = "{";
        for (const auto& [label, text] : labels) {
            if (!text.empty()) { // an empty label is one that is not there
                line += fmt::format("{}{}=\"{}\"", before, label, escaped(text));
                before = ",";
            }
        }
        std::string copy;
        for (int i = 2; !known_.insert(line + copy).second; ++i) { // names alike but for bad bytes
            copy = fmt::format("{}copy=\"{}\"", before, i);
        }
        line += copy + (before == "{" && copy.empty() ? "" : "}");
        families_.at(name).samples.push_back(fmt::format("{} {}\n", line, value));
    }

    [[nodiscard]] std::string text() const {
        std::string all;
        for (const std::string& name : order_) {
            const Family& family = families_.at(name);
            all += fmt::format("# TYPE {} gauge\n", name);
            all += family.unit.empty() ? "" : fmt::format("# UNIT {} {}\n", name, family.unit);
            all += fmt::format("# HELP {} {}\n", name, escaped(family.help));
            for (const std::string& sample : family.samples) {
                all += sample;
            }
        }
        return all + "# EOF\n";
    }

  private:
    /// The three characters that the format escapes; a return would end the line for some readers.
    static std::string escaped(std::string_view text) {
        std::string out;
        for (const char letter : xml_text(text)) {
            switch (letter) {
            case '\\': out += "\\\\"; break;
            case '"': out += "\\\""; break;
            case '\n':
            case '\r': out += "\\n"; break;
            default: out += letter;
            }
        }
        return out;
    }

    std::set<std::string> known_;
    std::vector<std::string> order_;
    std::map<std::string, Family> families_;
};

/// The metrics of a series under their ids, in the catalogue's order.
std::vector<std::pair<std::string, Values>> metrics_of(const Series& series) {
    std::vector<std::pair<std::string, Values>> list;
    for (const Run* run : series.runs) {
        for (const analyzers::Series& one : analyzers::metrics_of(*run)) {
            const auto known = std::find_if(list.begin(), list.end(), [&](const auto& entry) {
                return entry.first == one.id && entry.second.metric == one.metric;
            });
            Values& values = known != list.end()
                                 ? known->second
                                 : list.emplace_back(one.id, Values{one.metric, {}}).second;
            values.runs.push_back(stats::median(one.values));
        }
    }
    return list;
}

/// Least, median and greatest of the runs; of an exact metric one value, unless its runs disagree.
void add_samples(
    Exposition& all, const FamilyName& name, const Labels& where, const Values& values
) {
    const auto summary = analyzers::summarise(values.runs);
    const auto add = [&](const std::string& stat, double value) {
        Labels labels = where;
        labels.emplace_back(name.label, name.value);
        labels.emplace_back("stat", stat);
        all.sample(name.family, labels, in_base_unit(values.metric->unit, value));
    };
    if (values.metric->kind == analyzers::MetricKind::exact && summary->min == summary->max) {
        add("", summary->median);
        return;
    }
    add("median", summary->median);
    add("min", summary->min);
    add("max", summary->max);
}

Labels labels_of(const Series& series) {
    return {{"case", series.cell}, {"side", series.side}};
}

void add_metrics(Exposition& all, const std::vector<Series>& list) {
    struct Row {
        const Series* series = nullptr;
        std::string id;
        Values values;
    };

    std::vector<Row> rows;
    for (const Series& series : list) {
        for (auto& [id, values] : metrics_of(series)) {
            rows.push_back({&series, id, std::move(values)});
        }
    }
    std::stable_sort(rows.begin(), rows.end(), [](const Row& a, const Row& b) {
        return a.values.metric < b.values.metric; // the catalogue's order
    });
    for (const Row& row : rows) {
        const FamilyName name = family_of(row.id, *row.values.metric);
        all.add(name.family, name.unit, row.values.metric->doc);
        add_samples(all, name, labels_of(*row.series), row.values);
    }
}

void add_verdicts(Exposition& all, const Report& report, const Judged& judged) {
    const std::string name = "kvprof_verdict";
    const analyzers::GateResult& gate = judged.gate;
    const std::vector<std::string> cells = case_names(judged);
    all.add(name, {}, "1 for the verdict of each judged metric; without a metric, of the whole");
    const Answer answer = answer_of(report, judged);
    all.sample(name, {{"verdict", std::string(to_string(answer.verdict))}}, 1.0);
    for (const analyzers::GatedRow& row : gate.rows) {
        const analyzers::Comparison& one = gate.cases[row.case_index];
        Labels labels{{"case", cells[row.case_index]}};
        std::optional<analyzers::Verdict> verdict;
        if (row.is_kernel) {
            const analyzers::KernelDelta& kernel = one.kernels[row.row_index];
            labels.emplace_back("metric", "kernels");
            labels.emplace_back("kernel", kernel.name);
            labels.emplace_back("op", op_words(kernel.op));
            labels.emplace_back("placement", kernel.op ? to_string(kernel.placement) : "");
            verdict = kernel.verdict;
        } else {
            labels.emplace_back("metric", row.name);
            labels.emplace_back("id", one.deltas[row.row_index].id);
            verdict = one.deltas[row.row_index].verdict;
        }
        labels.emplace_back(
            "verdict", to_string(verdict.value_or(analyzers::Verdict::inconclusive))
        );
        labels.emplace_back("accepted_until", row.accepted ? row.accepted->until : "");
        all.sample(name, labels, 1.0);
    }
    all.add("kvprof_exit_code", {}, "what the comparison answers its caller");
    all.sample("kvprof_exit_code", {}, static_cast<double>(answer.code));
}

} // namespace

std::string openmetrics_text(const Report& report) {
    Exposition all;
    const std::vector<Series> list = series_of(report);
    // A gauge and no info: collectors that read the older text format know no other types.
    all.add("kvprof_report_info", {}, "1, with what the report is and which program wrote it");
    all.sample(
        "kvprof_report_info",
        {{"report", report_id(report.recipe)}, {"version", report.tool.version}},
        1.0
    );
    all.add("kvprof_runs", {}, "complete runs");
    for (const Series& series : list) {
        all.sample("kvprof_runs", labels_of(series), static_cast<double>(series.runs.size()));
    }
    add_metrics(all, list);
    if (const auto* const judged = std::get_if<Judged>(&report.subject)) {
        add_verdicts(all, report, *judged);
    }
    return all.text();
}

} // namespace kvprof::report

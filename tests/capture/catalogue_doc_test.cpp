#include "capture/model/params.h"
#include "capture/workload/backend.h"
#include "capture/workload/plan_ops.h"
#include "tests/workload/step_rig.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <set>
#include <string>
#include <vector>

namespace {

using namespace kvprof;
using test::small_step;
using test::StepRig;
using Cells = std::vector<std::string>;

std::string trimmed(const std::string& text) {
    const std::size_t start = text.find_first_not_of(' ');
    return start == std::string::npos ? std::string()
                                      : text.substr(start, text.find_last_not_of(' ') + 1 - start);
}

/// The rows of the table in one section of a page of docs, without its head.
std::vector<Cells> table_under(const std::string& page, const std::string& title) {
    std::ifstream file(std::filesystem::path(KVPROF_TESTS_DIR) / ".." / "docs" / page);
    std::vector<Cells> rows;
    bool is_inside = false;
    for (std::string line; std::getline(file, line);) {
        is_inside = line.starts_with("## ") ? line == "## " + title : is_inside;
        if (!is_inside || !line.starts_with("| ")) {
            continue;
        }
        Cells cells;
        for (std::size_t at = 1; at < line.size(); at = line.find('|', at) + 1) {
            cells.push_back(trimmed(line.substr(at, line.find('|', at) - at)));
        }
        rows.push_back(cells);
    }
    rows.erase(rows.begin());
    return rows;
}

/// "fa-metadata, static pool, page size 16" of the catalogue.
struct Row {
    explicit Row(const std::string& text)
        : op(text.substr(0, text.find(','))),
          is_static(text.find(", static pool") != std::string::npos || op.starts_with("static")) {
        const std::string size = ", page size ";
        if (const std::size_t at = text.find(size); at != std::string::npos) {
            page_size = std::stoll(text.substr(at + size.size()));
        }
    }

    std::string op;
    bool is_static = false;
    std::int64_t page_size = 1;
};

std::int64_t launches(const Row& row, LaunchForm form) {
    StepSpec spec = small_step();
    spec.alloc = form;
    spec.write = form;
    spec.table = row.op == "page-table" ? form : LaunchForm::fused;
    spec.indptr = form;
    spec.metadata = form == LaunchForm::eager ? MetadataForm::eager : MetadataForm::fused;
    spec.page_size = row.page_size;
    spec.dcp = row.op == "write-loc-dcp" || row.op == "dcp-stream" ? 2 : 1;
    spec.compact_pages = row.op == "compaction-move" ? 2 : 0;
    spec.preset = row.op == "swa-write-loc" ? "tiny-swa" : "tiny-mla";
    spec.pool_tokens = 1024;
    spec.pool = row.is_static ? PoolKind::statik : PoolKind::unified;
    MeasureSpec how;
    how.op = row.op;
    how.op_launches = 1;
    OpKind kind{};
    parse_field("op", row.op, kind);
    return StepRig(spec, how).launches(kind);
}

TEST(CatalogueDoc, SaysWhatEachOpLaunches) {
    const std::vector<Cells> rows = table_under("metrics.md", "Launches of an op");
    EXPECT_GE(rows.size(), 24U);
    for (const Cells& cells : rows) {
        const Row row(cells[0]);
        EXPECT_EQ(launches(row, LaunchForm::eager), std::stoll(cells[1])) << cells[0];
        EXPECT_EQ(launches(row, LaunchForm::fused), std::stoll(cells[2])) << cells[0];
    }
}

TEST(CatalogueDoc, HasARowForEachOpThatRunsAlone) {
    std::set<std::string> documented;
    for (const Cells& cells : table_under("metrics.md", "Launches of an op")) {
        documented.insert(Row(cells[0]).op);
    }
    for (const auto& [op, name] : EnumNames<OpKind>::values) {
        EXPECT_EQ(documented.contains(std::string(name)), workload::can_run_alone(op)) << name;
    }
}

/// "fa3: block_table = 4*B*P (swa)" of each row, in order.
std::vector<std::string> documented_buffers() {
    std::vector<std::string> buffers;
    for (const Cells& row : table_under("backends.md", "Capture buffers")) {
        buffers.push_back(row[0] + ": " + row[1] + " = " + row[2] + " (" + row[3] + ")");
    }
    return buffers;
}

TEST(BackendsDoc, ListsEachCaptureBufferAsTheFilesHaveIt) {
    std::vector<std::string> buffers;
    for (const workload::Backend& backend : workload::built_in_backends()) {
        if (!backend.family.empty()) {
            continue; // the family's rows are theirs
        }
        for (const workload::CaptureBuffer& buffer : backend.buffers) {
            std::string when;
            for (const workload::BufferCondition condition : buffer.when) {
                when += (when.empty() ? "" : ", ") + std::string(to_string(condition));
            }
            buffers.push_back(
                backend.name + ": " + buffer.name + " = " + buffer.bytes.text + " (" + when + ")"
            );
        }
    }
    EXPECT_EQ(documented_buffers(), buffers);
}

} // namespace

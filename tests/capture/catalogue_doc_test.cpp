#include "capture/model/params.h"
#include "tests/workload/step_rig.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>
#include <optional>
#include <regex>
#include <set>
#include <string>
#include <tuple>
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

/// The rows of the table in one section of docs/metrics.md, without its head.
std::vector<Cells> table_under(const std::string& title) {
    std::ifstream file(std::filesystem::path(KVPROF_TESTS_DIR) / ".." / "docs" / "metrics.md");
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

std::int64_t launches(const std::string& op, LaunchForm form, std::int64_t page_size) {
    StepSpec spec = small_step();
    spec.alloc = form;
    spec.write = form;
    spec.table = op == "page-table" ? form : LaunchForm::fused;
    spec.indptr = form;
    spec.page_size = page_size;
    spec.dcp = op == "write-loc-dcp" ? 2 : 1;
    spec.pool_tokens = 1024;
    spec.pool = op.starts_with("static") ? PoolKind::statik : PoolKind::unified;
    MeasureSpec how;
    how.op = op;
    how.op_launches = 1;
    OpKind kind{};
    parse_field("op", op, kind);
    return StepRig(spec, how).launches(kind);
}

TEST(CatalogueDoc, SaysWhatEachOpLaunches) {
    const std::vector<Cells> rows = table_under("Launches of an op");
    EXPECT_GE(rows.size(), 16U);
    for (const Cells& row : rows) {
        const std::string op = row[0].substr(0, row[0].find(','));
        const std::size_t number = row[0].find_last_of(' ') + 1;
        const std::int64_t page_size = row[0].find(", page size ") == std::string::npos
                                           ? 1
                                           : std::stoll(row[0].substr(number));
        EXPECT_EQ(launches(op, LaunchForm::eager, page_size), std::stoll(row[1])) << row[0];
        EXPECT_EQ(launches(op, LaunchForm::fused, page_size), std::stoll(row[2])) << row[0];
    }
}

/// "4 (B + 1) each": the product of its factors; nothing for a buffer of another group.
std::optional<std::int64_t>
value_of(const std::string& cell, const std::map<std::string, std::int64_t>& symbols) {
    const std::string formula = cell.substr(0, cell.find(':'));
    static const std::regex kFactor(R"(\((\w+) \+ 1\)|(\w+))");
    std::optional<std::int64_t> product;
    for (auto it = std::sregex_iterator(formula.begin(), formula.end(), kFactor);
         it != std::sregex_iterator();
         ++it) {
        const bool is_sum = (*it)[1].matched;
        const std::string word = is_sum ? (*it)[1] : (*it)[2];
        const bool is_number = word.find_first_not_of("0123456789") == std::string::npos;
        if (!is_number && !symbols.contains(word)) {
            continue; // "each", "(inputs)"
        }
        const std::int64_t factor = is_number ? std::stoll(word) : symbols.at(word);
        product = product.value_or(1) * (factor + (is_sum ? 1 : 0));
    }
    return product;
}

/// Bytes of each buffer in the group `graph`, as the page says.
std::map<std::string, std::int64_t> documented(const workload::StepPlan& plan) {
    const std::map<std::string, std::int64_t> symbols{
        {"B", plan.spec.max_batch},
        {"C", plan.context},
        {"P", plan.table_width},
        {"W", plan.swa ? plan.swa->window : 0},
        {"Hq", plan.full.heads.query_heads},
        {"S", plan.splits},
        {"dv", plan.full.heads.dim_v}};
    const bool is_triton = plan.spec.attention_backend == AttentionBackend::triton;
    std::map<std::string, std::int64_t> bytes;
    for (const Cells& row : table_under("Buffers of the graph")) {
        std::string names = row[0].substr(0, row[0].find(':'));
        names = names.substr(0, names.find(", on the"));
        const auto value = value_of(row[is_triton ? 2 : 1], symbols);
        for (std::size_t at = 0; value && at < names.size();) {
            const std::size_t end = std::min(names.find(", ", at), names.size());
            bytes[names.substr(at, end - at)] = *value;
            at = end + 2;
        }
    }
    return bytes;
}

TEST(CatalogueDoc, SaysTheBytesOfEachBufferOfTheGraph) {
    std::set<std::string> seen;
    using enum AttentionBackend;
    for (const auto& [backend, pool, preset] :
         {std::tuple{flashinfer_mla, PoolKind::unified, "tiny-mla"},
          std::tuple{flashinfer_mla, PoolKind::statik, "tiny-mla"},
          std::tuple{triton, PoolKind::unified, "tiny-swa"},
          std::tuple{triton, PoolKind::statik, "tiny-gqa"}}) {
        StepSpec spec = small_step();
        spec.attention_backend = backend;
        spec.pool = pool;
        spec.preset = preset;
        spec.index_mode = IndexMode::rectangle;
        const workload::StepPlan plan = workload::plan_step(spec, {});
        const auto wanted = documented(plan);
        for (const workload::BufferSpec& buffer : plan.buffers) {
            if (buffer.group == workload::LedgerGroup::graph) {
                ASSERT_TRUE(wanted.contains(buffer.name)) << buffer.name;
                EXPECT_EQ(buffer.bytes(), wanted.at(buffer.name)) << buffer.name;
                seen.insert(buffer.name);
            }
        }
    }
    EXPECT_EQ(seen.size(), 14U);
}

} // namespace

#include "report/clean_text.h"
#include "report/junit_suites.h"
#include "report/renderers.h"

#include <fmt/format.h>
#include <pugixml.hpp>

#include <algorithm>
#include <cstddef>
#include <sstream>
#include <utility>

namespace kvprof::report {

namespace {

void set(pugi::xml_node node, const char* name, const std::string& value) {
    node.append_attribute(name).set_value(xml_text(value).c_str());
}

void add_text(pugi::xml_node node, const char* name, const std::string& text) {
    node.append_child(name).text().set(xml_text(text).c_str());
}

std::string seconds_text(double seconds) {
    return fmt::format("{:.3f}", seconds);
}

std::size_t count_of(const JunitSuite& suite, Outcome outcome) {
    return static_cast<std::size_t>(std::count_if(
        suite.tests.begin(),
        suite.tests.end(),
        [outcome](const JunitTest& test) { return test.outcome == outcome; }
    ));
}

/// tests, failures, errors, skipped, time: of a suite, and of all of them.
void set_counts(pugi::xml_node node, const std::vector<const JunitSuite*>& suites) {
    std::size_t tests = 0;
    double seconds = 0.0;
    for (const JunitSuite* suite : suites) {
        tests += suite->tests.size();
        seconds += suite->seconds;
    }
    set(node, "tests", std::to_string(tests));
    for (const auto& [name, outcome] :
         {std::pair{"failures", Outcome::failed},
          std::pair{"errors", Outcome::error},
          std::pair{"skipped", Outcome::skipped}}) {
        std::size_t count = 0;
        for (const JunitSuite* suite : suites) {
            count += count_of(*suite, outcome);
        }
        set(node, name, std::to_string(count));
    }
    set(node, "time", seconds_text(seconds));
}

void add_result(pugi::xml_node node, const char* name, const JunitTest& test) {
    pugi::xml_node result = node.append_child(name);
    if (test.outcome != Outcome::skipped) { // which has no type
        set(result, "type", test.type);
    }
    set(result, "message", test.message);
}

void add_test(
    pugi::xml_node parent, const std::string& suite, const JunitTest& test, double seconds
) {
    pugi::xml_node node = parent.append_child("testcase");
    set(node, "name", test.name);
    set(node, "classname", "kvprof." + suite);
    set(node, "time", seconds_text(seconds));
    switch (test.outcome) {
    case Outcome::failed: add_result(node, "failure", test); break;
    case Outcome::error: add_result(node, "error", test); break;
    case Outcome::skipped: add_result(node, "skipped", test); break;
    case Outcome::passed: break;
    }
    std::string said = test.outcome == Outcome::passed ? test.message : std::string();
    said += said.empty() || test.remark.empty() ? test.remark : "\n" + test.remark;
    if (!said.empty()) {
        add_text(node, "system-out", said);
    }
}

void add_suite(pugi::xml_node root, const JunitSuite& suite) {
    pugi::xml_node node = root.append_child("testsuite");
    set(node, "name", suite.name);
    set_counts(node, {&suite});
    if (!suite.timestamp.empty()) {
        set(node, "timestamp", suite.timestamp);
    }
    if (!suite.properties.empty()) {
        pugi::xml_node properties = node.append_child("properties");
        for (const auto& [name, value] : suite.properties) {
            pugi::xml_node property = properties.append_child("property");
            set(property, "name", name);
            set(property, "value", value);
        }
    }
    // Readers add the times of tests up, and all of a suite come from the same runs: the first one
    // has their time.
    double seconds = suite.seconds;
    for (const JunitTest& test : suite.tests) {
        add_test(node, suite.name, test, seconds);
        seconds = 0.0;
    }
}

} // namespace

std::string junit_xml(const Report& report) {
    const std::vector<JunitSuite> suites = junit_suites(report);
    pugi::xml_document document;
    pugi::xml_node declaration = document.append_child(pugi::node_declaration);
    declaration.append_attribute("version").set_value("1.0");
    declaration.append_attribute("encoding").set_value("UTF-8");
    pugi::xml_node root = document.append_child("testsuites");
    set(root, "name", "kvprof");
    std::vector<const JunitSuite*> all;
    for (const JunitSuite& suite : suites) {
        all.push_back(&suite);
    }
    set_counts(root, all);
    for (const JunitSuite& suite : suites) {
        add_suite(root, suite);
    }
    std::ostringstream out;
    document.save(out, "  ", pugi::format_default, pugi::encoding_utf8);
    return out.str();
}

} // namespace kvprof::report

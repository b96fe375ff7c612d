#include "report/verify_leaves.h"

#include <fmt/format.h>
#include <pugixml.hpp>

#include <iterator>
#include <map>
#include <utility>

namespace kvprof::report {

namespace {

/// Text before and after the root as well.
constexpr unsigned int kEverything = pugi::parse_full | pugi::parse_fragment;

/// Lines without the blanks at their ends.
std::string trimmed_lines(std::string_view text) {
    std::string lines;
    for (const char letter : text) {
        if (letter == '\n') {
            lines.erase(lines.find_last_not_of(" \t\r") + 1);
        }
        lines += letter;
    }
    lines.erase(lines.find_last_not_of(" \t\r\n") + 1);
    return lines;
}

class NodeReader {
  public:
    [[nodiscard]] Leaves take() { return std::move(leaves_); }

    /// @param where the path of the node
    void read(const pugi::xml_node& node, const std::string& where) {
        for (const pugi::xml_attribute& attribute : node.attributes()) {
            leaves_.push_back(
                {fmt::format("{}/@{}", where, attribute.name()), attribute.value(), false}
            );
        }
        const std::string text = trimmed_lines(node.value());
        if (!text.empty()) {
            leaves_.push_back({where, text, false});
        }
        const auto children = std::distance(node.begin(), node.end());
        if (children > 0) {
            leaves_.push_back({where, fmt::format("{} nodes", children), true});
        }
        std::map<std::string, int> counts;
        for (const pugi::xml_node& child : node.children()) {
            const std::string step = step_of(child);
            const int place = ++counts[step];
            read(child, where + "/" + step + (place > 1 ? fmt::format("[{}]", place) : ""));
        }
    }

  private:
    /// By its name where it has one: that of a case, of a test, of a property.
    static std::string step_of(const pugi::xml_node& node) {
        const pugi::xml_node_type type = node.type();
        if (type == pugi::node_comment) {
            return "comment()";
        }
        if (type != pugi::node_element && type != pugi::node_pi && type != pugi::node_declaration) {
            return "text()";
        }
        const pugi::xml_attribute name = node.attribute("name");
        return name ? fmt::format("{}[@name=\"{}\"]", node.name(), name.value()) : node.name();
    }

    Leaves leaves_;
};

} // namespace

std::optional<Leaves> xml_leaves(std::string_view xml) {
    pugi::xml_document document;
    if (!document.load_buffer(xml.data(), xml.size(), kEverything)) {
        return std::nullopt;
    }
    NodeReader reader;
    reader.read(document, {});
    return reader.take();
}

} // namespace kvprof::report

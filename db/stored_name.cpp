#include "db/stored_name.h"

#include "capture/model/error.h"
#include "capture/model/plain_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>

namespace kvprof::db {

namespace {

/// `kind` is "tag" or "baseline".
void require_plain(std::string_view name, std::string_view kind) {
    if (!is_plain_text(name)) {
        throw UsageError(fmt::format(
            "could not use this name as a {}: it is no UTF-8, has control characters, or is over "
            "200 bytes long",
            kind
        ));
    }
}

bool reads_as_reference(std::string_view name) {
    const bool has_space = std::any_of(name.begin(), name.end(), [](unsigned char letter) {
        return std::isspace(letter) != 0;
    });
    return name.empty() || name.front() == '@' || has_space
           || name.find_first_of(":=") != std::string_view::npos;
}

} // namespace

void require_tag_name(std::string_view name) {
    require_plain(name, "tag");
    if (name.starts_with(kBaselinePrefix)) {
        throw UsageError(
            fmt::format("could not use \"{}\" as a tag: it would read as a baseline", name),
            "choose another name, or set a baseline with: kvprof baseline set NAME REF"
        );
    }
    if (reads_as_reference(name)) {
        throw UsageError(
            fmt::format("could not use \"{}\" as a tag: it would read as a reference", name),
            "a tag has no white space, no : or =, and does not start with @"
        );
    }
}

void require_baseline_name(std::string_view name) {
    require_plain(name, "baseline");
    if (reads_as_reference(name) || name.find('/') != std::string_view::npos) {
        throw UsageError(
            fmt::format("could not use \"{}\" as a baseline: it would read as a reference", name),
            "a baseline's name has no white space, no /, : or =, and does not start with @"
        );
    }
}

} // namespace kvprof::db

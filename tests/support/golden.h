#pragma once

#include <string>
#include <string_view>

namespace kvprof::test {

/// Expects `text` to be the file tests/golden/<name>, byte for byte. With KVPROF_UPDATE_GOLDEN=1 in
/// the environment it writes the file instead.
void expect_golden(std::string_view name, const std::string& text);

} // namespace kvprof::test

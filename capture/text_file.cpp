#include "capture/text_file.h"

#include <fstream>
#include <iterator>

namespace kvprof {

std::string read_text_file(const std::string& path) {
    std::ifstream file(path);
    return {std::istreambuf_iterator<char>(file), {}};
}

} // namespace kvprof

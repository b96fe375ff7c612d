#include "capture/import/asked_steps.h"
#include "capture/import/captures.h"
#include "capture/import/inflated_file.h"
#include "capture/import/readers.h"
#include "capture/import/refused.h"

#include <fmt/format.h>

#include <string>
#include <vector>

namespace kvprof::import {

namespace {

[[noreturn]] void refuse(FileFormat format, const std::string& name) {
    if (format == FileFormat::utf16) {
        throw RefusedError(
            "utf-16",
            fmt::format("could not read {}: it is UTF-16", name),
            "write it as UTF-8: iconv -f UTF-16 -t UTF-8"
        );
    }
    if (format == FileFormat::nsys_report) {
        throw RefusedError(
            "nsys-rep",
            fmt::format("could not read {}: it is a raw report of Nsight Systems", name),
            fmt::format("export it: nsys export --type sqlite {}", name)
        );
    }
    throw RefusedError(
        "not-a-trace",
        fmt::format("could not read {}: it is no JSON, no gzip and no SQLite", name),
        "kvprof import takes torch traces (.json, .json.gz), nsys exports (.sqlite) and bundles"
    );
}

/// Many traces hold no rank, and have it in their names.
void name_rank(FileProfile& file) {
    std::vector<ProfileRank>& ranks = file.profile.ranks;
    if (ranks.size() == 1 && ranks.front().rank.empty()) {
        ranks.front().rank = rank_in(ranks.front().file);
    }
}

} // namespace

FileProfile read_profile(const std::filesystem::path& file, const ReadOptions& options) {
    ProfileBuilder builder(options);
    const FileFormat format = sniff(file);
    switch (format) {
    case FileFormat::json: read_kineto(file, options, builder); break;
    case FileFormat::sqlite: read_nsys(file, options, builder); break;
    case FileFormat::gzip:
        if (is_gzip_of_sqlite(file)) {
            read_nsys(file, options, builder);
        } else {
            read_kineto(file, options, builder);
        }
        break;
    case FileFormat::utf16:
    case FileFormat::nsys_report:
    case FileFormat::other: refuse(format, file.filename().string());
    }
    FileProfile profile = builder.finish(file.filename().string());
    name_rank(profile);
    require_asked_steps(profile, options);
    return profile;
}

} // namespace kvprof::import

#pragma once

#include "db/store.h"

#include <cstdint>

namespace kvprof::db {

/// Marks a SQLite file as a store of this program: "kvpr" in the file's header.
inline constexpr std::int64_t kApplicationId = 0x6b767072;

/// The schema that this program reads and writes: the number of files in migrations/.
[[nodiscard]] std::int64_t schema_version();

/// @throws StoreError when the file is another program's database, or another kind of file.
void refuse_foreign(Connection& connection);

/// Checks the schema and brings an older one up to date: in the file, or with OpenMode::read in a
/// copy in memory, so that the file stays as it is. OpenMode::create makes it in an empty file.
/// @throws StoreError when the store is newer than this program (with both versions) or is empty.
void prepare_schema(Connection& connection, OpenMode mode);

} // namespace kvprof::db

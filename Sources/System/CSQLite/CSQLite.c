// SQLITE_TRANSIENT, which makes SQLite copy the data, is a cast that Swift does not import.

#include "CSQLite.h"

#include <stddef.h>

int csqlite_bind_bytes(sqlite3_stmt *statement, int index, const void *bytes, sqlite3_uint64 length) {
    // SQLite would bind a null pointer as NULL instead of an empty blob.
    return sqlite3_bind_blob64(statement, index, bytes == NULL ? "" : bytes, length, SQLITE_TRANSIENT);
}

int csqlite_bind_text(sqlite3_stmt *statement, int index, const char *text) {
    return sqlite3_bind_text(statement, index, text, -1, SQLITE_TRANSIENT);
}

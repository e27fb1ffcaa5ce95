// SQLite, linked from its static archive, with wrappers for calls that Swift cannot express.

#ifndef CSQLITE_H
#define CSQLITE_H

#include <sqlite3.h>

/// `sqlite3_bind_blob64` with a copy of the bytes.
int csqlite_bind_bytes(sqlite3_stmt *statement, int index, const void *bytes, sqlite3_uint64 length);
/// `sqlite3_bind_text` with a copy of the text.
int csqlite_bind_text(sqlite3_stmt *statement, int index, const char *text);

#endif

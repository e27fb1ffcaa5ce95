// SQLite, linked from its static archive, with the calls whose arguments Swift cannot write.

#ifndef CSQLITE_H
#define CSQLITE_H

#include <sqlite3.h>

/// `sqlite3_bind_blob64` of bytes that SQLite copies.
int csqlite_bind_bytes(sqlite3_stmt *statement, int index, const void *bytes, sqlite3_uint64 length);
/// `sqlite3_bind_text` of a text that SQLite copies.
int csqlite_bind_text(sqlite3_stmt *statement, int index, const char *text);

#endif

// C interface to simdjson's DOM parser. A batch packs its documents into two growing arrays, so a pointer into it is
// valid only once the batch is complete, and only while it is owned.
#ifndef CSIMDJSON_H
#define CSIMDJSON_H

#include <stddef.h>
#include <stdint.h>

#include <CField.h>

#ifdef __cplusplus
extern "C" {
#endif

/// A parser with its scratch space and spare batches. Not thread-safe.
typedef struct sj_parser sj_parser;
/// Parsed documents. Immutable once complete, so any thread may read it.
typedef struct sj_batch sj_batch;

typedef enum {
    SJ_OK = 0,
    /// Out of memory, or the input exceeds simdjson's limit (4 GiB).
    SJ_NO_MEMORY = -1,
} sj_status;

/// The type of an element. SJ_NOTHING: there is no such element.
typedef enum {
    SJ_NOTHING,
    SJ_NULL,
    SJ_FALSE,
    SJ_TRUE,
    SJ_INTEGER,
    /// An integer above the maximum of int64.
    SJ_NATURAL,
    SJ_NUMBER,
    SJ_TEXT,
    SJ_ARRAY,
    SJ_OBJECT,
} sj_kind;

typedef struct {
    sj_kind kind;
    /// The element's index in its document. A container's children are at index + 1 up to next - 1; in an object, each
    /// value is preceded by its name, a text element.
    uint32_t index;
    /// Index of the following element.
    uint32_t next;
    /// Approximate number of elements or members of a container; exact below 2^24.
    uint32_t count;
    int64_t integer;
    uint64_t natural;
    double number;
    /// Valid UTF-8, which may contain NUL.
    const char *text;
    size_t length;
} sj_value;

/// A line that is not a JSON value.
typedef struct {
    /// Line number in the input, from 0.
    uint32_t line;
    /// Offset of the line in the input, and its length without the line end.
    size_t offset;
    size_t length;
    /// simdjson's error code.
    int code;
} sj_bad_line;

/// Whether simdjson is available. The first call, or creating a parser, loads it.
int sj_is_there(void);
/// The library's file name, and the Debian package that contains it.
const char *sj_file(void);
const char *sj_package(void);

/// Returns NULL when out of memory or simdjson is missing.
sj_parser *sj_parser_create(void);
void sj_parser_free(sj_parser *parser);

/// Parses one value per line from `head` followed by `tail`; the end of the input ends the last line. Blank lines are
/// skipped and invalid ones recorded. On SJ_OK the caller owns `*batch` and must release it with `sj_batch_release`.
sj_status sj_parse_lines(
    sj_parser *parser, const uint8_t *head, size_t head_length, const uint8_t *tail, size_t tail_length,
    sj_batch **batch);

/// Parses one value. If the input is not valid, the batch is empty and has one bad line.
sj_status sj_parse_document(sj_parser *parser, const uint8_t *bytes, size_t length, sj_batch **batch);

/// Releases a batch; thread-safe. The parser may reuse its memory.
void sj_batch_release(sj_batch *batch);

/// Number of lines in the input, including blank and invalid ones.
size_t sj_batch_lines(const sj_batch *batch);
size_t sj_batch_documents(const sj_batch *batch);
/// Size of the documents in bytes.
size_t sj_batch_size(const sj_batch *batch);
/// The line of a document, from 0.
uint32_t sj_batch_line(const sj_batch *batch, size_t document);
size_t sj_batch_bad_lines(const sj_batch *batch);
sj_bad_line sj_batch_bad_line(const sj_batch *batch, size_t index);

/// The element at an index of a document; the root is at SJ_ROOT.
sj_value sj_at(const sj_batch *batch, size_t document, uint32_t index);
enum { SJ_ROOT = 1 };

/// Follows a path from an element. The path is a sequence of segments, each a `uint32_t` length, a `uint32_t` array
/// position (SJ_NO_POSITION when the segment is not a number), and the bytes of the name. If an object has a name more
/// than once, the last one counts.
sj_value sj_find(const sj_batch *batch, size_t document, uint32_t index, const uint8_t *path, size_t length);
#define SJ_NO_POSITION UINT32_MAX

/// Access to a batch for readers of scalars. Valid as long as the batch.
cfield_source sj_fields(const sj_batch *batch);

/// Whether the object at the index has duplicate names. Also returns 1 when out of memory.
int sj_has_twins(const sj_batch *batch, size_t document, uint32_t index);

/// simdjson's message for an error code; never NULL.
const char *sj_reason(int code);

#ifdef __cplusplus
}
#endif

#endif

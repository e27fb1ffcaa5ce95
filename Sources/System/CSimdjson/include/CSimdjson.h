// JSON for Swift, by simdjson's DOM parser. What is easily got wrong: a batch keeps its documents packed in two growing
// arrays, so a pointer into it is good only once the batch is filled, and only while the batch is owned.
#ifndef CSIMDJSON_H
#define CSIMDJSON_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/// Parses; owns the scratch space and the spare batches. One thread at a time.
typedef struct sj_parser sj_parser;
/// Parsed documents. Nothing changes it once it is filled, so any thread may read it.
typedef struct sj_batch sj_batch;

typedef enum {
    SJ_OK = 0,
    /// No memory, or more bytes than simdjson can take (4 GiB).
    SJ_NO_MEMORY = -1,
} sj_status;

/// What an element is. SJ_NOTHING: there is no such element.
typedef enum {
    SJ_NOTHING,
    SJ_NULL,
    SJ_FALSE,
    SJ_TRUE,
    SJ_INTEGER,
    /// A whole number above the largest int64.
    SJ_NATURAL,
    SJ_NUMBER,
    SJ_TEXT,
    SJ_ARRAY,
    SJ_OBJECT,
} sj_kind;

typedef struct {
    sj_kind kind;
    /// Where the element stands in its document. A container's children stand from index + 1 up to next - 1; in an
    /// object each name is a text element of its own before its value.
    uint32_t index;
    /// Where the element after it stands.
    uint32_t next;
    /// About how many elements or members a container has; exact below 2^24.
    uint32_t count;
    int64_t integer;
    uint64_t natural;
    double number;
    /// Valid UTF-8, which may hold NUL.
    const char *text;
    size_t length;
} sj_value;

/// A line that is no JSON value.
typedef struct {
    /// Counted from 0 in the bytes that were parsed.
    uint32_t line;
    /// Where the line begins in those bytes, and its length without the line end.
    size_t offset;
    size_t length;
    /// simdjson's code.
    int code;
} sj_bad_line;

/// Whether simdjson is there. It is opened when this or a parser is first asked for.
int sj_is_there(void);
/// The file that is opened, and the Debian package that has it.
const char *sj_file(void);
const char *sj_package(void);

/// NULL when there is no memory, or no simdjson.
sj_parser *sj_parser_create(void);
void sj_parser_free(sj_parser *parser);

/// Parses one value a line from `head` followed by `tail`; the end of the bytes ends the last line. Blank lines are
/// passed over, bad ones noted. On SJ_OK `*batch` is the caller's, to be given back with `sj_batch_release`.
sj_status sj_parse_lines(
    sj_parser *parser, const uint8_t *head, size_t head_length, const uint8_t *tail, size_t tail_length,
    sj_batch **batch);

/// Parses one value. When the bytes are no JSON value the batch is empty and has one bad line.
sj_status sj_parse_document(sj_parser *parser, const uint8_t *bytes, size_t length, sj_batch **batch);

/// Any thread. The batch may be filled again later by the parser it came from.
void sj_batch_release(sj_batch *batch);

/// How many lines the bytes had, blank and bad ones included.
size_t sj_batch_lines(const sj_batch *batch);
size_t sj_batch_documents(const sj_batch *batch);
/// Bytes that the documents take.
size_t sj_batch_size(const sj_batch *batch);
/// The line a document stood on, counted from 0.
uint32_t sj_batch_line(const sj_batch *batch, size_t document);
size_t sj_batch_bad_lines(const sj_batch *batch);
sj_bad_line sj_batch_bad_line(const sj_batch *batch, size_t index);

/// The element at an index of a document; the document itself stands at SJ_ROOT.
sj_value sj_at(const sj_batch *batch, size_t document, uint32_t index);
enum { SJ_ROOT = 1 };

/// Follows a path from an element. The path is any number of segments, each a `uint32_t` length, a `uint32_t` position
/// in an array (SJ_NO_POSITION when the segment is no number), and the bytes of the name. When an object has a name
/// more than once the last one counts.
sj_value sj_find(const sj_batch *batch, size_t document, uint32_t index, const uint8_t *path, size_t length);
#define SJ_NO_POSITION UINT32_MAX

/// Whether the object at the index has some name more than once. 1 also when there was no memory to find out.
int sj_has_twins(const sj_batch *batch, size_t document, uint32_t index);

/// simdjson's words for a code, never NULL.
const char *sj_reason(int code);

#ifdef __cplusplus
}
#endif

#endif

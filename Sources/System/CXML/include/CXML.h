// Markup as a stream of events, by libxml2, and older encodings to UTF-8, by ICU. Both are linked from their static
// archives with ICU's tables inside: nothing here opens a file, asks the network or loads a document type.

#ifndef CXML_H
#define CXML_H

#include <stddef.h>
#include <stdint.h>

/// An attribute of an element that starts. All texts are UTF-8, names end in a zero.
typedef struct {
    const char *name;
    /// NULL when the name has none.
    const char *prefix;
    /// The namespace of the prefix; NULL when it has none, or none was declared.
    const char *uri;
    const uint8_t *value;
    size_t length;
} cxml_attribute;

/// Who hears of the document. A callback that gives anything but zero ends the reading.
typedef struct {
    void *context;
    /// `namespaces` says how many the element declares.
    int (*start)(
        void *context, const char *name, const char *prefix, const char *uri, size_t namespaces,
        const cxml_attribute *attributes, size_t count, int line, int column);
    int (*end)(void *context);
    int (*text)(void *context, const uint8_t *bytes, size_t length);
} cxml_handlers;

typedef enum {
    CXML_DONE,
    /// The document is not well-formed. Only XML can be that.
    CXML_MALFORMED,
    /// A callback ended it.
    CXML_STOPPED,
    CXML_NO_MEMORY,
} cxml_status;

/// How a reading ended; line and column count from 1, in bytes, and say where it went wrong.
typedef struct {
    cxml_status status;
    int line;
    int column;
    /// In libxml2's words, without a line end.
    char message[256];
} cxml_result;

/// Reads a document in UTF-8, whatever encoding it declares. Entities that it declares are not known.
cxml_result cxml_read_xml(const uint8_t *bytes, size_t length, const cxml_handlers *handlers);

/// Reads a page in UTF-8, whatever encoding it declares, as browsers of old did: nothing in it is an error.
cxml_result cxml_read_html(const uint8_t *bytes, size_t length, const cxml_handlers *handlers);

/// Whether there is an encoding of that name.
int cxml_knows_encoding(const char *name);

/// Converts to UTF-8; bytes that mean nothing become U+FFFD. Gives memory for `cxml_free`, or NULL when the encoding is
/// unknown or there is no memory.
uint8_t *cxml_decode(const char *encoding, const uint8_t *bytes, size_t length, size_t *written);
void cxml_free(uint8_t *memory);

#endif

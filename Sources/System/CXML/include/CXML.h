// Markup parsing with libxml2 as a stream of events, and conversion of legacy encodings to UTF-8 with ICU. Both are
// linked statically, including ICU's tables. Nothing here opens a file, uses the network or loads a DTD.

#ifndef CXML_H
#define CXML_H

#include <stddef.h>
#include <stdint.h>

/// An attribute of a start tag. Texts are UTF-8; names are NUL-terminated.
typedef struct {
    const char *name;
    /// NULL when the name has no prefix.
    const char *prefix;
    /// Namespace URI of the prefix; NULL when there is no prefix or it is not declared.
    const char *uri;
    const uint8_t *value;
    size_t length;
} cxml_attribute;

/// Parser callbacks. A non-zero result stops the parser.
typedef struct {
    void *context;
    /// `namespaces` is the number of namespaces that the element declares.
    int (*start)(
        void *context, const char *name, const char *prefix, const char *uri, size_t namespaces,
        const cxml_attribute *attributes, size_t count, int line, int column);
    int (*end)(void *context);
    int (*text)(void *context, const uint8_t *bytes, size_t length);
} cxml_handlers;

typedef enum {
    CXML_DONE,
    /// The document is not well-formed. Only for XML.
    CXML_MALFORMED,
    /// A callback stopped the parser.
    CXML_STOPPED,
    CXML_NO_MEMORY,
} cxml_status;

/// The result of parsing. Line and column are the position of the error, counted from 1, in bytes.
typedef struct {
    cxml_status status;
    int line;
    int column;
    /// libxml2's error message, without a line break.
    char message[256];
} cxml_result;

/// Parses an XML document in UTF-8, ignoring any encoding declaration. Entities declared by the document are unknown.
cxml_result cxml_read_xml(const uint8_t *bytes, size_t length, const cxml_handlers *handlers);

/// Parses an HTML page in UTF-8, ignoring any encoding declaration. Uses libxml2's HTML 4 parser; malformed HTML is not
/// an error.
cxml_result cxml_read_html(const uint8_t *bytes, size_t length, const cxml_handlers *handlers);

/// Whether ICU knows the encoding.
int cxml_knows_encoding(const char *name);

/// Converts to UTF-8; invalid bytes become U+FFFD. The result must be released with `cxml_free`. Returns NULL when the
/// encoding is unknown or memory is short.
uint8_t *cxml_decode(const char *encoding, const uint8_t *bytes, size_t length, size_t *written);
void cxml_free(uint8_t *memory);

#endif

// Adapts libxml2's SAX interface to the callbacks of CXML.h. The parser's user data must not be the parser itself, or
// libxml2 stores and expands entities on its own.

#include "CXML.h"

#include <stdlib.h>
#include <string.h>

#include <libxml/HTMLparser.h>
#include <libxml/SAX2.h>
#include <libxml/parser.h>
#include <libxml/parserInternals.h>
#include <unicode/ucnv.h>
#include <unicode/udata.h>

typedef struct {
    xmlParserCtxtPtr parser;
    const cxml_handlers *handlers;
    cxml_result result;
    /// Buffer for the attributes of the current start tag, reused between elements.
    cxml_attribute *attributes;
    size_t room;
} reading;

static void stop(reading *reading, cxml_status status) {
    if (reading->result.status != CXML_DONE) return;
    reading->result.status = status;
    reading->result.line = xmlSAX2GetLineNumber(reading->parser);
    reading->result.column = xmlSAX2GetColumnNumber(reading->parser);
    xmlStopParser(reading->parser);
}

static cxml_attribute *room_for(reading *reading, size_t count) {
    if (count > reading->room) {
        cxml_attribute *grown = realloc(reading->attributes, count * 2 * sizeof(cxml_attribute));
        if (!grown) {
            stop(reading, CXML_NO_MEMORY);
            return NULL;
        }
        reading->attributes = grown;
        reading->room = count * 2;
    }
    return reading->attributes;
}

static void start(
    reading *reading, const char *name, const char *prefix, const char *uri, size_t namespaces,
    const cxml_attribute *attributes, size_t count) {
    if (reading->handlers->start(
            reading->handlers->context, name, prefix, uri, namespaces, attributes, count, xmlSAX2GetLineNumber(reading->parser),
            xmlSAX2GetColumnNumber(reading->parser)))
        stop(reading, CXML_STOPPED);
}

static void text(void *data, const xmlChar *bytes, int length) {
    reading *reading = data;
    if (reading->result.status != CXML_DONE || length <= 0) return;
    if (reading->handlers->text(reading->handlers->context, bytes, (size_t)length)) stop(reading, CXML_STOPPED);
}

static void end(reading *reading) {
    if (reading->result.status != CXML_DONE) return;
    if (reading->handlers->end(reading->handlers->context)) stop(reading, CXML_STOPPED);
}

// MARK: XML

static void xml_start(
    void *data, const xmlChar *name, const xmlChar *prefix, const xmlChar *uri, int namespaces_count,
    const xmlChar **namespaces, int count, int defaulted, const xmlChar **raw) {
    (void)namespaces, (void)defaulted;
    reading *reading = data;
    if (reading->result.status != CXML_DONE) return;
    cxml_attribute *attributes = room_for(reading, (size_t)count);
    if (count && !attributes) return;
    for (int index = 0; index < count; index++, raw += 5)
        attributes[index] = (cxml_attribute){
            (const char *)raw[0], (const char *)raw[1], (const char *)raw[2], raw[3], (size_t)(raw[4] - raw[3])};
    start(reading, (const char *)name, (const char *)prefix, (const char *)uri, (size_t)namespaces_count, attributes,
        (size_t)count);
}

static void xml_end(void *data, const xmlChar *name, const xmlChar *prefix, const xmlChar *uri) {
    (void)name, (void)prefix, (void)uri;
    end(data);
}

/// Only XML's five predefined entities; entities declared by the document stay unknown.
static xmlEntityPtr entity(void *data, const xmlChar *name) {
    (void)data;
    return xmlGetPredefinedEntity(name);
}

/// The external DTD subset is never loaded, so entities that it may declare are treated as unknown.
static void document_type(void *data, const xmlChar *name, const xmlChar *public, const xmlChar *system) {
    (void)name, (void)public, (void)system;
    reading *reading = data;
    reading->parser->hasExternalSubset = 0;
    reading->parser->hasPErefs = 0;
}

static void fault(void *data, xmlErrorPtr error) {
    reading *reading = data;
    if (reading->result.status != CXML_DONE || error->level != XML_ERR_FATAL) return;
    cxml_result *result = &reading->result;
    result->status = error->code == XML_ERR_NO_MEMORY ? CXML_NO_MEMORY : CXML_MALFORMED;
    result->line = error->line;
    result->column = error->int2;
    size_t length = error->message ? strcspn(error->message, "\r\n") : 0;
    if (length >= sizeof result->message) length = sizeof result->message - 1;
    if (length) memcpy(result->message, error->message, length);
    result->message[length] = 0;
    xmlStopParser(reading->parser);
}

static xmlParserInputPtr refuse(const char *url, const char *id, xmlParserCtxtPtr parser) {
    (void)url, (void)id, (void)parser;
    return NULL;
}

/// Initializes libxml2 once per process.
static void prepare(void) {
    static int done;
    if (__atomic_load_n(&done, __ATOMIC_ACQUIRE)) return;
    xmlInitParser();
    xmlSetExternalEntityLoader(refuse);
    __atomic_store_n(&done, 1, __ATOMIC_RELEASE);
}

static const cxml_result no_memory = {.status = CXML_NO_MEMORY};

cxml_result cxml_read_xml(const uint8_t *bytes, size_t length, const cxml_handlers *handlers) {
    prepare();
    reading reading = {.handlers = handlers};
    xmlParserCtxtPtr parser = reading.parser = xmlNewParserCtxt();
    if (!parser) return no_memory;
    memset(parser->sax, 0, sizeof *parser->sax);
    parser->sax->initialized = XML_SAX2_MAGIC;
    parser->sax->startElementNs = xml_start;
    parser->sax->endElementNs = xml_end;
    parser->sax->characters = text;
    parser->sax->ignorableWhitespace = text;
    parser->sax->cdataBlock = text;
    parser->sax->getEntity = entity;
    parser->sax->externalSubset = document_type;
    parser->sax->serror = fault;
    parser->userData = &reading;
    // NOENT substitutes the entities that `entity` knows; without it, `&amp;` in an attribute would be reported as
    // "&#38;".
    xmlDocPtr document = xmlCtxtReadMemory(
        parser, (const char *)bytes, (int)length, NULL, NULL,
        XML_PARSE_NONET | XML_PARSE_IGNORE_ENC | XML_PARSE_NOENT);
    if (document) xmlFreeDoc(document);
    if (!document && parser->myDoc) xmlFreeDoc(parser->myDoc);
    parser->myDoc = NULL;
    if (reading.result.status == CXML_DONE && !parser->wellFormed) {
        reading.result.status = CXML_MALFORMED;
        strcpy(reading.result.message, "not well-formed");
    }
    xmlFreeParserCtxt(parser);
    free(reading.attributes);
    return reading.result;
}

// MARK: HTML

static void html_start(void *data, const xmlChar *name, const xmlChar **raw) {
    reading *reading = data;
    if (reading->result.status != CXML_DONE) return;
    size_t count = 0;
    while (raw && raw[count * 2]) count++;
    cxml_attribute *attributes = room_for(reading, count);
    if (count && !attributes) return;
    for (size_t index = 0; index < count; index++) {
        const xmlChar *value = raw[index * 2 + 1];
        attributes[index] = (cxml_attribute){
            .name = (const char *)raw[index * 2], .value = value ? value : (const xmlChar *)"",
            .length = value ? strlen((const char *)value) : 0};
    }
    start(reading, (const char *)name, NULL, NULL, 0, attributes, count);
}

static void html_end(void *data, const xmlChar *name) {
    (void)name;
    end(data);
}

cxml_result cxml_read_html(const uint8_t *bytes, size_t length, const cxml_handlers *handlers) {
    prepare();
    reading reading = {.handlers = handlers};
    htmlParserCtxtPtr parser = reading.parser = htmlNewParserCtxt();
    if (!parser) return no_memory;
    memset(parser->sax, 0, sizeof *parser->sax);
    parser->sax->startElement = html_start;
    parser->sax->endElement = html_end;
    parser->sax->characters = text;
    parser->sax->ignorableWhitespace = text;
    parser->sax->cdataBlock = text;
    parser->userData = &reading;
    htmlDocPtr document = htmlCtxtReadMemory(
        parser, (const char *)bytes, (int)length, NULL, "UTF-8",
        HTML_PARSE_RECOVER | HTML_PARSE_NONET | HTML_PARSE_NOERROR | HTML_PARSE_NOWARNING | HTML_PARSE_IGNORE_ENC);
    if (document) xmlFreeDoc(document);
    if (!document && parser->myDoc) xmlFreeDoc(parser->myDoc);
    parser->myDoc = NULL;
    if (reading.result.status == CXML_DONE && parser->errNo == XML_ERR_NO_MEMORY)
        reading.result.status = CXML_NO_MEMORY;
    htmlFreeParserCtxt(parser);
    free(reading.attributes);
    return reading.result;
}

// MARK: Encodings

static UConverter *converter(const char *name) {
    static int prepared;
    UErrorCode error = U_ZERO_ERROR;
    if (!__atomic_load_n(&prepared, __ATOMIC_ACQUIRE)) {
        // ICU's tables are linked in; file access would fail in the sandbox.
        udata_setFileAccess(UDATA_NO_FILES, &error);
        __atomic_store_n(&prepared, 1, __ATOMIC_RELEASE);
    }
    error = U_ZERO_ERROR;
    UConverter *converter = ucnv_open(name, &error);
    if (U_SUCCESS(error)) return converter;
    ucnv_close(converter);
    return NULL;
}

int cxml_knows_encoding(const char *name) {
    UConverter *found = converter(name);
    ucnv_close(found);
    return found != NULL;
}

uint8_t *cxml_decode(const char *encoding, const uint8_t *bytes, size_t length, size_t *written) {
    UConverter *source = converter(encoding);
    if (!source) return NULL;
    // One byte gives at most three bytes of UTF-8, except in a few encodings where it gives two characters.
    size_t room = length * 3 + 64;
    uint8_t *text = NULL;
    for (int attempt = 0; attempt < 2; attempt++) {
        uint8_t *grown = realloc(text, room);
        if (!grown) break;
        text = grown;
        UErrorCode error = U_ZERO_ERROR;
        int32_t count = ucnv_toAlgorithmic(
            UCNV_UTF8, source, (char *)text, (int32_t)room, (const char *)bytes, (int32_t)length, &error);
        if (U_SUCCESS(error)) {
            *written = (size_t)count;
            ucnv_close(source);
            return text;
        }
        if (error != U_BUFFER_OVERFLOW_ERROR || count < 0) break;
        room = (size_t)count + 1;
        ucnv_reset(source);
    }
    ucnv_close(source);
    free(text);
    return NULL;
}

void cxml_free(uint8_t *memory) {
    free(memory);
}

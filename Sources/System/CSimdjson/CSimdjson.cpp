// Wrapper of simdjson's DOM parser. simdjson's own tape takes eight bytes per input byte, so documents are copied,
// packed, into two arrays per batch. A string is at its document's base in the second array plus the offset on the
// tape. The library is not linked but loaded when the first parser is created; the header contains everything except
// two symbols, which are looked up by name.

#include "CSimdjson.h"

#include "Batch.hpp"

#include <dlfcn.h>

#include <algorithm>
#include <cstring>
#include <memory>
#include <new>
#include <string_view>
#include <vector>

#include <CLibrary.h>

// The inline code throws nothing, so it needs no error messages from the library.
#define SIMDJSON_EXCEPTIONS 0
#include <simdjson.h>

// ---- the library

namespace {

using Implementations = simdjson::internal::atomic_ptr<const simdjson::implementation>;

/// The symbols that are looked up. Their memory layout must match the header, so the file name selects the exact
/// library version (CLibrary).
struct Library {
    Implementations *active = nullptr;
    const simdjson::internal::error_code_info *errors = nullptr;

    Library() noexcept {
        void *handle = clibrary_open(CLIBRARY_SIMDJSON);
        if (!handle) return;
        using Getter = Implementations &(*)();
        auto getter = reinterpret_cast<Getter>(dlsym(handle, "_ZN8simdjson25get_active_implementationEv"));
        auto table = dlsym(handle, "_ZN8simdjson8internal11error_codesE");
        if (!getter || !table) return;
        active = &getter();
        errors = static_cast<const simdjson::internal::error_code_info *>(table);
    }

    bool isThere() const noexcept { return active != nullptr; }
};

const Library &library() noexcept {
    static const Library library;
    return library;
}

}  // namespace

namespace simdjson {

/// Called by inline code in the header, and only while a parser exists, which requires the library.
__attribute__((visibility("hidden"))) internal::atomic_ptr<const implementation> &get_active_implementation() {
    return *library().active;
}

}  // namespace simdjson

// ---- parsers and reading

struct sj_parser {
    simdjson::dom::parser parser;
    simdjson::dom::document scratch;
    Array<uint8_t> input;
    std::shared_ptr<Pool> pool;

    /// Makes room for a document of that many bytes. Capacity grows by powers of two, so that gradually longer lines do
    /// not each need new scratch space. Scratch space that is freed after use gets its exact size, because it takes 14
    /// bytes per input byte.
    simdjson::error_code reserve(size_t length) noexcept {
        if (parser.capacity() >= length && scratch.capacity() >= length) return simdjson::SUCCESS;
        size_t capacity = 4096;
        while (capacity < length) capacity *= 2;
        if (capacity > largestScratch) capacity = std::max(length, largestScratch);
        capacity = std::min(capacity, std::max(length, parser.max_capacity()));
        if (auto error = scratch.allocate(capacity)) return error;
        return parser.allocate(capacity, simdjson::DEFAULT_MAX_DEPTH);
    }

    void shrink() noexcept {
        if (parser.capacity() <= largestScratch) return;
        scratch = simdjson::dom::document();
        parser = simdjson::dom::parser();
    }

    /// Copies the input into a buffer with the padding that simdjson may read.
    bool load(const uint8_t *head, size_t headLength, const uint8_t *tail, size_t tailLength) noexcept {
        input.count = 0;
        if (!input.reserve(headLength + tailLength + simdjson::SIMDJSON_PADDING)) return false;
        if (headLength) std::memcpy(input.items, head, headLength);
        if (tailLength) std::memcpy(input.items + headLength, tail, tailLength);
        std::memset(input.items + headLength + tailLength, ' ', simdjson::SIMDJSON_PADDING);
        return true;
    }

    /// Parses bytes of `input` and appends the packed document to the batch.
    simdjson::error_code parse(sj_batch *batch, const uint8_t *bytes, size_t length, uint32_t line) noexcept {
        if (auto error = reserve(length)) return error;
        simdjson::dom::element root;
        if (auto error = parser.parse_into_document(scratch, bytes, length, false).get(root)) return error;

        const uint64_t *from = scratch.tape.get();
        const size_t words = size_t(from[0] & simdjson::internal::JSON_VALUE_MASK);
        if (!batch->tape.reserve(words)) return simdjson::MEMALLOC;
        uint64_t *to = batch->tape.items + batch->tape.count;
        size_t lastText = SIZE_MAX;
        for (size_t i = 0; i < words; i++) {
            const uint64_t word = from[i];
            to[i] = word;
            switch (char(word >> 56)) {
            case '"': lastText = size_t(word & simdjson::internal::JSON_VALUE_MASK); break;
            case 'l':
            case 'u':
            case 'd':
                i++;
                to[i] = from[i];
                break;
            default: break;
            }
        }
        size_t used = 0;
        if (lastText != SIZE_MAX) {
            uint32_t size;
            std::memcpy(&size, scratch.string_buf.get() + lastText, sizeof size);
            used = lastText + sizeof size + size;
        }
        if (!batch->strings.reserve(used)) return simdjson::MEMALLOC;
        if (!batch->documents.append({batch->tape.count, batch->strings.count, line})) return simdjson::MEMALLOC;
        if (used) std::memcpy(batch->strings.items + batch->strings.count, scratch.string_buf.get(), used);
        batch->tape.count += words;
        batch->strings.count += used;
        return simdjson::SUCCESS;
    }
};

namespace {

bool isBlank(const uint8_t *bytes, size_t length) noexcept {
    for (size_t i = 0; i < length; i++) {
        if (bytes[i] != ' ' && bytes[i] != '\t' && bytes[i] != '\r') return false;
    }
    return true;
}

sj_batch *takeBatch(sj_parser *parser) noexcept {
    sj_batch *batch = parser->pool->take();
    if (batch) batch->pool = parser->pool;
    return batch;
}

/// Access to a document's two arrays.
struct Cursor {
    const uint64_t *tape;
    const uint8_t *strings;

    Cursor(const sj_batch *batch, size_t document) noexcept
        : tape(batch->tape.items + batch->documents.items[document].tape),
          strings(batch->strings.items + batch->documents.items[document].strings) {}

    char type(uint32_t index) const noexcept { return char(tape[index] >> 56); }

    uint32_t next(uint32_t index) const noexcept {
        switch (type(index)) {
        case '[':
        case '{': return uint32_t(tape[index]);
        case 'l':
        case 'u':
        case 'd': return index + 2;
        default: return index + 1;
        }
    }

    std::string_view text(uint32_t index) const noexcept {
        const uint8_t *at = strings + (tape[index] & simdjson::internal::JSON_VALUE_MASK);
        uint32_t size;
        std::memcpy(&size, at, sizeof size);
        return {reinterpret_cast<const char *>(at + sizeof size), size};
    }

    sj_value value(uint32_t index) const noexcept {
        sj_value value{};
        value.index = index;
        value.next = next(index);
        switch (type(index)) {
        case '"': {
            value.kind = SJ_TEXT;
            const std::string_view found = text(index);
            value.text = found.data();
            value.length = found.size();
            break;
        }
        case 'l':
            value.kind = SJ_INTEGER;
            value.integer = int64_t(tape[index + 1]);
            break;
        case 'u':
            value.kind = SJ_NATURAL;
            value.natural = tape[index + 1];
            break;
        case 'd':
            value.kind = SJ_NUMBER;
            std::memcpy(&value.number, &tape[index + 1], sizeof value.number);
            break;
        case 't': value.kind = SJ_TRUE; break;
        case 'f': value.kind = SJ_FALSE; break;
        case '[':
        case '{':
            value.kind = type(index) == '[' ? SJ_ARRAY : SJ_OBJECT;
            value.count = uint32_t(tape[index] >> 32) & simdjson::internal::JSON_COUNT_MASK;
            break;
        default: value.kind = SJ_NULL; break;
        }
        return value;
    }

    /// The index of a member's value; 0 when there is none. Objects are small, so a linear scan is faster than a hash
    /// table.
    uint32_t member(uint32_t object, std::string_view name) const noexcept {
        const uint32_t end = next(object) - 1;
        uint32_t found = 0;
        for (uint32_t at = object + 1; at < end; at = next(at + 1)) {
            if (text(at) == name) found = at + 1;
        }
        return found;
    }

    uint32_t element(uint32_t array, uint32_t position) const noexcept {
        const uint32_t end = next(array) - 1;
        for (uint32_t at = array + 1; at < end; at = next(at)) {
            if (position-- == 0) return at;
        }
        return 0;
    }

    /// Follows a path in the format of `sj_find`; 0 when it leads nowhere.
    uint32_t find(uint32_t index, const uint8_t *path, size_t length) const noexcept {
        for (const uint8_t *end = path + length; path < end;) {
            uint32_t size, position;
            std::memcpy(&size, path, sizeof size);
            std::memcpy(&position, path + sizeof size, sizeof position);
            const std::string_view name(reinterpret_cast<const char *>(path + sizeof size + sizeof position), size);
            path += sizeof size + sizeof position + size;
            uint32_t found = 0;
            switch (type(index)) {
            case '{': found = member(index, name); break;
            case '[':
                if (position != SJ_NO_POSITION) found = element(index, position);
                break;
            default: break;
            }
            if (found == 0) return 0;
            index = found;
        }
        return index;
    }
};

cfield_value findField(
    const void *data, uint32_t document, uint32_t index, const uint8_t *path, size_t length) noexcept {
    const Cursor cursor(static_cast<const sj_batch *>(data), document);
    cfield_value value{};
    const uint32_t found = cursor.find(index, path, length);
    if (found == 0) return value;
    switch (cursor.type(found)) {
    case '"': {
        const std::string_view text = cursor.text(found);
        value.kind = CFIELD_TEXT;
        value.text = text.data();
        value.length = text.size();
        break;
    }
    case 'l':
        value.kind = CFIELD_INTEGER;
        value.integer = int64_t(cursor.tape[found + 1]);
        break;
    default: break;
    }
    return value;
}

bool hasTwins(const Cursor &cursor, uint32_t object) noexcept {
    const uint32_t end = cursor.next(object) - 1;
    std::string_view few[16];
    size_t count = 0;
    uint32_t at = object + 1;
    for (; at < end && count < 16; at = cursor.next(at + 1)) {
        const std::string_view name = cursor.text(at);
        for (size_t i = 0; i < count; i++) {
            if (few[i] == name) return true;
        }
        few[count++] = name;
    }
    if (at >= end) return false;
    try {
        std::vector<std::string_view> names(few, few + count);
        for (; at < end; at = cursor.next(at + 1)) names.push_back(cursor.text(at));
        std::sort(names.begin(), names.end());
        return std::adjacent_find(names.begin(), names.end()) != names.end();
    } catch (...) {
        return true;
    }
}

}  // namespace

extern "C" {

int sj_is_there(void) { return library().isThere() ? 1 : 0; }

const char *sj_file(void) { return clibrary_file(CLIBRARY_SIMDJSON); }
const char *sj_package(void) { return clibrary_package(CLIBRARY_SIMDJSON); }

sj_parser *sj_parser_create(void) {
    if (!library().isThere()) return nullptr;
    try {
        auto parser = std::make_unique<sj_parser>();
        parser->pool = std::make_shared<Pool>();
        return parser.release();
    } catch (...) {
        return nullptr;
    }
}

void sj_parser_free(sj_parser *parser) { delete parser; }

sj_status sj_parse_lines(
    sj_parser *parser, const uint8_t *head, size_t headLength, const uint8_t *tail, size_t tailLength,
    sj_batch **result) {
    if (!parser->load(head, headLength, tail, tailLength)) return SJ_NO_MEMORY;
    sj_batch *batch = takeBatch(parser);
    if (!batch) return SJ_NO_MEMORY;
    // An initial estimate: decoded text is never longer than its source, and the length prefix roughly replaces the
    // quotes.
    if (!batch->strings.reserve(headLength + tailLength) || !batch->tape.reserve((headLength + tailLength) / 8)) {
        sj_batch_release(batch);
        return SJ_NO_MEMORY;
    }
    const uint8_t *start = parser->input.items;
    const uint8_t *end = start + headLength + tailLength;
    uint32_t line = 0;
    for (const uint8_t *at = start; at < end; line++) {
        const void *found = std::memchr(at, '\n', size_t(end - at));
        const uint8_t *stop = found ? static_cast<const uint8_t *>(found) : end;
        const size_t length = size_t(stop - at);
        if (!isBlank(at, length)) {
            const auto error = parser->parse(batch, at, length, line);
            if (error && (error == simdjson::MEMALLOC ||
                          !batch->bad.append({line, size_t(at - start), length, int(error)}))) {
                sj_batch_release(batch);
                return SJ_NO_MEMORY;
            }
        }
        at = stop + 1;
    }
    batch->lines = line;
    parser->shrink();
    *result = batch;
    return SJ_OK;
}

sj_status sj_parse_document(sj_parser *parser, const uint8_t *bytes, size_t length, sj_batch **result) {
    if (!parser->load(bytes, length, nullptr, 0)) return SJ_NO_MEMORY;
    sj_batch *batch = takeBatch(parser);
    if (!batch) return SJ_NO_MEMORY;
    const auto error = parser->parse(batch, parser->input.items, length, 0);
    if (error && (error == simdjson::MEMALLOC || !batch->bad.append({0, 0, length, int(error)}))) {
        sj_batch_release(batch);
        return SJ_NO_MEMORY;
    }
    batch->lines = 1;
    parser->shrink();
    *result = batch;
    return SJ_OK;
}

void sj_batch_release(sj_batch *batch) {
    const std::shared_ptr<Pool> pool = std::move(batch->pool);
    pool->give(batch);
}

size_t sj_batch_lines(const sj_batch *batch) { return batch->lines; }
size_t sj_batch_size(const sj_batch *batch) { return batch->tape.count * sizeof(uint64_t) + batch->strings.count; }
size_t sj_batch_documents(const sj_batch *batch) { return batch->documents.count; }
uint32_t sj_batch_line(const sj_batch *batch, size_t document) { return batch->documents.items[document].line; }
size_t sj_batch_bad_lines(const sj_batch *batch) { return batch->bad.count; }
sj_bad_line sj_batch_bad_line(const sj_batch *batch, size_t index) { return batch->bad.items[index]; }

sj_value sj_at(const sj_batch *batch, size_t document, uint32_t index) {
    return Cursor(batch, document).value(index);
}

sj_value sj_find(const sj_batch *batch, size_t document, uint32_t index, const uint8_t *path, size_t length) {
    const Cursor cursor(batch, document);
    const uint32_t found = cursor.find(index, path, length);
    return found == 0 ? sj_value{} : cursor.value(found);
}

cfield_source sj_fields(const sj_batch *batch) { return {batch, findField}; }

int sj_has_twins(const sj_batch *batch, size_t document, uint32_t index) {
    return hasTwins(Cursor(batch, document), index) ? 1 : 0;
}

const char *sj_reason(int code) {
    const bool isKnown = library().isThere() && code >= 0 && code < int(simdjson::NUM_ERROR_CODES);
    return isKnown ? library().errors[code].message : "unexpected error";
}

}  // extern "C"

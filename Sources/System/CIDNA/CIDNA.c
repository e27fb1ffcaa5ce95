// Thin wrapper of ICU's IDNA functions. It only chooses options.

#include "CIDNA.h"

#include <unicode/udata.h>
#include <unicode/uidna.h>

size_t cidna_ascii(const uint8_t *name, size_t length, char *out, size_t room) {
    UErrorCode error = U_ZERO_ERROR;
    // ICU's tables are linked in; file access would fail in the sandbox.
    udata_setFileAccess(UDATA_NO_FILES, &error);
    error = U_ZERO_ERROR;
    UIDNA *idna = uidna_openUTS46(
        UIDNA_CHECK_BIDI | UIDNA_CHECK_CONTEXTJ | UIDNA_NONTRANSITIONAL_TO_ASCII, &error);
    UIDNAInfo info = UIDNA_INFO_INITIALIZER;
    int32_t written = 0;
    if (U_SUCCESS(error) && length <= 1024)
        written = uidna_nameToASCII_UTF8(idna, (const char *)name, (int32_t)length, out, (int32_t)room, &info, &error);
    uidna_close(idna);
    // As in browsers, hyphens may stand anywhere, and labels may be empty.
    const uint32_t harmless = UIDNA_ERROR_LEADING_HYPHEN | UIDNA_ERROR_TRAILING_HYPHEN | UIDNA_ERROR_HYPHEN_3_4 |
                              UIDNA_ERROR_EMPTY_LABEL;
    if (U_FAILURE(error) || (info.errors & ~harmless) || written < 0 || (size_t)written > room) return 0;
    return (size_t)written;
}

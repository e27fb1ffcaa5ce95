// Hashes of OpenSSL's libcrypto, which is loaded when the first one is asked for: most runs need none.

#ifndef CCRYPTO_H
#define CCRYPTO_H

#include <stdbool.h>
#include <stddef.h>

/// Writes the SHA-256 of the bytes, 32 bytes; false when libcrypto cannot be loaded.
bool ccrypto_sha256(const void *bytes, size_t length, unsigned char *digest);

#endif

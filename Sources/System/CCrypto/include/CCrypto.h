// SHA-256 from OpenSSL's libcrypto, which is loaded on first use because most runs do not need it.

#ifndef CCRYPTO_H
#define CCRYPTO_H

#include <stdbool.h>
#include <stddef.h>

/// Writes the SHA-256 digest, 32 bytes. Returns false when libcrypto cannot be loaded.
bool ccrypto_sha256(const void *bytes, size_t length, unsigned char *digest);

#endif

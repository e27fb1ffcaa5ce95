// Shim over ICU: international host names in ASCII.

#ifndef CIDNA_H
#define CIDNA_H

#include <stddef.h>
#include <stdint.h>

/// Writes a host name in UTF-8 as ASCII (UTS #46, non-transitional). Returns the length; 0 when the name is invalid or
/// longer than `room`.
size_t cidna_ascii(const uint8_t *name, size_t length, char *out, size_t room);

#endif

// libcrypto, loaded with dlopen. Prototypes match openssl/evp.h (OpenSSL 3).

#include "CCrypto.h"

#include <dlfcn.h>

typedef const void *(*AlgorithmFunction)(void);
typedef int (*DigestFunction)(const void *data, size_t count, unsigned char *digest, unsigned int *size, const void *type,
                              void *engine);

bool ccrypto_sha256(const void *bytes, size_t length, unsigned char *digest) {
    void *library = dlopen("libcrypto.so.3", RTLD_NOW | RTLD_LOCAL);
    if (library == NULL) return false;
    AlgorithmFunction sha256 = (AlgorithmFunction)dlsym(library, "EVP_sha256");
    DigestFunction hash = (DigestFunction)dlsym(library, "EVP_Digest");
    unsigned int size = 0;
    return sha256 != NULL && hash != NULL && hash(bytes, length, digest, &size, sha256(), NULL) == 1 && size == 32;
}

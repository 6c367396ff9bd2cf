// libcrypto, as far as hashes of other systems need it.
#ifndef CLIBCRYPTO_H
#define CLIBCRYPTO_H
#include <openssl/evp.h>
#include <openssl/hmac.h>

// Loads libcrypto. Returns NULL, or the loader's message if that fails.
const char *crypto_load_failure(void);

#endif

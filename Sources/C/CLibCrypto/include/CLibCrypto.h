// libcrypto, as far as hashes of other systems need it.
#ifndef CLIBCRYPTO_H
#define CLIBCRYPTO_H
#include <openssl/evp.h>
#include <openssl/hmac.h>

// Why libcrypto cannot be loaded, in the loader's words; NULL where it can. Loads it.
const char *crypto_load_failure(void);

#endif

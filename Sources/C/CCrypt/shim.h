#include <crypt.h>
#include <stdlib.h>
#include <string.h>

// The bytes of the structure that crypt_rn(3) needs, which has arrays too long for Swift.
static const int crypt_data_size = (int)sizeof(struct crypt_data);

// Allocates that structure, zeroed, or returns NULL. The second function frees it.
static inline void *crypt_data_new(void) { return calloc(1, sizeof(struct crypt_data)); }
static inline void crypt_data_free(void *data) { free(data); }

static inline long crypt_length(const char *text) { return (long)strlen(text); }

#include <crypt.h>
#include <stdlib.h>
#include <string.h>

// What crypt_rn(3) wants to be given, in bytes; the structure itself has arrays too long for Swift.
static const int crypt_data_size = (int)sizeof(struct crypt_data);

// As much memory, zeroed, or NULL; and its end.
static inline void *crypt_data_new(void) { return calloc(1, sizeof(struct crypt_data)); }
static inline void crypt_data_free(void *data) { free(data); }

static inline long crypt_length(const char *text) { return (long)strlen(text); }

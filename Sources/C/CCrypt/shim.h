#include <crypt.h>

// What crypt_rn(3) wants to be given, in bytes; the structure itself has arrays too long for Swift.
static const int crypt_data_size = (int)sizeof(struct crypt_data);

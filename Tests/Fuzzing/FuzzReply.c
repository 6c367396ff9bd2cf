// Random replies for pam_regd.so. None may be read beyond its end, and none without an account may admit a login.
#define _GNU_SOURCE
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "reply.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t count) {
  const struct answer answer = reply_read((const char *)bytes, count);
  if (answer.verdict == right && (!memmem(bytes, count, "\"account\"", 9) || !memmem(bytes, count, "\"id\"", 4))) abort();
  if ((answer.verdict == wrong || answer.verdict == refused) && !memmem(bytes, count, answer.reason, strlen(answer.reason))) abort();
  return 0;
}

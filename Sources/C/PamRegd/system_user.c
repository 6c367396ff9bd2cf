#define _POSIX_C_SOURCE 200809L
#include "system_user.h"

#include <errno.h>
#include <pwd.h>
#include <stdlib.h>

enum existence system_user(const char *name) {
  for (size_t size = 16384; size <= (size_t)1 << 24; size *= 2) {
    char *buffer = malloc(size);
    if (!buffer) return unclear;
    struct passwd entry, *found = NULL;
    int number;
    do {
      number = getpwnam_r(name, &entry, buffer, size, &found);
    } while (number == EINTR);
    free(buffer);
    // only 0 without an entry means absence: glibc returns another number if the last source could not be asked, or one
    // with [UNAVAIL=return] in nsswitch.conf
    if (number == 0) return found ? present : absent;
    if (number != ERANGE) return unclear;
  }
  return unclear;
}

// libunistring's own <stdint.h> renames types, so the system's headers must come first.
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <unicase.h>
#include <unilbrk.h>
#include <uninorm.h>
#include <uniwidth.h>

// UNINORM_NFC and UNINORM_NFKC are addresses of values of an incomplete type, which Swift cannot name.
static inline uint8_t *unistring_nfc(const uint8_t *text, size_t count, size_t *length) {
  return u8_normalize(UNINORM_NFC, text, count, NULL, length);
}

static inline uint8_t *unistring_nfkc_casefold(const uint8_t *text, size_t count, size_t *length) {
  return u8_casefold(text, count, NULL, UNINORM_NFKC, NULL, length);
}

static inline void unistring_free(uint8_t *text) { free(text); }

// libunistring works on buffers on the stack and does not clear them. This function overwrites that part of the stack.
__attribute__((noinline)) static void unistring_wipe_stack(void) {
  unsigned char below[32768];
  memset(below, 0, sizeof below);
  __asm__ volatile("" : : "r"(below) : "memory");  // keeps the compiler from removing the stores
}

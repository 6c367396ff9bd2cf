#include <sha1.h>
#include <string.h>

// libmd expands each block on the stack and leaves it there. This function overwrites that part of the stack.
__attribute__((noinline)) static void message_digest_wipe_stack(void) {
  unsigned char below[1024];
  memset(below, 0, sizeof below);
  __asm__ volatile("" : : "r"(below) : "memory");  // keeps the compiler from removing the stores
}

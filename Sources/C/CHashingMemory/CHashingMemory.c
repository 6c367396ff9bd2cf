#include "CHashingMemory.h"

#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer) || __has_feature(memory_sanitizer)
#define IS_BUILT 0
#else
#define IS_BUILT 1
#endif

static _Thread_local struct {
  void *start;
  size_t bytes;
  unsigned long reused;
  bool is_keeping;
  // the library has it, and has not unmapped it
  bool is_lent;
} memory;

static int unmap(void *address, size_t bytes) { return (int)syscall(SYS_munmap, address, bytes); }

#if IS_BUILT
static void *map(void *address, size_t bytes, int protection, int flags, int descriptor, off_t offset) {
  return (void *)syscall(SYS_mmap, address, bytes, protection, flags, descriptor, offset);
}

static bool is_for_a_hash(const void *address, size_t bytes, int protection, int flags, int descriptor) {
  return bytes == memory.bytes && !memory.is_lent && address == NULL && descriptor == -1 &&
         protection == (PROT_READ | PROT_WRITE) &&
         (flags & (MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED)) == (MAP_PRIVATE | MAP_ANONYMOUS);
}

void *mmap(void *address, size_t bytes, int protection, int flags, int descriptor, off_t offset) {
  if (!memory.is_keeping || !is_for_a_hash(address, bytes, protection, flags, descriptor)) {
    return map(address, bytes, protection, flags, descriptor, offset);
  }
  if (memory.start != NULL) {
    memory.reused++;
  } else {
    void *start = map(address, bytes, protection, flags, descriptor, offset);
    // the caller sees the failure, as it would without this
    if (start == MAP_FAILED) return start;
    // excludes it from core dumps, if the kernel supports that
    (void)madvise(start, bytes, MADV_DONTDUMP);
    memory.start = start;
  }
  memory.is_lent = true;
  return memory.start;
}

int munmap(void *address, size_t bytes) {
  if (!memory.is_lent || address != memory.start || bytes != memory.bytes) return unmap(address, bytes);
  // libsodium leaves its blocks as they are, because the kernel clears pages before it gives them to others. From the
  // blocks of one pass, guesses at the password could be tried at a fraction of a hash's cost
  explicit_bzero(memory.start, memory.bytes);
  memory.is_lent = false;
  return 0;
}
#endif

void hashing_memory_begin(size_t bytes) {
  if (bytes != memory.bytes) hashing_memory_release();
  memory.bytes = bytes;
  memory.is_keeping = true;
}

void hashing_memory_end(void) {
  memory.is_keeping = false;
  if (!memory.is_lent) return;
  // the library continues to use it, and owns it from here on
  memory.start = NULL;
  memory.is_lent = false;
}

void hashing_memory_release(void) {
  if (memory.start != NULL) unmap(memory.start, memory.bytes);
  memory.start = NULL;
}

struct hashing_memory hashing_memory_kept(void) {
  return (struct hashing_memory){.start = memory.start, .bytes = memory.start ? memory.bytes : 0, .reused = memory.reused};
}

bool hashing_memory_is_built(void) { return IS_BUILT; }

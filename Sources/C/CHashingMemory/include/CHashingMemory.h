// Memory for hashes that a thread keeps, instead of giving it back to the kernel after each and getting it for the next.
#pragma once
#include <stdbool.h>
#include <stddef.h>

// libsodium maps the memory of a password hash and unmaps it afterwards, each time. For 19 MiB the kernel then clears
// and maps 4864 pages: 8.2 ms in addition to the 10.3 ms of the hash itself, and more on many cores, because the cores
// of a process take turns at it (https://github.com/jedisct1/libsodium/issues/1469). libsodium takes no memory from its
// caller, and libargon2, which does, needs 21 ms for the same hash in Debian's build.
//
// For this reason, a program that links this module has its own mmap(2) and munmap(2), which replace the C library's
// for all loaded code, as a program's own malloc(3) would. They pass every call on to the kernel unchanged, except on a
// thread between hashing_memory_begin and hashing_memory_end, for a private anonymous mapping of exactly the size that
// was named there. When such a mapping is unmapped, it is kept, overwritten with zeros, and becomes the thread's next
// mapping. libsodium derives the same hashes as before, because the memory is zero, like memory from the kernel.
//
// If the dynamic loader does not find these two functions first, nothing is kept, and nothing else changes. The same
// holds under the sanitizers, which need mmap for themselves.

// From here until hashing_memory_end this thread keeps a mapping of `bytes` bytes. A kept mapping of another size is
// given back. The two calls do not nest.
void hashing_memory_begin(size_t bytes);
void hashing_memory_end(void);

// Gives this thread's kept mapping back to the kernel. Must not be called between hashing_memory_begin and
// hashing_memory_end.
void hashing_memory_release(void);

// The mapping that this thread keeps.
struct hashing_memory {
  // NULL for nothing
  const void *start;
  size_t bytes;
  // mappings since the thread's start that reused the kept one
  unsigned long reused;
};
struct hashing_memory hashing_memory_kept(void);

// Whether this build has its own mmap(2). False under the sanitizers.
bool hashing_memory_is_built(void);

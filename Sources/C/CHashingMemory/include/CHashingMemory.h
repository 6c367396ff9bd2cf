// Memory for hashes that a thread keeps, instead of giving it back to the kernel after each and getting it for the next.
#pragma once
#include <stdbool.h>
#include <stddef.h>

// libsodium maps the memory of a password hash and unmaps it afterwards, each time. For 19 MiB the kernel then clears and maps
// 4864 pages: 8.2 ms beside the 10.3 ms of the hash itself, and on many cores more, for the cores of a process take turns at
// it (https://github.com/jedisct1/libsodium/issues/1469). libsodium takes no memory from its caller, and libargon2, which does,
// needs 21 ms for the same hash where Debian builds it.
//
// So a program that this is linked into has an mmap(2) and a munmap(2) of its own, which come before the C library's for all
// that the program has loaded, as a malloc(3) of one's own would. They hand every call on to the kernel as it is, except on a
// thread between hashing_memory_begin and hashing_memory_end, for a private anonymous mapping of exactly the size that was
// named there. Such a mapping stays when it is unmapped, overwritten with zeros, and is what the thread's next one gets.
// libsodium derives what it did before, from memory that is zero as the kernel's would be.
//
// Where the dynamic loader does not find these two functions first, and under the sanitizers, which need mmap for themselves,
// nothing is kept, and nothing else changes.

// From here until hashing_memory_end this thread keeps a mapping of `bytes` bytes. One that it has kept with another size is
// given back. The two calls do not nest.
void hashing_memory_begin(size_t bytes);
void hashing_memory_end(void);

// Gives what this thread keeps back to the kernel. Not between hashing_memory_begin and hashing_memory_end.
void hashing_memory_release(void);

// What this thread keeps.
struct hashing_memory {
  // NULL for nothing
  const void *start;
  size_t bytes;
  // mappings since the thread's start that were served by what was kept
  unsigned long reused;
};
struct hashing_memory hashing_memory_kept(void);

// Whether this build has an mmap(2) of its own: false under the sanitizers.
bool hashing_memory_is_built(void);

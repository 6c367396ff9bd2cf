// What Swift's Glibc module leaves out of Linux: eventfd(2), signalfd(2), thread names, struct ucred.
#include <malloc.h>
#include <pty.h>
#include <stdint.h>
#include <sys/eventfd.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/signalfd.h>
#include <sys/syscall.h>
#include <unistd.h>

// Only with _GNU_SOURCE in <pthread.h>, and so out of a Clang module's sight; pthread_t is an unsigned long here.
extern int pthread_setname_np(unsigned long thread, const char *name);

static inline int linux_eventfd_semaphore(void) { return eventfd(0, EFD_SEMAPHORE | EFD_CLOEXEC); }

// Only with _GNU_SOURCE in <fcntl.h>; the numbers are the kernel's.
static const int linux_O_PATH = 010000000;
static const int linux_AT_EMPTY_PATH = 0x1000;

static inline int linux_gettid(void) { return (int)syscall(SYS_gettid); }

// struct ucred of unix(7), in its order; only with _GNU_SOURCE in <sys/socket.h>.
struct linux_ucred {
  int32_t pid;
  uint32_t uid;
  uint32_t gid;
};

// Bytes that the peer has not taken (SIOCOUTQ, unix(7)), with what the kernel needs to keep them; 0 where it does not say.
static inline int linux_bytes_in_send_queue(int descriptor) {
  int bytes = 0;
  return ioctl(descriptor, TIOCOUTQ, &bytes) == 0 ? bytes : 0;
}

// Linux 4.13 and later; not in every <sys/socket.h>.
static const int linux_SO_PEERGROUPS = 59;

static inline int linux_pidfd_open(int pid) { return (int)syscall(SYS_pidfd_open, pid, 0); }

// mallopt(3): blocks of that many bytes and more are the system's own, the heap's free end is given back from there on,
// and threads share two heaps.
static inline void linux_give_memory_back(int threshold) {
  mallopt(M_MMAP_THRESHOLD, threshold);
  mallopt(M_TRIM_THRESHOLD, threshold);
  mallopt(M_ARENA_MAX, 2);
}

// Takes the program's own code and constants out of this process's memory (madvise(2)). What is used again comes back from
// the page cache at the first touch; what only the start needed stays away.
static inline void linux_forget_startup_pages(void) {
  extern const char __executable_start, etext;
  const unsigned long page = (unsigned long)sysconf(_SC_PAGESIZE);
  const unsigned long start = ((unsigned long)&__executable_start + page - 1) / page * page;
  const unsigned long end = (unsigned long)&etext / page * page;
  if (end > start) madvise((void *)start, end - start, MADV_DONTNEED);
}

// memmem(3), only with _GNU_SOURCE in <string.h>.
extern void *memmem(const void *haystack, unsigned long haystack_length, const void *needle, unsigned long length);

static inline const void *linux_memmem(const void *haystack, long haystack_length, const void *needle, long length) {
  return memmem(haystack, (unsigned long)haystack_length, needle, (unsigned long)length);
}

// wcwidth(3), only with _XOPEN_SOURCE in <wchar.h>: columns on a terminal, -1 for what cannot be shown there. A wchar_t
// is an int here.
extern int wcwidth(int character);

static inline int linux_columns_of(uint32_t scalar) { return wcwidth((int)scalar); }

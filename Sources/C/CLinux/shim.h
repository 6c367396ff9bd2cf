// Parts of Linux that Swift's Glibc module leaves out: eventfd(2), signalfd(2), thread names, struct ucred.
#include <elf.h>
#include <linux/stat.h>
#include <malloc.h>
#include <pty.h>
#include <spawn.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/auxv.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/timex.h>
#include <unistd.h>

// Processors that this process may run on (sched_getaffinity(2), cpusets included), or 1 if the kernel does not report
// them.
static inline int linux_usable_processors(void) {
  unsigned long mask[1024 / sizeof(unsigned long) * 8];
  const long bytes = syscall(SYS_sched_getaffinity, 0, sizeof mask, mask);
  int count = 0;
  for (long index = 0; index < bytes / (long)sizeof *mask; index++) count += __builtin_popcountl(mask[index]);
  return count > 0 ? count : 1;
}

// <pthread.h> declares it only with _GNU_SOURCE, so a Clang module does not see it. pthread_t is an unsigned long here.
extern int pthread_setname_np(unsigned long thread, const char *name);

// glibc 2.34 and later. <spawn.h> declares it only with _DEFAULT_SOURCE.
extern int posix_spawn_file_actions_addclosefrom_np(posix_spawn_file_actions_t *actions, int from);

static inline int linux_eventfd_semaphore(void) { return eventfd(0, EFD_SEMAPHORE | EFD_CLOEXEC); }

// <fcntl.h> defines these only with _GNU_SOURCE. The numbers are the kernel's.
static const int linux_O_PATH = 010000000;
static const int linux_AT_EMPTY_PATH = 0x1000;

// struct ucred of unix(7), with the same layout. <sys/socket.h> declares it only with _GNU_SOURCE.
struct linux_ucred {
  int32_t pid;
  uint32_t uid;
  uint32_t gid;
};

// The path with which the kernel was asked to start this program (execve(2)), or 0 if the kernel does not report it.
static inline const char *linux_started_program(void) { return (const char *)getauxval(AT_EXECFN); }

// Bytes that the peer has not taken (SIOCOUTQ, unix(7)), including the kernel's overhead, or 0 if the kernel does not
// report them.
static inline int linux_bytes_in_send_queue(int descriptor) {
  int bytes = 0;
  return ioctl(descriptor, TIOCOUTQ, &bytes) == 0 ? bytes : 0;
}

// Linux 4.13 and later. Not every <sys/socket.h> defines it.
static const int linux_SO_PEERGROUPS = 59;

static inline int linux_pidfd_open(int pid) { return (int)syscall(SYS_pidfd_open, pid, 0); }

// The inode of a file, and its time of birth in nanoseconds since 1970 (statx(2)). Returns -1 if the file system does
// not keep both.
static inline int linux_birth(const char *path, uint64_t *inode, int64_t *born) {
  struct statx status;
  if (syscall(SYS_statx, -100 /* AT_FDCWD */, path, 0, STATX_INO | STATX_BTIME, &status) != 0) return -1;
  if ((status.stx_mask & (STATX_INO | STATX_BTIME)) != (STATX_INO | STATX_BTIME)) return -1;
  *inode = status.stx_ino;
  *born = status.stx_btime.tv_sec * 1000000000 + status.stx_btime.tv_nsec;
  return 0;
}

// memfd_create(2), closed on exec (MFD_CLOEXEC).
static inline int linux_memory_file(const char * name) { return (int)syscall(SYS_memfd_create, name, 1U); }

// mallopt(3): blocks of at least this many bytes are mapped separately, a free end of the heap of at least this size is
// returned to the kernel, and threads share two heaps.
static inline void linux_give_memory_back(int threshold) {
  mallopt(M_MMAP_THRESHOLD, threshold);
  mallopt(M_TRIM_THRESHOLD, threshold);
  mallopt(M_ARENA_MAX, 2);
}

// struct dl_phdr_info of dl_iterate_phdr(3), as far as it is read here. <link.h> declares it only with _GNU_SOURCE.
struct linux_loaded_object {
  Elf64_Addr base;
  const char *name;
  const Elf64_Phdr *headers;
  Elf64_Half header_count;
};
extern int dl_iterate_phdr(int (*visit)(struct linux_loaded_object *, unsigned long, void *), void *data);

static inline int linux_forget_object(struct linux_loaded_object *object, unsigned long size, void *page_size) {
  const unsigned long page = *(const unsigned long *)page_size;
  for (int index = 0; index < object->header_count; index++) {
    const Elf64_Phdr *header = &object->headers[index];
    // a writable segment may differ from the file
    if (header->p_type != PT_LOAD || header->p_flags & PF_W) continue;
    const unsigned long start = (object->base + header->p_vaddr + page - 1) / page * page;
    const unsigned long end = (object->base + header->p_vaddr + header->p_memsz) / page * page;
    if (end > start) madvise((void *)start, end - start, MADV_DONTNEED);
  }
  (void)size;
  return 0;
}

// Takes the code and constants of the program and of its libraries out of this process's memory (madvise(2)). A page
// that is used again returns from the page cache at the first access. A page that only the startup needed does not
// return.
static inline void linux_forget_startup_pages(void) {
  unsigned long page = (unsigned long)sysconf(_SC_PAGESIZE);
  dl_iterate_phdr(linux_forget_object, &page);
}

// Whether any output to standard output could not be written, now or before (ferror(3)).
static inline int linux_standard_output_failed(void) { return fflush(stdout) != 0 || ferror(stdout) != 0; }

// <spawn.h> defines it only with _GNU_SOURCE. The number is glibc's.
static const short linux_POSIX_SPAWN_SETSID = 0x80;

// accept4(2) with SOCK_CLOEXEC, whose number is O_CLOEXEC's. <sys/socket.h> declares it only with _GNU_SOURCE.
static inline int linux_accept(int socket) { return (int)syscall(SYS_accept4, socket, 0, 0, 02000000); }

// epoll(7): wrapped, because the event is packed on some machines and contains a union.
static inline int linux_epoll_control(int epoll, int operation, int descriptor, uint32_t events, uint64_t token) {
  struct epoll_event event = {.events = events, .data.u64 = token};
  return epoll_ctl(epoll, operation, descriptor, &event);
}
static inline uint32_t linux_epoll_events(const struct epoll_event *event) { return event->events; }
static inline uint64_t linux_epoll_token(const struct epoll_event *event) { return event->data.u64; }

// recvmsg(2) without waiting. A read of a stream ends at a message with descriptors (unix(7)). The descriptors are
// dropped, and `is_cut` is set, because more bytes may follow.
static inline long linux_receive(int socket, void *buffer, unsigned long count, int *is_cut) {
  struct iovec part = {.iov_base = buffer, .iov_len = count};
  struct msghdr message = {.msg_iov = &part, .msg_iovlen = 1};
  const long received = recvmsg(socket, &message, MSG_DONTWAIT);
  *is_cut = received > 0 && (message.msg_flags & MSG_CTRUNC) != 0;
  return received;
}

// pipe2(2), only with _GNU_SOURCE in <unistd.h>, with O_CLOEXEC.
static inline int linux_pipe(int ends[2]) { return (int)syscall(SYS_pipe2, ends, 02000000); }

// Only with _GNU_SOURCE in <poll.h>: the peer will send nothing more.
static const short linux_POLLRDHUP = 0x2000;

// ppoll(2), which <poll.h> declares only with _GNU_SOURCE. Waits without limit if `nanoseconds` is negative. A long
// has 64 bits here.
static inline int linux_poll(void *events, unsigned long count, long nanoseconds) {
  long limit[2] = {nanoseconds / 1000000000, nanoseconds % 1000000000};
  return (int)syscall(SYS_ppoll, events, count, nanoseconds < 0 ? 0 : limit, 0, 0);
}

// memmem(3), only with _GNU_SOURCE in <string.h>.
extern void *memmem(const void *haystack, unsigned long haystack_length, const void *needle, unsigned long length);

static inline const void *linux_memmem(const void *haystack, long haystack_length, const void *needle, long length) {
  return memmem(haystack, (unsigned long)haystack_length, needle, (unsigned long)length);
}

// wcwidth(3), only with _XOPEN_SOURCE in <wchar.h>: columns on a terminal, -1 for a character that cannot be shown. A
// wchar_t is an int here.
extern int wcwidth(int character);

static inline int linux_columns_of(uint32_t scalar) { return wcwidth((int)scalar); }

// Sets the effective user of this thread only. The C library's own function changes all threads.
static inline int linux_set_thread_user(uint32_t uid) { return (int)syscall(SYS_setresuid, -1, uid, -1); }

// prlimit(2), only with _GNU_SOURCE in <sys/resource.h>: from then on the process writes no file beyond this many bytes
// (RLIMIT_FSIZE, the soft limit). 0, or -1 with errno(3).
static inline int linux_limit_file_size(int pid, unsigned long bytes) {
  unsigned long limits[2];
  if (syscall(SYS_prlimit64, pid, 1, 0, limits) != 0) return -1;
  limits[0] = bytes < limits[1] ? bytes : limits[1];
  return (int)syscall(SYS_prlimit64, pid, 1, limits, 0);
}

// adjtimex(2): 1 if the clock is synchronised, 0 if not, -1 if its state cannot be read. Changes nothing.
static inline int linux_clock_state(void) {
  struct timex clock = {0};
  return adjtimex(&clock) < 0 ? -1 : (clock.status & STA_UNSYNC) == 0;
}

// sem_clockwait(3) of glibc 2.30 and later, only with _GNU_SOURCE in <semaphore.h>, and clock_gettime(2). Here their
// arguments have no types, because the types of <semaphore.h> and <time.h> belong to the Glibc module.
extern int linux_clock_time(int clock, void *time) __asm__("clock_gettime");
extern int linux_semaphore_wait_until(void *semaphore, int clock, const void *end) __asm__("sem_clockwait");

// 0, or -1 with errno(3): ETIMEDOUT after this many nanoseconds of the monotonic clock. A long has 64 bits here.
static inline int linux_semaphore_wait(void *semaphore, long nanoseconds) {
  const int monotonic = 1;
  long end[2];
  linux_clock_time(monotonic, end);
  end[0] += (end[1] + nanoseconds) / 1000000000;
  end[1] = (end[1] + nanoseconds) % 1000000000;
  return linux_semaphore_wait_until(semaphore, monotonic, end);
}

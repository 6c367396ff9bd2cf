// Clock and chance of the simulated machine: because the program itself defines these functions, they replace the C
// library's for all code that it loads.
#define _GNU_SOURCE
#include "CSimulation.h"
#include "chance.h"
#include "descriptors.h"
#include <errno.h>
#include <stdarg.h>
#include <stddef.h>
#include <sys/syscall.h>
#include <sys/types.h>
#include <time.h>

static bool is_simulated;
static int64_t now = 1000000000;
static int64_t slept;
static int64_t wall = 1767225600000000000;  // 2026-01-01T00:00:00Z
static struct chance pace = {1}, secrets = {2};

static long kernel(long number, long a, long b, long c, long d, long e, long f) {
#if defined(__x86_64__)
  register long r10 __asm__("r10") = d, r8 __asm__("r8") = e, r9 __asm__("r9") = f;
  long result;
  __asm__ volatile("syscall" : "=a"(result) : "a"(number), "D"(a), "S"(b), "d"(c), "r"(r10), "r"(r8), "r"(r9)
                   : "rcx", "r11", "memory");
#elif defined(__aarch64__)
  register long x8 __asm__("x8") = number, x0 __asm__("x0") = a, x1 __asm__("x1") = b, x2 __asm__("x2") = c,
                x3 __asm__("x3") = d, x4 __asm__("x4") = e, x5 __asm__("x5") = f;
  __asm__ volatile("svc 0" : "+r"(x0) : "r"(x8), "r"(x1), "r"(x2), "r"(x3), "r"(x4), "r"(x5) : "memory");
  long result = x0;
#endif
  if (result < 0 && result > -4096) {
    errno = (int)-result;
    return -1;
  }
  return result;
}

void simulated_begin(uint64_t seed) {
  is_simulated = true;
  pace.state = seed * 3 + 1;
  secrets.state = seed * 5 + 2;
}

static int64_t read_clock(void) {
  // sometimes, as if the thread was not scheduled for a while
  uint64_t dice = chance_next(&pace);
  now += dice % 1024 == 0 ? 3000000 : (int64_t)(dice >> 32) % 2000 + 100;
  return now;
}

int64_t simulated_now(void) { return now; }
void simulated_advance_to(int64_t nanoseconds) { if (nanoseconds > now) now = nanoseconds; }
void simulated_suspend(int64_t nanoseconds) { slept += nanoseconds, wall += nanoseconds; }
void simulated_set_wall(int64_t nanoseconds) { wall += nanoseconds; }

int64_t simulated_wall(void) { return now + wall; }

int64_t simulated_real_time(void) {
  struct timespec time;
  kernel(SYS_clock_gettime, CLOCK_MONOTONIC, (long)&time, 0, 0, 0, 0);
  return time.tv_sec * 1000000000 + time.tv_nsec;
}

int clock_gettime(clockid_t clock, struct timespec *time) {
  bool is_wall = clock == CLOCK_REALTIME || clock == CLOCK_REALTIME_COARSE;
  bool is_counted = clock == CLOCK_MONOTONIC || clock == CLOCK_BOOTTIME || clock == CLOCK_MONOTONIC_COARSE ||
                    clock == CLOCK_MONOTONIC_RAW;
  if (!is_simulated || (!is_wall && !is_counted)) return (int)kernel(SYS_clock_gettime, clock, (long)time, 0, 0, 0, 0);
  int64_t value = read_clock() + (is_wall ? wall : clock == CLOCK_BOOTTIME ? slept : 0);
  time->tv_sec = value / 1000000000;
  time->tv_nsec = value % 1000000000;
  return 0;
}

// ppoll(2), with which regd's threads sleep
static long wait_for(void *events, long count, const struct timespec *limit, long mask) {
  struct timespec none = {0, 0};
  long ready = count ? kernel(SYS_ppoll, (long)events, count, (long)&none, mask, 8, 0) : 0;
  if (ready == 0) now += limit->tv_sec * 1000000000 + limit->tv_nsec;
  return ready;
}

static void fill(unsigned char *bytes, size_t count) {
  for (size_t i = 0; i < count; i++) bytes[i] = (unsigned char)(chance_next(&secrets) >> 24);
}

void simulated_fill(unsigned char *bytes, int count) { fill(bytes, (size_t)count); }

ssize_t getrandom(void *bytes, size_t count, unsigned flags) {
  (void)flags;
  fill(bytes, count);
  return (ssize_t)count;
}

long syscall(long number, ...) {
  va_list list;
  va_start(list, number);
  long a = va_arg(list, long), b = va_arg(list, long), c = va_arg(list, long), d = va_arg(list, long),
       e = va_arg(list, long), f = va_arg(list, long);
  va_end(list);
  if (number == SYS_getrandom) {
    fill((unsigned char *)a, (size_t)b);
    return b;
  }
  if (number == SYS_accept4)
    return simulated_lacks_descriptor() ? -1 : simulated_owned((int)kernel(number, a, b, c, d, e, f));
  if (number == SYS_mmap && simulated_lacks_memory(b)) return -1;
  if (is_simulated && number == SYS_ppoll && c) return wait_for((void *)a, b, (const struct timespec *)c, d);
  return kernel(number, a, b, c, d, e, f);
}

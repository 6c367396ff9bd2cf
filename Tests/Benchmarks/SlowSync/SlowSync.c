// Preloaded by `regd-bench commits`. Each sync of a file takes SLOW_SYNC_MICROSECONDS longer, as on the disks of a
// cloud, and is counted in the file SLOW_SYNC_COUNTER. The machine's own sync is also done.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

static _Atomic unsigned long *counter;
static long microseconds;

__attribute__((constructor)) static void begin(void) {
  const char *path = getenv("SLOW_SYNC_COUNTER"), *wait = getenv("SLOW_SYNC_MICROSECONDS");
  int file = path ? open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0666) : -1;
  microseconds = wait ? atol(wait) : 0;
  if (file < 0) return;
  if (ftruncate(file, sizeof *counter) == 0) {
    void *shared = mmap(NULL, sizeof *counter, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    if (shared != MAP_FAILED) counter = shared;
  }
  close(file);
}

static int slowly(const char *name, int file) {
  int (*own)(int) = (int (*)(int))dlsym(RTLD_NEXT, name);
  struct timespec wait = {microseconds / 1000000, microseconds % 1000000 * 1000};
  if (counter) atomic_fetch_add(counter, 1);
  if (microseconds > 0) nanosleep(&wait, NULL);
  return own(file);
}

int fsync(int file) { return slowly("fsync", file); }
int fdatasync(int file) { return slowly("fdatasync", file); }

// Which simulated process a descriptor belongs to, because several simulated processes are one process of the machine.
// These functions replace the C library's, because the daemons open all descriptors that they keep with them.
#define _GNU_SOURCE
#include "CSimulation.h"
#include "descriptors.h"
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { FIRST = 600 };

static unsigned char owners[FIRST];
static unsigned char acting;

void simulated_act_as(int owner) { acting = (unsigned char)owner; }

int simulated_owned(int descriptor) {
  if (descriptor >= 0 && descriptor < FIRST) owners[descriptor] = acting;
  return descriptor;
}

void simulated_close_daemon(int owner) {
  for (int i = 3; i < FIRST; i++)
    if (owners[i] == owner) close(i);
}

int socket(int domain, int type, int protocol) {
  return simulated_owned((int)syscall(SYS_socket, domain, type, protocol));
}

int socketpair(int domain, int type, int protocol, int ends[2]) {
  int result = (int)syscall(SYS_socketpair, domain, type, protocol, ends);
  if (result == 0) simulated_owned(ends[0]), simulated_owned(ends[1]);
  return result;
}

int epoll_create1(int flags) { return simulated_owned((int)syscall(SYS_epoll_create1, flags)); }
int eventfd(unsigned value, int flags) { return simulated_owned((int)syscall(SYS_eventfd2, value, flags)); }

int open(const char *path, int flags, ...) {
  va_list list;
  va_start(list, flags);
  int mode = flags & (O_CREAT | O_TMPFILE) ? va_arg(list, int) : 0;
  va_end(list);
  return simulated_owned((int)syscall(SYS_openat, AT_FDCWD, path, flags, mode));
}

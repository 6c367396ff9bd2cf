// Callers' ends of sockets, and the program as a process.
#define _GNU_SOURCE
#include "CSimulation.h"
#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

enum { FIRST = 600, WATCHED = 1000 };

int simulated_connect(const char *path, uint32_t uid) {
  static int number;
  struct sockaddr_un own = {.sun_family = AF_UNIX}, other = {.sun_family = AF_UNIX};
  int socket_ = socket(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
  if (socket_ < 0) return -1;
  int descriptor = fcntl(socket_, F_DUPFD_CLOEXEC, FIRST);
  close(socket_);
  if (descriptor < 0) return -1;
  // an abstract name (unix(7)), by which the other end identifies the caller
  int length = snprintf(own.sun_path + 1, sizeof own.sun_path - 1, "regd-simulate %d %d %u", getpid(), number++, uid);
  snprintf(other.sun_path, sizeof other.sun_path, "%s", path);
  socklen_t size = (socklen_t)(offsetof(struct sockaddr_un, sun_path) + 1 + (size_t)length);
  if (bind(descriptor, (struct sockaddr *)&own, size) || connect(descriptor, (struct sockaddr *)&other, sizeof other)) {
    close(descriptor);
    return -1;
  }
  return descriptor;
}

uint32_t simulated_peer(int descriptor) {
  struct sockaddr_un peer;
  memset(&peer, 0, sizeof peer);
  socklen_t size = sizeof peer - 1;
  unsigned uid = UINT32_MAX;
  if (getpeername(descriptor, (struct sockaddr *)&peer, &size) == 0) sscanf(peer.sun_path + 1, "regd-simulate %*d %*d %u", &uid);
  return uid;
}

int simulated_send(int descriptor, const void *bytes, int count) {
  ssize_t sent = send(descriptor, bytes, (size_t)count, MSG_NOSIGNAL | MSG_DONTWAIT);
  return sent >= 0 ? (int)sent : errno == EAGAIN ? 0 : -1;
}

int simulated_receive(int descriptor, void *bytes, int count) {
  ssize_t came = recv(descriptor, bytes, (size_t)count, MSG_DONTWAIT);
  return came >= 0 ? (int)came : errno == EAGAIN ? -1 : -2;
}

void simulated_half_close(int descriptor) { shutdown(descriptor, SHUT_WR); }
void simulated_close(int descriptor) { close(descriptor); }

bool simulated_is_readable(int descriptor) {
  struct pollfd event = {.fd = descriptor, .events = POLLIN};
  return poll(&event, 1, 0) > 0;
}

void simulated_fix_hashing(char *const *arguments) {
  if (getenv("SWIFT_DETERMINISTIC_HASHING")) return;
  setenv("SWIFT_DETERMINISTIC_HASHING", "1", 1);
  execv("/proc/self/exe", arguments);
  // /proc is not mounted
  execv((const char *)getauxval(AT_EXECFN), arguments);
}

int64_t *simulated_shared(int count) {
  void *memory = mmap(0, (size_t)count * sizeof(int64_t), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  return memory == MAP_FAILED ? 0 : memory;
}

void simulated_add(int64_t *number, int64_t count) { __atomic_fetch_add(number, count, __ATOMIC_RELAXED); }

int simulated_fork(void) {
  fflush(0);
  return fork();
}

int simulated_await(int process) {
  int status = 0;
  while (waitpid(process, &status, 0) < 0 && errno == EINTR) {}
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

static char places[PATH_MAX], place[PATH_MAX];
static int keeper, watched = -1;

static int remove_one(const char *path, const struct stat *status, int type, struct FTW *depth) {
  (void)status, (void)type, (void)depth;
  remove(path);
  return 0;
}

static void remove_tree(const char *path) { nftw(path, remove_one, 8, FTW_DEPTH | FTW_PHYS); }

// A process that ends when all processes have closed the pipe's other end, even if signals ended them. It removes files
// that an interrupted run left.
static void keep_places(int readable) {
  char byte;
  setsid();
  close_range(0, 1, 0);
  // a program that reads the errors to their end has then also waited for this process
  close_range(3, readable - 1, 0);
  close_range(readable + 1, ~0U, 0);
  while (read(readable, &byte, 1) < 0 && errno == EINTR) {}
  remove_tree(places);
  _exit(0);
}

static pid_t program;

static void leave_places(void) {
  if (getpid() != program) return;
  close(watched);
  simulated_await(keeper);
}

bool simulated_make_places(void) {
  const char *directory = getenv("TMPDIR");
  int ends[2], length = snprintf(places, sizeof places, "%s/regd-simulate-XXXXXX", directory && *directory ? directory : "/tmp");
  if (length + 8 > PATH_MAX || !mkdtemp(places) || pipe2(ends, O_CLOEXEC)) return false;
  // regd's own descriptors are low, as without it
  watched = fcntl(ends[1], F_DUPFD_CLOEXEC, WATCHED);
  close(ends[1]);
  if (watched < 0) return false;
  keeper = fork();
  if (keeper < 0) return false;
  if (keeper == 0) keep_places(ends[0]);
  close(ends[0]);
  program = getpid();
  return atexit(leave_places) == 0;
}

bool simulated_enter_place(void) {
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  strcat(strcpy(place, places), "/XXXXXX");
  // an empty folder of messages takes precedence over the machine's
  return mkdtemp(place) && chdir(place) == 0 && mkdir("messages", 0700) == 0;
}

void simulated_leave_place(void) { remove_tree(place); }

bool simulated_limit_descriptors(void) {
  struct rlimit limit;
  if (getrlimit(RLIMIT_NOFILE, &limit)) return false;
  limit.rlim_cur = 1024;
  close_range(3, ~0U, 0);
  return limit.rlim_max >= 1024 && setrlimit(RLIMIT_NOFILE, &limit) == 0;
}

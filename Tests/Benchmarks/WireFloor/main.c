// The baseline for the wire: the minimum cost of a server of newline-ended JSON-RPC.
//   wire-floor SOCKET    serves until it is killed. Any file at SOCKET is replaced.
//
// The server has one thread and one epoll, and parses nothing. Every line gets the same reply, which is as long as
// regd's reply to registration.validate. Its id matches no request, so callers match replies by their order. All lines
// of one read are answered with one write. A connection therefore needs no buffers, only the number of bytes of equal
// replies that are still to be sent.
#define _GNU_SOURCE
#include <err.h>
#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#define REPLY \
  "{\"jsonrpc\":\"2.0\",\"id\":1000000,\"result\":{\"emailValid\":true,\"passwordValid\":true," \
  "\"registrationEnabled\":true,\"normalizedEmail\":\"user1000000@example.com\",\"problems\":[]}}\n"

enum { REPLY_BYTES = sizeof REPLY - 1, REPLIES = 1024, INPUT_BYTES = 64 * 1024, EVENTS = 256 };

struct connection {
  int descriptor;
  size_t owed;      // bytes of replies to send
  size_t position;  // where in a reply the next byte to send is
  bool blocked;     // waits for room in the socket, and reads nothing meanwhile
};

static char replies[REPLIES * REPLY_BYTES];
static char input[INPUT_BYTES];
static int epoll;

static void watch(struct connection *connection, int operation) {
  struct epoll_event event = {.events = connection->blocked ? EPOLLOUT : EPOLLIN, .data.ptr = connection};
  if (epoll_ctl(epoll, operation, connection->descriptor, &event) != 0) err(1, "epoll_ctl");
}

static void hang_up(struct connection *connection) {
  close(connection->descriptor);
  free(connection);
}

// Sends as many of the waiting bytes as there is room for. Returns false if the caller is gone.
static bool pay(struct connection *connection) {
  bool blocked = false;
  while (connection->owed > 0 && !blocked) {
    size_t size = sizeof replies - connection->position;
    if (size > connection->owed) size = connection->owed;
    ssize_t sent = send(connection->descriptor, replies + connection->position, size, MSG_NOSIGNAL);
    if (sent < 0 && errno != EAGAIN) return false;
    blocked = sent < (ssize_t)size;
    if (sent < 0) sent = 0;
    connection->owed -= (size_t)sent;
    connection->position = (connection->position + (size_t)sent) % REPLY_BYTES;
  }
  if (blocked != connection->blocked) {
    connection->blocked = blocked;
    watch(connection, EPOLL_CTL_MOD);
  }
  return true;
}

// Reads once, and answers the lines that end in the bytes read. Returns false if the caller is gone.
static bool answer(struct connection *connection) {
  ssize_t size = recv(connection->descriptor, input, sizeof input, 0);
  if (size < 0 && errno == EAGAIN) return true;
  if (size <= 0) return false;
  const char *end = input + size, *line = input;
  while ((line = memchr(line, '\n', (size_t)(end - line))) != NULL) {
    connection->owed += REPLY_BYTES;
    line++;
  }
  return pay(connection);
}

static void accept_all(int listener) {
  int descriptor;
  while ((descriptor = accept4(listener, NULL, NULL, SOCK_NONBLOCK | SOCK_CLOEXEC)) >= 0) {
    struct connection *connection = calloc(1, sizeof *connection);
    if (connection == NULL) err(1, "calloc");
    connection->descriptor = descriptor;
    watch(connection, EPOLL_CTL_ADD);
  }
  if (errno != EAGAIN && errno != ECONNABORTED) err(1, "accept4");
}

static int listen_on(const char *path) {
  struct sockaddr_un address = {.sun_family = AF_UNIX};
  if (strlen(path) >= sizeof address.sun_path) errx(2, "%s: too long", path);
  strcpy(address.sun_path, path);
  unlink(path);
  int listener = socket(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
  if (listener < 0 || bind(listener, (struct sockaddr *)&address, sizeof address) != 0 || listen(listener, 1024) != 0) {
    err(1, "%s", path);
  }
  return listener;
}

int main(int argc, char **argv) {
  if (argc != 2) errx(2, "usage: wire-floor SOCKET");
  for (size_t index = 0; index < REPLIES; index++) memcpy(replies + index * REPLY_BYTES, REPLY, REPLY_BYTES);
  epoll = epoll_create1(EPOLL_CLOEXEC);
  if (epoll < 0) err(1, "epoll_create1");
  int listener = listen_on(argv[1]);
  struct epoll_event listening = {.events = EPOLLIN, .data.ptr = NULL};
  if (epoll_ctl(epoll, EPOLL_CTL_ADD, listener, &listening) != 0) err(1, "epoll_ctl");
  close(STDOUT_FILENO);  // tells the benchmark that it may connect

  struct epoll_event events[EVENTS];
  while (true) {
    int count = epoll_wait(epoll, events, EVENTS, -1);
    if (count < 0 && errno != EINTR) err(1, "epoll_wait");
    for (int index = 0; index < count; index++) {
      struct connection *connection = events[index].data.ptr;
      if (connection == NULL) {
        accept_all(listener);
      } else if (!(connection->blocked ? pay(connection) : answer(connection))) {
        hang_up(connection);
      }
    }
  }
}

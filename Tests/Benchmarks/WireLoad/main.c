// Measures how fast a server answers registration.validate, in a closed loop: each reply is followed by a new request.
//   wire-load SOCKET CONNECTIONS IN_FLIGHT SECONDS WARMUP_SECONDS PID [--in-order] [--connection-each]
//
// With --connection-each, it connects for each request and closes the connection after the reply, like a program that
// runs for one request. It then sends one request at a time, a latency begins before the connect, and CONNECTIONS and
// IN_FLIGHT have no effect.
//
// The program has one thread and one epoll. Each connection keeps IN_FLIGHT requests in flight. The requests that
// follow the replies of one read are sent with one write. Replies are matched by "id", or by their order with
// --in-order. PID is the server's process id, for its CPU time and memory. After WARMUP_SECONDS the program measures
// for SECONDS and prints one line:
//   messages=N seconds=S rate=MESSAGES_A_SECOND p50_us=L p99_us=L cpu_us=SERVER_CPU_A_MESSAGE rss_kib=N errors=N
// A latency lasts from just before the write to just after the read. The histogram's error is at most 0.4 %.
// Messages are replies with a "result". All other replies count as errors, also during the warm-up.
// Exit status: 1 if there were errors or no messages, or if the server hung up (then no line is printed). It is 2 if
// the program cannot begin.
#define _GNU_SOURCE
#include <err.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

enum { MOST_IN_FLIGHT = 1024, REQUEST_BYTES = 256, INPUT_BYTES = 64 * 1024, EVENTS = 256 };

struct connection {
  int descriptor;
  bool blocked;  // waits for room in the socket
  struct request {
    uint64_t id, sent;  // `sent` is a time, or 0 if the request is answered
  } requests[MOST_IN_FLIGHT];
  size_t next;  // which request the next reply should answer
  size_t answered[MOST_IN_FLIGHT], answered_count;  // which requests are to be replaced
  size_t input_size, output_size;
  char input[INPUT_BYTES], output[MOST_IN_FLIGHT * REQUEST_BYTES];
};

static size_t in_flight;
static bool in_order, connection_each, hung_up;
static int epoll;
static uint64_t last_id, messages, errors;
static uint64_t histogram[1 << 15];  // of latencies in nanoseconds

static uint64_t now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (uint64_t)time.tv_sec * 1000000000 + (uint64_t)time.tv_nsec;
}

// A float's exponent and the first 7 bits of its fraction: 128 slots of one width for each power of two.
static void record(float latency) {
  uint32_t bits;
  memcpy(&bits, &latency, sizeof bits);
  histogram[bits >> 16]++;
}

// The middle of the slot that contains the rank, in microseconds, or 0 if there are no messages.
static double percentile(double percent) {
  uint64_t rank = (uint64_t)((double)messages * percent / 100), seen = 0;
  for (uint32_t slot = 0; slot < sizeof histogram / sizeof *histogram; slot++) {
    seen += histogram[slot];
    if (seen <= rank) continue;
    uint32_t bits = slot << 16 | 1 << 15;
    float latency;
    memcpy(&latency, &bits, sizeof latency);
    return (double)latency / 1e3;
  }
  return 0;
}

static void watch(struct connection *connection, int operation) {
  struct epoll_event event = {.events = connection->blocked ? EPOLLIN | EPOLLOUT : EPOLLIN, .data.ptr = connection};
  if (epoll_ctl(epoll, operation, connection->descriptor, &event) != 0) err(2, "epoll_ctl");
}

static size_t write_request(char *output, uint64_t id) {
  static const char start[] = "{\"jsonrpc\":\"2.0\",\"id\":";
  static const char middle[] = ",\"method\":\"registration.validate\",\"params\":{\"email\":\"user";
  static const char rest[] =
      "@example.com\",\"password\":\"correct horse battery\",\"passwordConfirmation\":\"correct horse battery\"}}\n";
  char digits[20], *digits_end = digits + sizeof digits, *first = digits_end;
  _Static_assert(sizeof start + sizeof middle + sizeof rest + 2 * sizeof digits <= REQUEST_BYTES, "a request fits");
  for (; id > 0; id /= 10) *--first = (char)('0' + id % 10);
  char *end = mempcpy(output, start, sizeof start - 1);
  end = mempcpy(end, first, (size_t)(digits_end - first));
  end = mempcpy(end, middle, sizeof middle - 1);
  end = mempcpy(end, first, (size_t)(digits_end - first));
  end = mempcpy(end, rest, sizeof rest - 1);
  return (size_t)(end - output);
}

static void send_output(struct connection *connection) {
  ssize_t sent = send(connection->descriptor, connection->output, connection->output_size, MSG_NOSIGNAL);
  if (sent < 0 && errno != EAGAIN) hung_up = true;
  if (sent < 0) sent = 0;
  connection->output_size -= (size_t)sent;
  memmove(connection->output, connection->output + sent, connection->output_size);
  bool blocked = connection->output_size > 0;
  if (blocked == connection->blocked) return;
  connection->blocked = blocked;
  watch(connection, EPOLL_CTL_MOD);
}

static void replace_answered(struct connection *connection) {
  for (size_t index = 0; index < connection->answered_count; index++) {
    if (connection->output_size + REQUEST_BYTES > sizeof connection->output) errx(1, "replies to what is not sent yet");
    connection->requests[connection->answered[index]].id = ++last_id;
    connection->output_size += write_request(connection->output + connection->output_size, last_id);
  }
  uint64_t time = now();
  for (size_t index = 0; index < connection->answered_count; index++) {
    connection->requests[connection->answered[index]].sent = time;
  }
  connection->answered_count = 0;
  if (!connection->blocked) send_output(connection);
}

// The request that the reply answers, or `in_flight` if it answers none. Looks first at the request that is next in order.
static size_t match(struct connection *connection, const char *reply, size_t size) {
  uint64_t id = 0;
  if (!in_order) {
    const char *digit = memmem(reply, size, "\"id\":", 5);
    if (digit == NULL) return in_flight;
    for (digit += 5; *digit == ' ';) digit++;
    for (; *digit >= '0' && *digit <= '9'; digit++) id = id * 10 + (uint64_t)(*digit - '0');
  }
  for (size_t tries = 0; tries < in_flight; tries++) {
    size_t index = connection->next;
    connection->next = index + 1 < in_flight ? index + 1 : 0;
    if (connection->requests[index].sent != 0 && (in_order || connection->requests[index].id == id)) return index;
  }
  return in_flight;
}

static void take_reply(struct connection *connection, const char *reply, size_t size, uint64_t time) {
  bool success = memmem(reply, size, "\"result\"", 8) != NULL;
  size_t index = match(connection, reply, size);
  if (!success || index == in_flight) errors++;
  if (index == in_flight) return;
  if (success) {
    messages++;
    record((float)(time - connection->requests[index].sent));
  }
  connection->requests[index].sent = 0;
  connection->answered[connection->answered_count++] = index;
}

static void receive(struct connection *connection) {
  char *line = connection->input, *end = line + connection->input_size, *newline;
  ssize_t received = recv(connection->descriptor, end, INPUT_BYTES - connection->input_size, 0);
  if (received <= 0) {
    if (received == 0 || errno != EAGAIN) hung_up = true;
    return;
  }
  uint64_t time = now();
  end += received;
  while ((newline = memchr(line, '\n', (size_t)(end - line))) != NULL) {
    take_reply(connection, line, (size_t)(newline - line), time);
    line = newline + 1;
  }
  connection->input_size = (size_t)(end - line);
  memmove(connection->input, line, connection->input_size);
  if (connection->input_size == INPUT_BYTES) errx(1, "a reply of more than %d bytes", INPUT_BYTES);
  if (connection->answered_count > 0) replace_answered(connection);
}

static int connect_to(const char *path) {
  struct sockaddr_un address = {.sun_family = AF_UNIX};
  if (strlen(path) >= sizeof address.sun_path) errx(2, "%s: too long", path);
  strcpy(address.sun_path, path);
  int descriptor = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
  if (descriptor < 0 || connect(descriptor, (struct sockaddr *)&address, sizeof address) != 0) err(2, "%s", path);
  return descriptor;
}

// Connects, sends a request, reads the reply and closes, again and again. Returns how long it ran.
static double run_connecting(const char *path, double seconds) {
  char text[INPUT_BYTES];
  uint64_t start = now(), end = start + (uint64_t)(seconds * 1e9), time = start;
  while (time < end) {
    int descriptor = connect_to(path);
    size_t size = write_request(text, ++last_id);
    if (send(descriptor, text, size, MSG_NOSIGNAL) != (ssize_t)size) err(1, "send");
    ssize_t received = 0;
    for (size = 0; size == 0 || text[size - 1] != '\n'; size += (size_t)received) {
      received = recv(descriptor, text + size, sizeof text - size, 0);
      if (received <= 0) errx(1, "the server hung up");
    }
    uint64_t answered = now();
    close(descriptor);
    if (memmem(text, size, "\"result\"", 8) == NULL) errors++;
    messages++;
    record((float)(answered - time));
    time = now();
  }
  return (double)(time - start) / 1e9;
}

// Connects and sends the first requests.
static void connect_and_fill(const char *path) {
  struct connection *connection = calloc(1, sizeof *connection);
  if (connection == NULL) err(2, "calloc");
  int descriptor = connection->descriptor = connect_to(path);
  fcntl(descriptor, F_SETFL, O_NONBLOCK);
  watch(connection, EPOLL_CTL_ADD);
  for (size_t index = 0; index < in_flight; index++) connection->answered[index] = index;
  connection->answered_count = in_flight;
  replace_answered(connection);
}

// Runs for this many seconds, or until the server hangs up. Returns how long it ran.
static double run(double seconds) {
  struct epoll_event events[EVENTS];
  uint64_t start = now(), end = start + (uint64_t)(seconds * 1e9), time;
  while ((time = now()) < end && !hung_up) {
    int count = epoll_wait(epoll, events, EVENTS, (int)((end - time) / 1000000) + 1);
    if (count < 0 && errno != EINTR) err(2, "epoll_wait");
    for (int index = 0; index < count; index++) {
      if (events[index].events & EPOLLOUT) send_output(events[index].data.ptr);
      if (events[index].events & ~(uint32_t)EPOLLOUT) receive(events[index].data.ptr);
    }
  }
  return (double)(time - start) / 1e9;
}

// User and system time of all the process's threads, in microseconds.
static double cpu_time(pid_t process) {
  clockid_t clock;
  struct timespec time;
  if (clock_getcpuclockid(process, &clock) != 0 || clock_gettime(clock, &time) != 0) errx(2, "%d: no process", process);
  return (double)time.tv_sec * 1e6 + (double)time.tv_nsec / 1e3;
}

static long resident_kib(pid_t process) {
  char path[32], line[256];
  long size = 0;
  snprintf(path, sizeof path, "/proc/%d/status", process);
  FILE *file = fopen(path, "r");
  if (file == NULL) err(2, "%s", path);
  while (size == 0 && fgets(line, sizeof line, file) != NULL) sscanf(line, "VmRSS: %ld", &size);
  fclose(file);
  return size;
}

static double number(const char *text, double least, double most) {
  char *end;
  double value = strtod(text, &end);
  if (end == text || *end != 0 || !(value >= least && value <= most)) errx(2, "%s: not %g to %g", text, least, most);
  return value;
}

int main(int argc, char **argv) {
  for (int index = 7; index < argc; index++) {
    if (strcmp(argv[index], "--in-order") == 0) in_order = true;
    if (strcmp(argv[index], "--connection-each") == 0) connection_each = true;
  }
  if (argc != 7 + in_order + connection_each) {
    errx(2, "usage: wire-load SOCKET CONNECTIONS IN_FLIGHT SECONDS WARMUP_SECONDS PID [--in-order] [--connection-each]");
  }
  int connections = (int)number(argv[2], 1, 65536);
  in_flight = (size_t)number(argv[3], 1, MOST_IN_FLIGHT);
  double seconds = number(argv[4], 0.001, 86400), warmup = number(argv[5], 0, 86400);
  pid_t server = (pid_t)number(argv[6], 1, INT32_MAX);
  if ((epoll = epoll_create1(EPOLL_CLOEXEC)) < 0) err(2, "epoll_create1");
  for (int count = 0; count < connections && !connection_each; count++) connect_and_fill(argv[1]);

  connection_each ? run_connecting(argv[1], warmup) : run(warmup);
  messages = 0;
  memset(histogram, 0, sizeof histogram);
  double cpu = cpu_time(server);
  seconds = connection_each ? run_connecting(argv[1], seconds) : run(seconds);
  if (hung_up) errx(1, "the server hung up");
  cpu = messages > 0 ? (cpu_time(server) - cpu) / (double)messages : 0;
  printf("messages=%" PRIu64 " seconds=%.3f rate=%.0f p50_us=%.2f p99_us=%.2f ", messages, seconds,
         (double)messages / seconds, percentile(50), percentile(99));
  printf("cpu_us=%.3f rss_kib=%ld errors=%" PRIu64 "\n", cpu, resident_kib(server), errors);
  return errors > 0 || messages == 0;
}

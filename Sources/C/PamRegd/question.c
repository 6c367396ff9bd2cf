#define _GNU_SOURCE
#include "question.h"

#include <arpa/inet.h>
#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

// A reply contains an account and a stamp, and perhaps the address of terms. No account has a longer login or password.
enum { most_of_a_reply = 32768, most_of_an_origin = 128, most_of_a_text = 65536 };

// (RFC 3629)
size_t character(const unsigned char *text) {
  static const struct {
    unsigned char first, last, least, most;
    size_t bytes;
  } rows[] = {
      {0x01, 0x7F, 0, 0, 1},       {0xC2, 0xDF, 0x80, 0xBF, 2}, {0xE0, 0xE0, 0xA0, 0xBF, 3},
      {0xE1, 0xEC, 0x80, 0xBF, 3}, {0xED, 0xED, 0x80, 0x9F, 3}, {0xEE, 0xEF, 0x80, 0xBF, 3},
      {0xF0, 0xF0, 0x90, 0xBF, 4}, {0xF1, 0xF3, 0x80, 0xBF, 4}, {0xF4, 0xF4, 0x80, 0x8F, 4},
  };
  for (size_t row = 0; row < sizeof rows / sizeof *rows; row++) {
    if (text[0] < rows[row].first || text[0] > rows[row].last) continue;
    if (rows[row].bytes > 1 && (text[1] < rows[row].least || text[1] > rows[row].most)) return 0;
    for (size_t index = 2; index < rows[row].bytes; index++) {
      if (text[index] < 0x80 || text[index] > 0xBF) return 0;
    }
    return rows[row].bytes;
  }
  return 0;
}

unsigned code_point(const unsigned char *text, size_t bytes) {
  static const unsigned char leading[] = {0, 0x7F, 0x1F, 0x0F, 0x07};
  unsigned value = text[0] & leading[bytes];
  for (size_t index = 1; index < bytes; index++) value = value << 6 | (text[index] & 0x3F);
  return value;
}

// Whether a character may end a line or a field in another program: a control character, U+2028 and U+2029.
static bool ends_field(unsigned c) { return c < 0x20 || (c >= 0x7F && c < 0xA0) || c == 0x2028 || c == 0x2029; }

// Whether a character at an end of a login is ignored: spaces, marks of direction, and others that are not shown.
static bool is_margin(unsigned c) {
  return c == ' ' || c == 0xA0 || c == 0xAD || c == 0x061C || c == 0x1680 || c == 0x3000 || c == 0xFEFF ||
         (c >= 0x2000 && c <= 0x200F) || (c >= 0x202A && c <= 0x202F) || (c >= 0x205F && c <= 0x2064) ||
         (c >= 0x2066 && c <= 0x206F);
}

// The part of a login without the spaces around it. The length is 0 if nothing is left, if the login is not UTF-8, or
// if it has a character that may end a line or a field.
static size_t trimmed(const char *login, const char **start) {
  const unsigned char *end = NULL;
  *start = login;
  for (const unsigned char *next = (const unsigned char *)login; *next;) {
    const size_t bytes = character(next);
    if (bytes == 0 || ends_field(code_point(next, bytes))) return 0;
    const bool counts = !is_margin(code_point(next, bytes));
    if (counts && !end) *start = (const char *)next;
    next += bytes;
    if (counts) end = next;
  }
  return end ? (size_t)((const char *)end - *start) : 0;
}

bool question_trimmed(const char *login, char *to, size_t most) {
  const char *start;
  const size_t length = trimmed(login, &start);
  if (length >= most) return false;
  memcpy(to, start, length);
  to[length] = '\0';
  return true;
}

static bool is_utf8(const char *text) {
  const unsigned char *next = (const unsigned char *)text;
  while (*next) {
    const size_t bytes = character(next);
    if (bytes == 0) return false;
    next += bytes;
  }
  return true;
}

// Appends `length` bytes of a text as the content of a JSON string: at most six bytes for each byte.
static char *put_escaped(char *to, const char *text, size_t length) {
  static const char hexadecimal[] = "0123456789abcdef";
  const unsigned char *end = (const unsigned char *)text + length;
  for (const unsigned char *next = (const unsigned char *)text; next < end; next++) {
    if (*next == '"' || *next == '\\') {
      *to++ = '\\';
      *to++ = (char)*next;
    } else if (*next < 0x20 || *next == 0x7F) {
      to = stpcpy(to, "\\u00");
      *to++ = hexadecimal[*next >> 4];
      *to++ = hexadecimal[*next & 0xF];
    } else {
      *to++ = (char)*next;
    }
  }
  return to;
}

bool question_add_group(struct question *question, const char *name) {
  static const char letters[] = "abcdefghijklmnopqrstuvwxyz0123456789._-";
  const size_t length = strlen(name);
  if (length == 0 || length > most_of_a_group || strspn(name, letters) != length || strchr("._-", *name)) return false;
  if (question->group_count == most_groups) return false;
  question->groups[question->group_count++] = name;
  return true;
}

// Appends the member of a JSON object that has the question's groups, if it has any. No group's name has a
// character that JSON would escape.
static char *put_groups(char *to, const struct question *question) {
  for (size_t index = 0; index < question->group_count; index++) {
    to = stpcpy(stpcpy(to, index == 0 ? ",\"groups\":[\"" : "\",\""), question->groups[index]);
  }
  return question->group_count == 0 ? to : stpcpy(to, "\"]");
}

// Whether the first `length` bytes of a text are a colon and a port.
static bool is_port(const char *text, size_t length) {
  if (length < 2 || length > 6 || *text != ':') return false;
  for (size_t index = 1; index < length; index++) {
    if (text[index] < '0' || text[index] > '9') return false;
  }
  return true;
}

// The part of an origin without a port, and without the brackets of an IPv6 address: a client has another port on each
// connection.
static size_t without_port(const char *origin, const char **start) {
  size_t length = strlen(origin);
  *start = origin;
  const char *bracket = *origin == '[' ? strchr(origin, ']') : NULL;
  if (bracket && bracket > origin + 1 && (!bracket[1] || is_port(bracket + 1, strlen(bracket + 1)))) {
    *start = origin + 1;
    return (size_t)(bracket - origin) - 1;
  }
  static const char host[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-._";
  const size_t name = strspn(origin, host);
  if (memchr(origin, '.', name) && is_port(origin + name, length - name)) length = name;
  return length;
}

// Writes the spelling of an address that all its spellings become: of IPv6 the network of 64 bits, or the IPv4 address that
// it contains. Returns false if the text is no IPv6 address. regd's other doors read addresses in the same way
// (ClientAddress.swift).
static bool put_canonical(char *to, size_t most, const char *text, size_t length) {
  unsigned char bytes[16];
  char address[INET6_ADDRSTRLEN];
  static const unsigned char mapped[12] = {[10] = 0xFF, [11] = 0xFF};
  // an address of the local network may name the interface, as in fe80::1%eth0
  const char *zone = memchr(text, '%', length);
  if (zone) length = (size_t)(zone - text);
  if (length >= sizeof address) return false;
  memcpy(address, text, length);
  address[length] = '\0';
  if (inet_pton(AF_INET6, address, bytes) != 1) return false;
  if (memcmp(bytes, mapped, sizeof mapped) == 0) {
    return inet_ntop(AF_INET, bytes + sizeof mapped, to, (socklen_t)most) != NULL;
  }
  memset(bytes + 8, 0, 8);
  if (!inet_ntop(AF_INET6, bytes, to, (socklen_t)(most - strlen("/64")))) return false;
  (void)strcat(to, "/64");
  return true;
}

// The origin as regd takes it: whole characters, at most `most_of_an_origin` bytes. A question mark replaces each byte
// that is not UTF-8.
static void cut_origin(char *to, const char *origin) {
  size_t length = 0;
  const char *start;
  const size_t all = without_port(origin ? origin : "", &start);
  if (put_canonical(to, most_of_an_origin + 1, start, all)) return;
  const unsigned char *next = (const unsigned char *)start;
  while (next < (const unsigned char *)start + all) {
    const size_t bytes = character(next);
    if (length + (bytes ? bytes : 1) > most_of_an_origin) break;
    if (bytes) memcpy(to + length, next, bytes);
    else to[length] = '?';
    length += bytes ? bytes : 1;
    next += bytes ? bytes : 1;
  }
  to[length] = '\0';
}

// The request, in newly allocated memory, with a line feed, or NULL if memory is short.
static char *request(const struct question *question, size_t *bytes) {
  char origin[most_of_an_origin + 1];
  cut_origin(origin, question->origin);
  const char *login;
  const size_t length = trimmed(question->login, &login);
  // without a domain, regd completes the login or finds that it is wrong
  const bool is_whole = memchr(login, '@', length) || !question->domain || !*question->domain;
  const size_t texts = length + strlen(question->password) + strlen(origin) +
                       (is_whole ? 0 : 1 + strlen(question->domain));
  *bytes = 6 * texts + question->group_count * (most_of_a_group + sizeof "\",\"") + 256;
  char *start = malloc(*bytes);
  if (!start) return NULL;
  char *to = stpcpy(start, "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"session.signIn\",\"params\":{\"email\":\"");
  to = put_escaped(to, login, length);
  if (!is_whole) {
    *to++ = '@';
    to = put_escaped(to, question->domain, strlen(question->domain));
  }
  to = put_escaped(stpcpy(to, "\",\"password\":\""), question->password, strlen(question->password));
  if (*origin) to = put_escaped(stpcpy(to, "\",\"origin\":\""), origin, strlen(origin));
  (void)stpcpy(put_groups(stpcpy(to, "\""), question), "}}\n");
  return start;
}

// Milliseconds until `deadline`, rounded up, or 0 once it has passed.
static int left(const struct timespec *deadline) {
  struct timespec now;
  if (clock_gettime(CLOCK_MONOTONIC, &now) != 0) return 0;
  const long long nanoseconds =
      (deadline->tv_sec - now.tv_sec) * 1000000000LL + (deadline->tv_nsec - now.tv_nsec);
  return nanoseconds <= 0 ? 0 : (int)((nanoseconds + 999999) / 1000000);
}

static bool is_ready(int descriptor, short events, const struct timespec *deadline) {
  while (true) {
    const int milliseconds = left(deadline);
    struct pollfd wanted = {.fd = descriptor, .events = events};
    const int ready = milliseconds ? poll(&wanted, 1, milliseconds) : 0;
    if (ready > 0) return true;
    if (ready == 0 || errno != EINTR) return false;
  }
}

// Connects. Returns -1 on failure. An empty path would name an abstract socket, which any user may bind, and a
// relative one would depend on the program's directory. If the queue of callers is full, connect(2) waits as long as
// SO_SNDTIMEO allows.
static int connected(const char *path, const struct timespec *deadline) {
  struct sockaddr_un address = {.sun_family = AF_UNIX};
  if (*path != '/' || strlen(path) >= sizeof address.sun_path) return -1;
  memcpy(address.sun_path, path, strlen(path));
  const int descriptor = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
  if (descriptor < 0) return -1;
  while (true) {
    const int milliseconds = left(deadline);
    const struct timeval limit = {.tv_sec = milliseconds / 1000, .tv_usec = milliseconds % 1000 * 1000};
    if (milliseconds == 0 || setsockopt(descriptor, SOL_SOCKET, SO_SNDTIMEO, &limit, sizeof limit) != 0) break;
    if (connect(descriptor, (const struct sockaddr *)&address, sizeof address) == 0) return descriptor;
    if (errno != EINTR) break;
  }
  close(descriptor);
  return -1;
}

static bool send_all(int descriptor, const char *bytes, size_t count, const struct timespec *deadline) {
  while (count > 0) {
    if (!is_ready(descriptor, POLLOUT, deadline)) return false;
    const ssize_t sent = send(descriptor, bytes, count, MSG_NOSIGNAL | MSG_DONTWAIT);
    if (sent < 0 && errno != EINTR && errno != EAGAIN) return false;
    if (sent > 0) {
      bytes += sent;
      count -= (size_t)sent;
    }
  }
  return true;
}

// Receives a line. Returns the line's length without its end, or 0 if no line came.
static size_t receive_line(int descriptor, char *line, size_t most, const struct timespec *deadline) {
  size_t count = 0;
  while (count < most && is_ready(descriptor, POLLIN, deadline)) {
    const ssize_t received = recv(descriptor, line + count, most - count, MSG_DONTWAIT);
    if (received < 0 && (errno == EINTR || errno == EAGAIN)) continue;
    if (received <= 0) return 0;
    const char *end = memchr(line + count, '\n', (size_t)received);
    if (end) return (size_t)(end - line);
    count += (size_t)received;
  }
  return 0;
}

static struct answer answer_to(const struct question *question, const char *bytes) {
  struct answer answer = {.verdict = away, .reason = ""};
  struct timespec deadline;
  if (clock_gettime(CLOCK_MONOTONIC, &deadline) != 0) return answer;
  deadline.tv_sec += question->seconds;
  const int descriptor = connected(question->path, &deadline);
  if (descriptor < 0) return answer;
  char *line = malloc(most_of_a_reply);
  // regd may have sent the reason before it closed the connection
  if (line) {
    (void)send_all(descriptor, bytes, strlen(bytes), &deadline);
    answer = reply_read(line, receive_line(descriptor, line, most_of_a_reply, &deadline));
    explicit_bzero(line, most_of_a_reply);
  }
  free(line);
  close(descriptor);
  return answer;
}

struct answer question_ask(const struct question *question) {
  struct answer answer = {.verdict = wrong, .reason = ""};
  const char *login;
  // a login or password that no account can have is wrong without asking
  if (!trimmed(question->login, &login) || !*question->password || !is_utf8(question->password)) return answer;
  if (strlen(question->login) > most_of_a_text || strlen(question->password) > most_of_a_text) return answer;
  size_t bytes = 0;
  char *text = request(question, &bytes);
  answer.verdict = away;
  if (!text) return answer;
  answer = answer_to(question, text);
  explicit_bzero(text, bytes);
  free(text);
  return answer;
}

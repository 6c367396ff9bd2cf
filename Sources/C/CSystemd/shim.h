#include <string.h>
#include <sys/socket.h>
#include <sys/uio.h>
// the place in the source code would be this file
#define SD_JOURNAL_SUPPRESS_LOCATION 1
#include <systemd/sd-daemon.h>
#include <systemd/sd-journal.h>

// Whether it is a stream socket that listens, of Unix or of TCP: 1, 0, or a negative errno(3).
static inline int systemd_is_listening_stream(int descriptor) {
  int is_unix = sd_is_socket_unix(descriptor, SOCK_STREAM, 1, 0, 0);
  return is_unix != 0 ? is_unix : sd_is_socket_inet(descriptor, AF_UNSPEC, SOCK_STREAM, 1, 0);
}

// Sends one entry to the journal. It has at most 64 fields in the form NAME=value, each ended by a line feed. Blocks
// while journald does not read. Returns 0, or a negative errno(3).
static inline int systemd_send_to_journal(const char *fields, unsigned long length) {
  struct iovec parts[64];
  int count = 0;
  const char *end = fields + length;
  while (fields < end && count < 64) {
    const char *stop = (const char *)memchr(fields, '\n', (unsigned long)(end - fields));
    if (stop == 0) stop = end;
    parts[count].iov_base = (void *)fields;
    parts[count].iov_len = (unsigned long)(stop - fields);
    count++;
    fields = stop + 1;
  }
  return sd_journal_sendv(parts, count);
}

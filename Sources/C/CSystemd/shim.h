#include <sys/socket.h>
#include <systemd/sd-daemon.h>

// Whether it is a Unix stream socket that listens: 1, 0, or a negative errno(3).
static inline int systemd_is_listening_stream(int descriptor) {
  return sd_is_socket_unix(descriptor, SOCK_STREAM, 1, 0, 0);
}

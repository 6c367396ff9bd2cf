// Debian's liblber: only installations with a door of the protocol ldap need it. If it cannot be loaded, each function
// fails as for lack of memory.

#include <dlfcn.h>
#include <errno.h>
#include <ldap_features.h>
#include <pthread.h>
#include <stddef.h>
#include <stdio.h>
// otherwise liblber's calls of its own functions would come here
#pragma GCC visibility push(hidden)
#include "CLBER.h"
#pragma GCC visibility pop

// the library that the headers describe: OpenLDAP 2.5 in Debian 12, 2.6 in Debian 13 and in Ubuntu 24.04
#if LDAP_VENDOR_VERSION < 20600
#define LIBRARY "liblber-2.5.so.0"
#else
#define LIBRARY "liblber.so.2"
#endif
#define WHY lber_load_failure
#define FUNCTIONS(F) \
  F(Sockbuf *, ber_sockbuf_alloc, (void), (), NULL) \
  F(void, ber_sockbuf_free, (Sockbuf *socket), (socket), (void)0) \
  F(int, ber_sockbuf_add_io, (Sockbuf *socket, Sockbuf_IO *io, int layer, void *context), (socket, io, layer, context), -1) \
  F(int, ber_sockbuf_ctrl, (Sockbuf *socket, int option, void *value), (socket, option, value), -1) \
  F(ber_tag_t, ber_get_next, (Sockbuf *socket, ber_len_t *length, BerElement *element), (socket, length, element), LBER_ERROR) \
  F(BerElement *, ber_alloc_t, (int options), (options), NULL) \
  F(void, ber_free, (BerElement *element, int with_bytes), (element, with_bytes), (void)0) \
  F(int, ber_get_option, (void *item, int option, void *value), (item, option, value), -1) \
  F(void, ber_init2, (BerElement *element, struct berval *bytes, int options), (element, bytes, options), (void)0) \
  F(ber_tag_t, ber_skip_element, (BerElement *element, struct berval *contents), (element, contents), LBER_ERROR) \
  F(int, ber_decode_int, (const struct berval *contents, ber_int_t *number), (contents, number), -1) \
  F(int, ber_put_enum, (BerElement *element, ber_int_t number, ber_tag_t tag), (element, number, tag), -1) \
  F(int, ber_put_int, (BerElement *element, ber_int_t number, ber_tag_t tag), (element, number, tag), -1) \
  F(int, ber_put_ostring, \
    (BerElement *element, const char *bytes, ber_len_t count, ber_tag_t tag), (element, bytes, count, tag), -1) \
  F(int, ber_start_seq, (BerElement *element, ber_tag_t tag), (element, tag), -1) \
  F(int, ber_put_seq, (BerElement *element), (element), -1) \
  F(int, ber_start_set, (BerElement *element, ber_tag_t tag), (element, tag), -1) \
  F(int, ber_put_set, (BerElement *element), (element), -1) \
  F(int, ber_flatten2, (BerElement *element, struct berval *bytes, int copied), (element, bytes, copied), -1)
#define VARIADIC(F)
#include "../LateLibrary.h"

// Memory as liblber's socket: one byte for each call of ber_get_next, so that it stops where the length ends.
struct memory {
  const unsigned char *next;
  int has_byte;
};

static int set_up(Sockbuf_IO_Desc *io, void *memory) {
  io->sbiod_pvt = memory;
  return 0;
}

static int nothing(Sockbuf_IO_Desc *io) {
  (void)io;
  return 0;
}

static int no_option(Sockbuf_IO_Desc *io, int option, void *value) {
  (void)io, (void)option, (void)value;
  return 0;
}

static ber_slen_t read_byte(Sockbuf_IO_Desc *io, void *bytes, ber_len_t count) {
  struct memory *const memory = io->sbiod_pvt;
  if (!memory->has_byte || count == 0) {
    errno = EWOULDBLOCK;
    return -1;
  }
  memory->has_byte = 0;
  *(unsigned char *)bytes = *memory->next++;
  return 1;
}

static ber_slen_t no_write(Sockbuf_IO_Desc *io, void *bytes, ber_len_t count) {
  (void)io, (void)bytes, (void)count;
  errno = EPIPE;
  return -1;
}

static Sockbuf_IO io = {set_up, nothing, no_option, read_byte, no_write, nothing};

static long sequence_length(
    Sockbuf *socket, BerElement *element, struct memory *memory, size_t count, size_t longest) {
  ber_len_t most = longest;
  if (ber_sockbuf_ctrl(socket, LBER_SB_OPT_SET_MAX_INCOMING, &most) < 0 ||
      ber_sockbuf_add_io(socket, &io, LBER_SBIOD_LEVEL_PROVIDER, memory) < 0)
    return -1;
  for (size_t read = 1; read <= count; read++) {
    ber_len_t length = 0;
    memory->has_byte = 1;
    const ber_tag_t tag = ber_get_next(socket, &length, element);
    const int problem = errno;
    // the memory for the contents is allocated as soon as their length is known
    if (ber_get_option(element, LBER_OPT_BER_TOTAL_BYTES, &length) == LBER_OPT_SUCCESS && length > 0)
      return length <= longest - read ? (long)(read + length) : -1;
    if (tag != LBER_ERROR || problem != EWOULDBLOCK) return -1;
  }
  return 0;
}

long lber_sequence_length(const unsigned char *bytes, size_t count, size_t longest) {
  if (count == 0) return 0;
  if (bytes[0] != LBER_SEQUENCE) return -1;
  struct memory memory = {bytes, 0};
  Sockbuf *const socket = ber_sockbuf_alloc();
  BerElement *const element = ber_alloc_t(0);
  const long result =
      socket == NULL || element == NULL ? -1 : sequence_length(socket, element, &memory, count, longest);
  if (element != NULL) ber_free(element, 1);
  if (socket != NULL) ber_sockbuf_free(socket);
  return result;
}

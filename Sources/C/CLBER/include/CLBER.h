// liblber, and what of its macros Swift cannot read.
#ifndef CLBER_H
#define CLBER_H
#include <lber.h>

static const ber_tag_t lber_failed = LBER_ERROR;

// Why liblber cannot be loaded, in the loader's words; NULL where it can. Loads it.
const char *lber_load_failure(void);

// How many bytes the sequence has that begins here, with its tag and its length, as ber_get_next reads these from a socket that has no
// more than they: 0 while they are not whole; -1 if this is no sequence, or a longer one.
long lber_sequence_length(const unsigned char *bytes, size_t count, size_t longest);

#endif

// liblber, and those of its macros that Swift cannot read.
#ifndef CLBER_H
#define CLBER_H
#include <lber.h>

static const ber_tag_t lber_failed = LBER_ERROR;

// Loads liblber. Returns NULL, or the loader's message if that fails.
const char *lber_load_failure(void);

// The length of the sequence that begins here, tag and length included, as ber_get_next reads them. Returns 0 while
// these two are incomplete, and -1 if this is not a sequence, or is too long.
long lber_sequence_length(const unsigned char *bytes, size_t count, size_t longest);

#endif

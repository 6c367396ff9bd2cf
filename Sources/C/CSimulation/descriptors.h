#pragma once
#include <stdbool.h>

/// Notes that a descriptor is the acting process's, and returns it.
int simulated_owned(int descriptor);
/// Whether no descriptor is left for a connection now. If so, sets errno(3) to EMFILE.
bool simulated_lacks_descriptor(void);
/// Whether no memory is left for a hash now. If so, sets errno(3) to ENOMEM.
bool simulated_lacks_memory(long bytes);

#pragma once
#include <stdbool.h>

/// Notes that a descriptor is the acting process's, and returns it.
int simulated_owned(int descriptor);
/// Whether there is no descriptor for a connection now; then with EMFILE in errno(3).
bool simulated_lacks_descriptor(void);
/// Whether there is no memory for a hash now; then with ENOMEM.
bool simulated_lacks_memory(long bytes);

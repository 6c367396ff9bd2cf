// Shortages of the machine: of descriptors for connections, and of memory for hashes.
#include "CSimulation.h"
#include "descriptors.h"
#include <errno.h>

// libsodium's memory for one hash of the simulated hasher, which has 8 KiB
enum { HASH = 8 * 1024 };

struct shortage { int left; int64_t met; };

static struct shortage shortages[2];

void simulated_lack(enum simulated_resource resource, int times) { shortages[resource].left = times; }
int64_t simulated_lacked(enum simulated_resource resource) { return shortages[resource].met; }

static bool lacks(enum simulated_resource resource, int code) {
  struct shortage *shortage = &shortages[resource];
  if (shortage->left == 0) return false;
  shortage->left--;
  shortage->met++;
  errno = code;
  return true;
}

bool simulated_lacks_descriptor(void) { return lacks(SIMULATED_DESCRIPTORS, EMFILE); }
bool simulated_lacks_memory(long bytes) { return bytes == HASH && lacks(SIMULATED_MEMORY, ENOMEM); }

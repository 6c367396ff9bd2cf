// The shared memory of the write-ahead log, and its locks (sqlite.org/walformat.html).
#include "disk.h"
#include <stdlib.h>

int disk_shm_map(sqlite3_file *file, int region, int size, int extend, void volatile **memory) {
  struct handle *handle = (struct handle *)file;
  if (region >= REGIONS) return SQLITE_IOERR_SHMMAP;
  if (!handle->has_shm) handle->has_shm = true, handle->node->users++;
  unsigned char **place = &handle->node->regions[region];
  if (!*place && extend) *place = calloc(1, (size_t)size);
  *memory = *place;
  return SQLITE_OK;
}

int disk_shm_lock(sqlite3_file *file, int first, int count, int flags) {
  struct handle *handle = (struct handle *)file;
  struct node *node = handle->node;
  int mask = ((1 << count) - 1) << first;
  // the first one is the writer's
  if (flags == (SQLITE_SHM_LOCK | SQLITE_SHM_EXCLUSIVE) && first == 0 && disk_is_locked_elsewhere()) return SQLITE_BUSY;
  for (int i = first; i < first + count; i++) {
    bool own_shared = handle->shm_shared >> i & 1, own = handle->shm_exclusive >> i & 1;
    if (flags & SQLITE_SHM_UNLOCK) {
      if (own) node->shm_exclusive[i] = 0;
      else if (own_shared) node->shm_shared[i]--;
    } else if (flags & SQLITE_SHM_SHARED) {
      if (node->shm_exclusive[i] && !own) return SQLITE_BUSY;
    } else if ((node->shm_exclusive[i] && !own) || node->shm_shared[i] > (own_shared ? 1 : 0)) {
      return SQLITE_BUSY;
    }
  }
  if (flags & SQLITE_SHM_UNLOCK) {
    handle->shm_shared &= ~mask;
    handle->shm_exclusive &= ~mask;
    return SQLITE_OK;
  }
  for (int i = first; i < first + count; i++) {
    if (flags & SQLITE_SHM_EXCLUSIVE) node->shm_exclusive[i] = 1;
    else if (!(handle->shm_shared >> i & 1)) node->shm_shared[i]++;
  }
  if (flags & SQLITE_SHM_EXCLUSIVE) handle->shm_exclusive |= mask;
  else handle->shm_shared |= mask;
  return SQLITE_OK;
}

void disk_shm_barrier(sqlite3_file *file) { (void)file; }

int disk_shm_unmap(sqlite3_file *file, int deletes) {
  (void)deletes;
  struct handle *handle = (struct handle *)file;
  if (!handle->has_shm) return SQLITE_OK;
  handle->has_shm = false;
  if (--handle->node->users == 0)
    for (int i = 0; i < REGIONS; i++) free(handle->node->regions[i]), handle->node->regions[i] = 0;
  return SQLITE_OK;
}

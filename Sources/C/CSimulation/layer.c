// The simulated disk as a file layer of SQLite's (sqlite.org/vfs.html), "simulated".
#include "disk.h"
#include "chance.h"
#include <stdio.h>
#include <string.h>

static struct node *find(const char *name, bool makes) {
  struct node *free_one = 0;
  for (int i = 0; i < FILES; i++) {
    if (!strcmp(disk_nodes[i].name, name)) return &disk_nodes[i];
    if (!disk_nodes[i].name[0] && !free_one) free_one = &disk_nodes[i];
  }
  if (makes && free_one) snprintf(free_one->name, sizeof free_one->name, "%s", name);
  return makes ? free_one : 0;
}

static int open_file(sqlite3_vfs *vfs, const char *name, sqlite3_file *file, int flags, int *out) {
  (void)vfs;
  struct handle *handle = (struct handle *)file;
  memset(handle, 0, sizeof *handle);
  struct node *node = name ? find(name, flags & SQLITE_OPEN_CREATE) : 0;
  if (!node || (!node->image.exists && !(flags & SQLITE_OPEN_CREATE))) return SQLITE_CANTOPEN;
  node->image.exists = true;
  handle->base.pMethods = &disk_methods;
  handle->node = node;
  if (out) *out = flags;
  return SQLITE_OK;
}

static int delete_file(sqlite3_vfs *vfs, const char *name, int syncs) {
  (void)vfs, (void)syncs;
  struct node *node = find(name, false);
  if (!node || !node->image.exists) return SQLITE_IOERR_DELETE_NOENT;
  disk_operate(false);
  disk_drop(&node->image);
  return SQLITE_OK;
}

static int access_file(sqlite3_vfs *vfs, const char *name, int flags, int *result) {
  (void)vfs, (void)flags;
  struct node *node = find(name, false);
  *result = node && node->image.exists;
  return SQLITE_OK;
}

static int full_path(sqlite3_vfs *vfs, const char *name, int count, char *out) {
  (void)vfs;
  snprintf(out, (size_t)count, "%s", name);
  return SQLITE_OK;
}

static int randomness(sqlite3_vfs *vfs, int count, char *out) {
  (void)vfs;
  simulated_fill((unsigned char *)out, count);
  return count;
}

static int sleep_for(sqlite3_vfs *vfs, int microseconds) {
  (void)vfs;
  simulated_advance_to(simulated_now() + (int64_t)microseconds * 1000);
  return microseconds;
}

static int current_time_64(sqlite3_vfs *vfs, sqlite3_int64 *time) {
  (void)vfs;
  *time = 210866760000000 + simulated_wall() / 1000000;
  return SQLITE_OK;
}

static int current_time(sqlite3_vfs *vfs, double *time) {
  sqlite3_int64 milliseconds;
  current_time_64(vfs, &milliseconds);
  *time = (double)milliseconds / 86400000.0;
  return SQLITE_OK;
}

static int last_error(sqlite3_vfs *vfs, int count, char *out) { return (void)vfs, (void)count, (void)out, 0; }

int simulated_disk_install(void) {
  static sqlite3_vfs layer = {
      .iVersion = 2, .szOsFile = sizeof(struct handle), .mxPathname = 95, .zName = "simulated", .xOpen = open_file,
      .xDelete = delete_file, .xAccess = access_file, .xFullPathname = full_path, .xRandomness = randomness,
      .xSleep = sleep_for, .xCurrentTime = current_time, .xGetLastError = last_error,
      .xCurrentTimeInt64 = current_time_64};
  unsigned char seed[8];
  simulated_fill(seed, 8);
  disk_seed(seed);
  return sqlite3_vfs_register(&layer, 1);
}

// A disk in memory as a file layer of SQLite's (sqlite.org/vfs.html): files, locks, the write-ahead log's shared memory, and for each file
// the writes since its last sync, each of which a power cut loses, keeps, or tears at 512 bytes.
#include "CSimulation.h"
#include "chance.h"
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { FILES = 8, REGIONS = 64, SECTOR = 512 };

struct bytes { unsigned char *base; int64_t size, room; };
/// A write, or with a `count` of -1 the cutting or lengthening to `offset`.
struct change { int64_t offset; int count; unsigned char *base; };

struct image {
  bool exists;
  struct bytes now, synced;
  bool is_synced;  // whether its name would survive
  struct change *changes;
  int count, room;
};

struct node {
  char name[96];
  struct image image, cut;
  int shared, reserved, pending, exclusive;
  unsigned char *regions[REGIONS];
  int users, shm_shared[SQLITE_SHM_NLOCK], shm_exclusive[SQLITE_SHM_NLOCK];
};

struct handle {
  sqlite3_file base;
  struct node *node;
  int lock, shm_shared, shm_exclusive;
  bool has_shm;
};

static struct node nodes[FILES];
static struct chance chance = {3};
static int64_t operations, cut_at = -1, fail_at = -1, lost, kept, torn;
static int fail_code;
static enum simulated_cut cut_kind;
static bool is_cut;

static void put(struct bytes *bytes, int64_t offset, const unsigned char *base, int count) {
  int64_t end = offset + count;
  if (end > bytes->room) {
    int64_t room = end * 2 + 65536;
    bytes->base = realloc(bytes->base, (size_t)room);
    memset(bytes->base + bytes->room, 0, (size_t)(room - bytes->room));
    bytes->room = room;
  }
  if (count) memcpy(bytes->base + offset, base, (size_t)count);
  if (end > bytes->size) bytes->size = end;
}

static void cut_to(struct bytes *bytes, int64_t size) {
  if (size < bytes->size) memset(bytes->base + size, 0, (size_t)(bytes->size - size));
  else put(bytes, size, 0, 0);
  bytes->size = size;
}

static void apply(struct bytes *bytes, const struct change *change) {
  if (change->count < 0) cut_to(bytes, change->offset);
  else put(bytes, change->offset, change->base, change->count);
}

static void forget(struct image *image) {
  for (int i = 0; i < image->count; i++) free(image->changes[i].base);
  image->count = 0;
}

static void sync_image(struct image *image) {
  for (int i = 0; i < image->count; i++) apply(&image->synced, &image->changes[i]);
  forget(image);
  image->is_synced = image->exists;
}

static void note(struct image *image, int64_t offset, const void *base, int count) {
  if (image->count == image->room) {
    image->room = image->room * 2 + 64;
    image->changes = realloc(image->changes, (size_t)image->room * sizeof(struct change));
  }
  struct change change = {offset, count, 0};
  if (count > 0) memcpy(change.base = malloc((size_t)count), base, (size_t)count);
  image->changes[image->count++] = change;
  apply(&image->now, &change);
}

static struct bytes copy(const struct bytes *bytes) {
  struct bytes new = {0};
  put(&new, 0, bytes->base, (int)bytes->size);
  return new;
}

static struct image copy_image(const struct image *image) {
  struct image new = {.exists = image->exists, .now = copy(&image->synced), .synced = copy(&image->synced),
                      .is_synced = image->is_synced};
  for (int i = 0; i < image->count; i++) note(&new, image->changes[i].offset, image->changes[i].base, image->changes[i].count);
  return new;
}

static void drop(struct image *image) {
  forget(image);
  free(image->changes);
  free(image->now.base);
  free(image->synced.base);
  memset(image, 0, sizeof *image);
}

/// Decides the disk's content afterwards: each write since the last sync is lost, kept or torn.
static void lose(struct image *image) {
  // a machine often stops with none of the writes done, or with all
  int mood = (int)(chance_next(&chance) % 4);
  for (int i = 0; i < image->count; i++) {
    struct change *change = &image->changes[i];
    uint64_t dice = chance_next(&chance) % 8;
    if (mood == 0 || (mood > 1 && dice < 4)) {
      lost++;
    } else if (mood == 1 || dice < 7 || change->count <= SECTOR) {
      apply(&image->synced, change);
      kept++;
    } else {
      torn++;
      for (int at = 0; at < change->count; at += SECTOR)
        if (chance_next(&chance) & 1)
          put(&image->synced, change->offset + at, change->base + at, change->count - at < SECTOR ? change->count - at : SECTOR);
    }
  }
  forget(image);
  free(image->now.base);
  image->now = copy(&image->synced);
  image->exists = image->is_synced;
}

static void freeze(void) {
  for (int i = 0; i < FILES; i++) nodes[i].cut = copy_image(&nodes[i].image);
  is_cut = true;
}

/// Counts an operation of the disk.
///
/// Returns an error code of SQLite's, if this one is to fail.
static int operate(bool may_fail) {
  operations++;
  if (operations == cut_at && !is_cut) freeze();
  if (!may_fail || operations < fail_at || fail_at < 0) return SQLITE_OK;
  fail_at = -1;
  return fail_code;
}

void simulated_disk_cut_at(int operation, enum simulated_cut cut) {
  cut_at = operations + operation;
  cut_kind = cut;
}
bool simulated_disk_is_cut(void) { return is_cut; }
void simulated_disk_fail_at(int operation, int code) {
  fail_at = operation < 0 ? -1 : operations + operation;
  fail_code = code;
}
int64_t simulated_disk_operations(void) { return operations; }
int64_t simulated_disk_lost(void) { return lost; }
int64_t simulated_disk_kept(void) { return kept; }
int64_t simulated_disk_torn(void) { return torn; }

void simulated_disk_restart(enum simulated_cut cut) {
  if (is_cut) cut = cut_kind;
  for (int i = 0; i < FILES; i++) {
    struct node *node = &nodes[i];
    if (is_cut) {
      drop(&node->image);
      node->image = node->cut;
      memset(&node->cut, 0, sizeof node->cut);
    }
    if (cut == SIMULATED_POWER) lose(&node->image);
    node->shared = node->reserved = node->pending = node->exclusive = node->users = 0;
    memset(node->shm_shared, 0, sizeof node->shm_shared);
    memset(node->shm_exclusive, 0, sizeof node->shm_exclusive);
    // not freed: a process that is gone in the simulation may still hold it
    memset(node->regions, 0, sizeof node->regions);
  }
  is_cut = false;
  cut_at = fail_at = -1;
}

bool simulated_disk_contains(const char *text, int count) {
  for (int i = 0; i < FILES; i++) {
    struct bytes *now = &nodes[i].image.now;
    for (int64_t at = 0; at + count <= now->size; at++) {
      unsigned char *next = memchr(now->base + at, text[0], (size_t)(now->size - count - at + 1));
      if (!next) break;
      at = next - now->base;
      if (!memcmp(next, text, (size_t)count)) return true;
    }
  }
  return false;
}

bool simulated_disk_save(const char *directory) {
  for (int i = 0; i < FILES; i++) {
    char path[512];
    if (!nodes[i].image.exists) continue;
    snprintf(path, sizeof path, "%s%s", directory, strrchr(nodes[i].name, '/') ? strrchr(nodes[i].name, '/') : nodes[i].name);
    FILE *file = fopen(path, "wb");
    if (!file) return false;
    fwrite(nodes[i].image.now.base, 1, (size_t)nodes[i].image.now.size, file);
    if (fclose(file)) return false;
  }
  return true;
}

// MARK: Files

static int close_file(sqlite3_file *file);

static int read_file(sqlite3_file *file, void *buffer, int count, sqlite3_int64 offset) {
  struct bytes *now = &((struct handle *)file)->node->image.now;
  int64_t there = offset < now->size ? now->size - offset : 0;
  if (there > count) there = count;
  if (there) memcpy(buffer, now->base + offset, (size_t)there);
  memset((char *)buffer + there, 0, (size_t)(count - there));
  return there == count ? SQLITE_OK : SQLITE_IOERR_SHORT_READ;
}

static int write_file(sqlite3_file *file, const void *buffer, int count, sqlite3_int64 offset) {
  int code = operate(true);
  if (code) return code == SQLITE_IOERR_FSYNC ? SQLITE_IOERR_WRITE : code;
  note(&((struct handle *)file)->node->image, offset, buffer, count);
  return SQLITE_OK;
}

static int truncate_file(sqlite3_file *file, sqlite3_int64 size) {
  operate(false);
  note(&((struct handle *)file)->node->image, size, 0, -1);
  return SQLITE_OK;
}

static int sync_file(sqlite3_file *file, int flags) {
  (void)flags;
  int code = operate(true);
  // a sync that has failed may have written some of it, and is not repeated
  if (code) return SQLITE_IOERR_FSYNC;
  sync_image(&((struct handle *)file)->node->image);
  return SQLITE_OK;
}

static int file_size(sqlite3_file *file, sqlite3_int64 *size) {
  *size = ((struct handle *)file)->node->image.now.size;
  return SQLITE_OK;
}

static int lock_file(sqlite3_file *file, int level) {
  struct handle *handle = (struct handle *)file;
  struct node *node = handle->node;
  if (level <= handle->lock) return SQLITE_OK;
  if (level == SQLITE_LOCK_SHARED) {
    if (node->exclusive || node->pending) return SQLITE_BUSY;
    node->shared++;
  } else if (level == SQLITE_LOCK_RESERVED) {
    if (node->reserved) return SQLITE_BUSY;
    node->reserved = 1;
  } else {
    if (handle->lock < SQLITE_LOCK_RESERVED && node->reserved) return SQLITE_BUSY;
    node->reserved = node->pending = 1;
    handle->lock = SQLITE_LOCK_PENDING;
    if (node->shared > 1) return SQLITE_BUSY;
    node->exclusive = 1;
  }
  handle->lock = level;
  return SQLITE_OK;
}

static int unlock_file(sqlite3_file *file, int level) {
  struct handle *handle = (struct handle *)file;
  struct node *node = handle->node;
  if (level >= handle->lock) return SQLITE_OK;
  if (handle->lock >= SQLITE_LOCK_RESERVED) node->reserved = node->pending = node->exclusive = 0;
  if (level == SQLITE_LOCK_NONE) node->shared--;
  handle->lock = level;
  return SQLITE_OK;
}

static int check_reserved(sqlite3_file *file, int *is_reserved) {
  *is_reserved = ((struct handle *)file)->node->reserved;
  return SQLITE_OK;
}

static int control(sqlite3_file *file, int operation, void *argument) {
  (void)file, (void)operation, (void)argument;
  return SQLITE_NOTFOUND;
}
static int sector_size(sqlite3_file *file) { return (void)file, 4096; }
static int characteristics(sqlite3_file *file) { return (void)file, SQLITE_IOCAP_POWERSAFE_OVERWRITE; }

// MARK: Shared memory

static int shm_map(sqlite3_file *file, int region, int size, int extend, void volatile **memory) {
  struct handle *handle = (struct handle *)file;
  if (region >= REGIONS) return SQLITE_IOERR_SHMMAP;
  if (!handle->has_shm) handle->has_shm = true, handle->node->users++;
  unsigned char **place = &handle->node->regions[region];
  if (!*place && extend) *place = calloc(1, (size_t)size);
  *memory = *place;
  return SQLITE_OK;
}

static int shm_lock(sqlite3_file *file, int first, int count, int flags) {
  struct handle *handle = (struct handle *)file;
  struct node *node = handle->node;
  int mask = ((1 << count) - 1) << first;
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

static void shm_barrier(sqlite3_file *file) { (void)file; }

static int shm_unmap(sqlite3_file *file, int deletes) {
  (void)deletes;
  struct handle *handle = (struct handle *)file;
  if (!handle->has_shm) return SQLITE_OK;
  handle->has_shm = false;
  if (--handle->node->users == 0)
    for (int i = 0; i < REGIONS; i++) free(handle->node->regions[i]), handle->node->regions[i] = 0;
  return SQLITE_OK;
}

static const sqlite3_io_methods methods = {
    .iVersion = 2, .xClose = close_file, .xRead = read_file, .xWrite = write_file, .xTruncate = truncate_file,
    .xSync = sync_file, .xFileSize = file_size, .xLock = lock_file, .xUnlock = unlock_file,
    .xCheckReservedLock = check_reserved, .xFileControl = control, .xSectorSize = sector_size,
    .xDeviceCharacteristics = characteristics, .xShmMap = shm_map, .xShmLock = shm_lock, .xShmBarrier = shm_barrier,
    .xShmUnmap = shm_unmap};

static int close_file(sqlite3_file *file) {
  unlock_file(file, SQLITE_LOCK_NONE);
  return SQLITE_OK;
}

// MARK: The layer

static struct node *find(const char *name, bool makes) {
  struct node *free_one = 0;
  for (int i = 0; i < FILES; i++) {
    if (!strcmp(nodes[i].name, name)) return &nodes[i];
    if (!nodes[i].name[0] && !free_one) free_one = &nodes[i];
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
  handle->base.pMethods = &methods;
  handle->node = node;
  if (out) *out = flags;
  return SQLITE_OK;
}

static int delete_file(sqlite3_vfs *vfs, const char *name, int syncs) {
  (void)vfs, (void)syncs;
  struct node *node = find(name, false);
  if (!node || !node->image.exists) return SQLITE_IOERR_DELETE_NOENT;
  operate(false);
  drop(&node->image);
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
  chance.state = (uint64_t)simulated_now();
  unsigned char seed[8];
  simulated_fill(seed, 8);
  memcpy(&chance.state, seed, 8);
  return sqlite3_vfs_register(&layer, 1);
}

// Files of the simulated disk and their locks, as SQLite asks for them (sqlite.org/c3ref/io_methods.html).
#include "disk.h"
#include <string.h>

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
  int code = disk_operate(true);
  if (code) return code == SQLITE_IOERR_FSYNC ? SQLITE_IOERR_WRITE : code;
  disk_note(&((struct handle *)file)->node->image, offset, buffer, count);
  return SQLITE_OK;
}

static int truncate_file(sqlite3_file *file, sqlite3_int64 size) {
  disk_operate(false);
  disk_note(&((struct handle *)file)->node->image, size, 0, -1);
  return SQLITE_OK;
}

static int sync_file(sqlite3_file *file, int flags) {
  (void)flags;
  int code = disk_operate(true);
  // a sync that has failed may have written some of the data, and will not write it again
  if (code) return SQLITE_IOERR_FSYNC;
  disk_sync(&((struct handle *)file)->node->image);
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

const sqlite3_io_methods disk_methods = {
    .iVersion = 2, .xClose = close_file, .xRead = read_file, .xWrite = write_file, .xTruncate = truncate_file,
    .xSync = sync_file, .xFileSize = file_size, .xLock = lock_file, .xUnlock = unlock_file,
    .xCheckReservedLock = check_reserved, .xFileControl = control, .xSectorSize = sector_size,
    .xDeviceCharacteristics = characteristics, .xShmMap = disk_shm_map, .xShmLock = disk_shm_lock, .xShmBarrier = disk_shm_barrier,
    .xShmUnmap = disk_shm_unmap};

static int close_file(sqlite3_file *file) {
  unlock_file(file, SQLITE_LOCK_NONE);
  return SQLITE_OK;
}

// The simulated disk's own: images of files, and the handles that SQLite has of them.
#pragma once
#include "CSimulation.h"
#include <sqlite3.h>

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

extern struct node disk_nodes[FILES];

// images.c
void disk_note(struct image *image, int64_t offset, const void *base, int count);
void disk_sync(struct image *image);
void disk_drop(struct image *image);
struct image disk_copy(const struct image *image);
void disk_lose(struct image *image);
void disk_seed(const unsigned char *seed);

// disk.c
int disk_operate(bool may_fail);
bool disk_is_locked_elsewhere(void);

// files.c and memory.c
extern const sqlite3_io_methods disk_methods;
int disk_shm_map(sqlite3_file *file, int region, int size, int extend, void volatile **memory);
int disk_shm_lock(sqlite3_file *file, int first, int count, int flags);
void disk_shm_barrier(sqlite3_file *file);
int disk_shm_unmap(sqlite3_file *file, int deletes);

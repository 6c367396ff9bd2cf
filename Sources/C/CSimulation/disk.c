// A disk in memory, which the world cuts off, starts anew and lets fail.
#include "disk.h"
#include <stdio.h>
#include <string.h>

struct node disk_nodes[FILES];
static int64_t operations, cut_at = -1, fail_at = -1;
static int fail_code, fail_times;
static enum simulated_cut cut_kind;
static bool is_cut;

static void freeze(void) {
  for (int i = 0; i < FILES; i++) disk_nodes[i].cut = disk_copy(&disk_nodes[i].image);
  is_cut = true;
}

/// Counts an operation of the disk.
///
/// Returns an error code of SQLite's, if this one is to fail.
int disk_operate(bool may_fail) {
  operations++;
  if (operations == cut_at && !is_cut) freeze();
  if (!may_fail || operations < fail_at || fail_at < 0) return SQLITE_OK;
  if (--fail_times <= 0) fail_at = -1;
  return fail_code;
}

void simulated_disk_cut_at(int operation, enum simulated_cut cut) {
  cut_at = operations + operation;
  cut_kind = cut;
}
bool simulated_disk_is_cut(void) { return is_cut; }
void simulated_disk_fail_at(int operation, int code, int times) {
  fail_at = operation < 0 ? -1 : operations + operation;
  fail_code = code;
  fail_times = times;
}

static int64_t locked_until, refused_locks;

bool disk_is_locked_elsewhere(void) {
  bool is_locked = simulated_now() < locked_until;
  refused_locks += is_locked;
  return is_locked;
}
void simulated_disk_lock_until(int64_t time) { locked_until = time; }
int64_t simulated_disk_refused_locks(void) { return refused_locks; }
int64_t simulated_disk_operations(void) { return operations; }

void simulated_disk_restart(enum simulated_cut cut) {
  if (is_cut) cut = cut_kind;
  for (int i = 0; i < FILES; i++) {
    struct node *node = &disk_nodes[i];
    if (is_cut) {
      disk_drop(&node->image);
      node->image = node->cut;
      memset(&node->cut, 0, sizeof node->cut);
    }
    if (cut == SIMULATED_POWER) disk_lose(&node->image);
    node->shared = node->reserved = node->pending = node->exclusive = node->users = 0;
    memset(node->shm_shared, 0, sizeof node->shm_shared);
    memset(node->shm_exclusive, 0, sizeof node->shm_exclusive);
    // not freed: a process that is gone in the simulation may still hold it
    memset(node->regions, 0, sizeof node->regions);
  }
  is_cut = false;
  cut_at = fail_at = -1;
  locked_until = 0;
}

bool simulated_disk_contains(const char *text, int count) {
  for (int i = 0; i < FILES; i++) {
    struct bytes *now = &disk_nodes[i].image.now;
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
    if (!disk_nodes[i].image.exists) continue;
    snprintf(path, sizeof path, "%s%s", directory, strrchr(disk_nodes[i].name, '/') ? strrchr(disk_nodes[i].name, '/') : disk_nodes[i].name);
    FILE *file = fopen(path, "wb");
    if (!file) return false;
    fwrite(disk_nodes[i].image.now.base, 1, (size_t)disk_nodes[i].image.now.size, file);
    if (fclose(file)) return false;
  }
  return true;
}

// The files of the simulated disk, each with its writes since the last sync. A power cut loses or keeps each of these
// writes, or tears it at 512 bytes.
#include "disk.h"
#include "chance.h"
#include <stdlib.h>
#include <string.h>

static struct chance chance = {3};
static int64_t lost, kept, torn;

void disk_seed(const unsigned char *seed) { memcpy(&chance.state, seed, sizeof chance.state); }

int64_t simulated_disk_lost(void) { return lost; }
int64_t simulated_disk_kept(void) { return kept; }
int64_t simulated_disk_torn(void) { return torn; }

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

void disk_sync(struct image *image) {
  for (int i = 0; i < image->count; i++) apply(&image->synced, &image->changes[i]);
  forget(image);
  image->is_synced = image->exists;
}

void disk_note(struct image *image, int64_t offset, const void *base, int count) {
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

struct image disk_copy(const struct image *image) {
  struct image new = {.exists = image->exists, .now = copy(&image->synced), .synced = copy(&image->synced),
                      .is_synced = image->is_synced};
  for (int i = 0; i < image->count; i++) disk_note(&new, image->changes[i].offset, image->changes[i].base, image->changes[i].count);
  return new;
}

void disk_drop(struct image *image) {
  forget(image);
  free(image->changes);
  free(image->now.base);
  free(image->synced.base);
  memset(image, 0, sizeof *image);
}

/// Decides the platter's content after a power cut: each write since the last sync is lost, kept or torn.
void disk_lose(struct image *image) {
  // often a machine stops when nothing was written, or when everything was
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

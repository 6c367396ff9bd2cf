#pragma once
#include <stdint.h>

// splitmix64 (G. Steele, D. Lea, C. Flood, 2014)
struct chance { uint64_t state; };

static inline uint64_t chance_next(struct chance *chance) {
  uint64_t z = (chance->state += 0x9E3779B97F4A7C15u);
  z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
  z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
  return z ^ (z >> 31);
}

int64_t simulated_wall(void);
void simulated_fill(unsigned char *bytes, int count);

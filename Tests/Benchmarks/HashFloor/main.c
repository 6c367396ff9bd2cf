// The baseline for registrations: how many Argon2id hashes libsodium alone makes per second.
//   hash-floor MEMORY_KIB PASSES THREADS SECONDS
// Prints hashes per second, then page faults and the kernel's milliseconds per hash.
#include <pthread.h>
#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>

static unsigned long long passes;
static size_t memory;
static double seconds;

static double now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

struct result {
  double rate;
  long count;
};

static void *work(void *result) {
  const char password[] = "a fine phrase";
  char text[crypto_pwhash_STRBYTES];
  double start = now(), end = start;
  long count = 0;
  for (; end - start < seconds; end = now(), count++) {
    if (crypto_pwhash_str(text, password, strlen(password), passes, memory) != 0) exit(1);
  }
  *(struct result *)result = (struct result){.rate = (double)count / (end - start), .count = count};
  return NULL;
}

int main(int argc, char **argv) {
  if (argc != 5 || sodium_init() < 0) return 2;
  memory = (size_t)atol(argv[1]) * 1024;
  passes = (unsigned long long)atol(argv[2]);
  int threads = atoi(argv[3]);
  seconds = atof(argv[4]);
  if (threads < 1 || threads > 256) return 2;
  pthread_t thread[256];
  struct result results[256];
  double rate = 0, count = 0;
  for (int i = 0; i < threads; i++) pthread_create(&thread[i], NULL, work, &results[i]);
  for (int i = 0; i < threads; i++) {
    pthread_join(thread[i], NULL);
    rate += results[i].rate;
    count += (double)results[i].count;
  }
  struct rusage usage;
  getrusage(RUSAGE_SELF, &usage);
  double kernel = (double)usage.ru_stime.tv_sec * 1e3 + (double)usage.ru_stime.tv_usec / 1e3;
  printf("%.3f\n%.0f %.2f\n", rate, (double)usage.ru_minflt / count, kernel / count);
  return 0;
}

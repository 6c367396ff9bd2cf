// Starts a program again and again as pam_exec(8) does, with a password on standard input, and measures each run.
//   login-floor COUNT STATUS PASSWORD PROGRAM [ARGUMENT]...
// Prints a line for each run: milliseconds from fork(2) to the program's end, and its peak memory in KiB (getrusage(2)).
// The peak includes this small program's own memory before the exec. Fails if a run ends with another exit status than STATUS.
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static double now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (double)time.tv_sec * 1e3 + (double)time.tv_nsec / 1e6;
}

static void become(int input, char **words) {
  const int nothing = open("/dev/null", O_WRONLY);
  dup2(input, STDIN_FILENO);
  dup2(nothing, STDOUT_FILENO);
  dup2(nothing, STDERR_FILENO);
  close(input);
  close(nothing);
  execv(words[0], words);
  _exit(127);
}

int main(int count, char **words) {
  if (count < 5) return 2;
  const long runs = atol(words[1]);
  const int wanted = atoi(words[2]);
  const char *password = words[3];
  for (long run = 0; run < runs; run++) {
    int ends[2], status;
    struct rusage usage;
    if (pipe(ends) != 0 || write(ends[1], password, strlen(password)) < 0) return 1;
    close(ends[1]);
    const double start = now();
    const pid_t child = fork();
    if (child == 0) become(ends[0], words + 4);
    close(ends[0]);
    if (child < 0 || wait4(child, &status, 0, &usage) != child) return 1;
    const double end = now();
    if (!WIFEXITED(status) || WEXITSTATUS(status) != wanted) {
      fprintf(stderr, "%s ended with the wait status %d\n", words[4], status);
      return 1;
    }
    printf("%.3f %ld\n", end - start, usage.ru_maxrss);
  }
  return 0;
}

#include "CCommandLine.h"

// A function of Swift's standard library. From this call on, CommandLine returns these arguments. Swift does not copy
// the arguments, but they remain in memory while the process runs.
extern void _swift_stdlib_overrideUnsafeArgvArgc(char **arguments, int count);

// glibc passes main's arguments to each constructor.
__attribute__((constructor)) static void give_command_line(int count, char **arguments) {
  _swift_stdlib_overrideUnsafeArgvArgc(arguments, count);
}

// Forwards functions to a Debian library that is loaded at the first call and not with the program: mapping and
// relocating libcurl and its 26 libraries took 5 ms of every start, and most starts call none of them. systemd loads
// its own the same way.
//
// Include this file once, with these defined:
//   LIBRARY       its soname
//   WHY           the name of the function that returns the loader's message if the library cannot be loaded, or NULL
//   FUNCTIONS(F)  an F for each function: result, name, parameters, arguments, and the result without the library
//   VARIADIC(F)   an F with the name of each function that cannot be forwarded but is called through `loaded`, or empty
//
// Include dlfcn.h, pthread.h, stddef.h and stdio.h first, with the default visibility.

#define LATE_MEMBER(result, name, ...) __typeof__(&name) name;
#define LATE_VARIADIC_MEMBER(name) __typeof__(&name) name;
static struct { FUNCTIONS(LATE_MEMBER) VARIADIC(LATE_VARIADIC_MEMBER) } loaded;
static char failure[512];

static void load(void) {
  // never closed, because its threads and its atexit handlers remain
  void *const library = dlopen(LIBRARY, RTLD_NOW | RTLD_LOCAL);
#define LATE_VARIADIC_FIND(name) \
  if (failure[0] == 0 && (library == NULL || (loaded.name = (__typeof__(&name))dlsym(library, #name)) == NULL)) \
    snprintf(failure, sizeof failure, "%s", dlerror());
#define LATE_FIND(result, name, ...) LATE_VARIADIC_FIND(name)
  FUNCTIONS(LATE_FIND)
  VARIADIC(LATE_VARIADIC_FIND)
}

static int is_there(void) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once(&once, load);
  return failure[0] == 0;
}

const char *WHY(void) { return is_there() ? NULL : failure; }

#define LATE_FORWARD(result, name, parameters, arguments, otherwise) \
  result name parameters { return is_there() ? loaded.name arguments : otherwise; }
FUNCTIONS(LATE_FORWARD)

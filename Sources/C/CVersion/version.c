#include "CVersion.h"

// In C, because the Swift compiler takes no text from its command line. `make release` and `make deb` name the commit
// (Package.swift).
#ifndef REGD_VERSION
#define REGD_VERSION "0.1.0+dev"
#endif

const char *regd_version(void) { return REGD_VERSION; }

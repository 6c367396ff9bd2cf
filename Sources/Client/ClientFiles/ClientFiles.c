#include "ClientFiles.h"

// In C, because SwiftPM's `.embedInCode` writes a file as a Swift array with a number for each byte. The Swift compiler needs more than a
// minute for 100 kB of them in a debug build (swiftlang/swift-package-manager#6923). Clang reads the file itself, and compiles this module
// again when the file changes.
#pragma clang diagnostic ignored "-Wc23-extensions"

const char *client_file_go(void) {
  static const char text[] = {
#embed "regd.go" suffix(, 0)
  };
  return text;
}

const char *client_file_php(void) {
  static const char text[] = {
#embed "regd.php" suffix(, 0)
  };
  return text;
}

const char *client_file_python(void) {
  static const char text[] = {
#embed "regd.py" suffix(, 0)
  };
  return text;
}

const char *client_file_typescript(void) {
  static const char text[] = {
#embed "regd.ts" suffix(, 0)
  };
  return text;
}

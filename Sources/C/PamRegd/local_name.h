// The name before the @ of a login, as regd compares it.
#pragma once
#include <stddef.h>

enum name_kind {
  // the login's account is not in the domain, or has a character that no name of a user of this machine has
  no_name,
  one_name,
  // the login has a letter of a rare kind, such as a mathematical one, which regd treats as an ASCII letter
  unclear_name,
};

// Writes the name that the login's account has in the domain. A login without an @ is in the domain.
enum name_kind local_name(const char *login, const char *domain, char *to, size_t most);

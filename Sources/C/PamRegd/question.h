// One question of regd's: session.signIn over its Unix socket.
#pragma once
#include "reply.h"

#include <stdbool.h>
#include <stddef.h>

struct question {
  // the socket's path; if it does not begin with a slash, the answer is away
  const char *path;
  // completes a login without an @; NULL if no domain completes it
  const char *domain;
  const char *login, *password;
  // the person's origin; NULL or "" if there is no origin
  const char *origin;
  // how many seconds to wait for the answer; a later answer counts as away
  int seconds;
};

// Asks once, and waits for the answer. Uses no threads, processes or signals. If regd closes the connection, the answer
// is away.
struct answer question_ask(const struct question *question);

// Copies a login without the spaces and invisible marks before and after it, which regd ignores. Returns false if the
// copy does not fit.
bool question_trimmed(const char *login, char *to, size_t most);

// The number of bytes of the first character of a NUL-terminated text; 0 if that is not UTF-8.
size_t character(const unsigned char *text);

// The code point of the character in the first `bytes` bytes of a text.
unsigned code_point(const unsigned char *text, size_t bytes);

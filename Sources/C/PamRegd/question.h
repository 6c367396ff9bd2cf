// One question of regd's: session.signIn over its Unix socket.
#pragma once
#include "reply.h"

#include <stdbool.h>
#include <stddef.h>

// The most groups of a question, and the most bytes of a group's name.
enum { most_groups = 64, most_of_a_group = 32 };

struct question {
  // The socket's path. If it does not begin with a slash, the answer is away.
  const char *path;
  // completes a login without an @, or NULL if no domain completes it
  const char *domain;
  const char *login, *password;
  // the person's origin, or NULL or "" if there is no origin
  const char *origin;
  // Names of groups. If there are any, the account must be in one of them.
  const char *groups[most_groups];
  size_t group_count;
  // How many seconds to wait for the answer. A later answer counts as away.
  int seconds;
};

// Adds a group's name to the question. Returns false if the text is not such a name ([a-z0-9][a-z0-9._-]{0,31}), or if the
// question has `most_groups` groups.
bool question_add_group(struct question *question, const char *name);

// Asks once, and waits for the answer. Uses no threads, processes or signals. If regd closes the connection, the answer
// is away.
struct answer question_ask(const struct question *question);

// Copies a login without the spaces and invisible marks before and after it, which regd ignores. Returns false if the
// copy does not fit.
bool question_trimmed(const char *login, char *to, size_t most);

// The number of bytes of the first character of a NUL-terminated text, or 0 if the character is not UTF-8.
size_t character(const unsigned char *text);

// The code point of the character in the first `bytes` bytes of a text.
unsigned code_point(const unsigned char *text, size_t bytes);

// One question of regd's: session.signIn over its Unix socket.
#pragma once
#include "reply.h"

struct question {
  // the socket's path
  const char *path;
  // completes a login without an @; NULL for nothing
  const char *domain;
  const char *login, *password;
  // the person's origin; NULL or "" for nowhere
  const char *origin;
  // in seconds; a later answer counts as away
  int seconds;
};

// Asks once, and waits for the answer. Uses no threads, processes or signals. If regd closes the connection, the answer
// is away.
struct answer question_ask(const struct question *question);

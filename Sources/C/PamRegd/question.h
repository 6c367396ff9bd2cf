// One question of regd's: session.signIn over its Unix socket.
#pragma once
#include "reply.h"

struct question {
  // the socket's path
  const char *path;
  // what a login without an @ is completed with; NULL for nothing
  const char *domain;
  const char *login, *password;
  // where the person comes from; NULL or "" for nowhere
  const char *origin;
  // later is away
  int seconds;
};

// Asks once, and waits for the answer. Neither threads, nor processes, nor signals: a peer that goes is an answer, away.
struct answer question_ask(const struct question *question);

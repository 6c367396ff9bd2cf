// Reads one reply of regd's to session.signIn.
#pragma once
#include <stddef.h>

// What an answer, or none, means. The same four as `Verdict` of the doors; a test holds the two tables equal.
enum verdict { right, wrong, refused, away };

struct answer {
  enum verdict verdict;
  // regd's reason; "" for none, and for one that is no name
  char reason[64];
};

// The meaning of one text of JSON. What is no reply to the request with the id 1 is away.
struct answer reply_read(const char *bytes, size_t count);

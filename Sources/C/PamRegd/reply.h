// Reads one reply of regd's to session.signIn.
#pragma once
#include <stddef.h>

// The meaning of an answer, or of its absence: the same four values as `LoginVerdict` of the doors, from which reasons.h is
// generated.
enum verdict { right, wrong, refused, away };

struct answer {
  enum verdict verdict;
  // regd's reason, or "" if it is missing or not a name
  char reason[64];
};

// The meaning of one text of JSON. Away, unless it is a reply to the request with the id 1.
struct answer reply_read(const char *bytes, size_t count);

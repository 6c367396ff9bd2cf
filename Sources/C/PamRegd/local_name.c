#include "local_name.h"

#include "question.h"

#include <stdbool.h>
#include <string.h>

// `unclear` replaces a character that regd may read as one or more ASCII characters, `foreign` any other beyond ASCII.
enum { unclear = 1, foreign = 2 };

// Whether a character's form in NFKC, case-folded, may be ASCII. Some of these blocks also contain other characters. A
// login that consists only of such letters is refused, which affects only people with such logins.
static bool may_become_ascii(unsigned c) {
  static const struct {
    unsigned first, last;
  } blocks[] = {
      {0xAA, 0xAA},     {0xB2, 0xB3},     {0xB9, 0xBA},     {0x1C7, 0x1CC},     {0x1F1, 0x1F3},     {0x2B0, 0x2B8},
      {0x2E0, 0x2E4},   {0x1D2C, 0x1DBF}, {0x2000, 0x2BFF}, {0x2C7C, 0x2C7D},   {0x3002, 0x3002},   {0x3200, 0x33FF},
      {0xA7F2, 0xA7F4}, {0xFB00, 0xFB29}, {0xFE10, 0xFE6F}, {0xFF61, 0xFF61},   {0x10780, 0x107BF}, {0x1D400, 0x1D7FF},
      {0x1F100, 0x1F1FF}, {0x1FBF0, 0x1FBF9},
  };
  for (size_t block = 0; block < sizeof blocks / sizeof *blocks; block++) {
    if (c >= blocks[block].first && c <= blocks[block].last) return true;
  }
  return false;
}

// The ASCII form that regd uses for one of a few characters beyond ASCII, or NULL for any other character.
static const char *others(unsigned c) {
  switch (c) {
    case 0xDF:
    case 0x1E9E: return "ss";
    case 0x132:
    case 0x133: return "ij";
    case 0x17F: return "s";
    case 0x212A: return "k";
    default: return NULL;
  }
}

// Writes a text in the form in which regd compares it, as far as that is ASCII. Returns false if it does not fit.
static bool folded(const char *text, char *to, size_t most) {
  size_t length = 0;
  for (const unsigned char *next = (const unsigned char *)text; *next;) {
    const size_t bytes = character(next);
    unsigned c = bytes ? code_point(next, bytes) : foreign;
    next += bytes ? bytes : 1;
    const char *more = others(c);
    if (length + 3 > most) return false;
    if (more) {
      while (*more) to[length++] = *more++;
      continue;
    }
    // the full-width forms of ASCII
    if (c > 0xFF00 && c < 0xFF5F) c -= 0xFEE0;
    if (c >= 'A' && c <= 'Z') c += 'a' - 'A';
    to[length++] = (char)(c < 0x80 ? c : may_become_ascii(c) ? unclear : foreign);
  }
  to[length] = '\0';
  return true;
}

// Whether a domain's name has a form in which it may be another domain.
static bool has_forms(const char *domain) { return strpbrk(domain, "\1\2") || strstr(domain, "xn--"); }

static bool is_in(const char *domain, const char *other) {
  return has_forms(domain) || has_forms(other) || strcmp(domain, other) == 0;
}

enum name_kind local_name(const char *login, const char *domain, char *to, size_t most) {
  char typed[1024], whole[1024], other[1024];
  // no name of a user is that long
  if (!question_trimmed(login, typed, sizeof typed) || !folded(typed, whole, sizeof whole)) return no_name;
  char *at = strrchr(whole, '@');
  if (at) {
    *at = '\0';
    if (!domain || !*domain || !folded(domain, other, sizeof other) || !is_in(at + 1, other)) return no_name;
  }
  const size_t length = strlen(whole);
  if (length == 0 || length >= most || strchr(whole, foreign)) return no_name;
  if (strchr(whole, unclear)) return unclear_name;
  memcpy(to, whole, length + 1);
  return one_name;
}

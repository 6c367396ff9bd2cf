#include "reply.h"
#include "reasons.h"

#include <stdbool.h>
#include <string.h>

// A text that is read from its front. Every function here moves `next` past the part that it has read, or returns
// false: then the text is not JSON, and reading ends.
struct reader {
  const char *next, *end;
};

// The members of a reply that count.
struct reply {
  bool has_id, has_result, has_error, has_account, has_data, has_reason;
  // false if regd reports on the connection, and closes it
  bool is_to_this_request;
  const char *reason;
  size_t reason_length;
};

typedef bool member(struct reader *, const char *name, size_t length, struct reply *);

// regd's own replies are 6 deep
static const int deepest = 32;

static void skip_space(struct reader *text) {
  while (text->next < text->end && strchr(" \t\r\n", *text->next) && *text->next) text->next++;
}

static bool skip(struct reader *text, char wanted) {
  if (text->next == text->end || *text->next != wanted) return false;
  text->next++;
  return true;
}

static bool is_hexadecimal(char c) {
  return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
}

// Reads a string, still escaped, without its quotes.
static bool string(struct reader *text, const char **start, size_t *length) {
  if (!skip(text, '"')) return false;
  *start = text->next;
  while (text->next < text->end) {
    const unsigned char c = (unsigned char)*text->next++;
    if (c == '"') {
      *length = (size_t)(text->next - 1 - *start);
      return true;
    }
    if (c < 0x20) return false;
    if (c != '\\') continue;
    if (text->next == text->end) return false;
    const char escaped = *text->next++;
    if (escaped == '\0' || !strchr("\"\\/bfnrtu", escaped)) return false;
    for (int digits = 0; escaped == 'u' && digits < 4; digits++) {
      if (text->next == text->end || !is_hexadecimal(*text->next++)) return false;
    }
  }
  return false;
}

static bool digits(struct reader *text) {
  const char *start = text->next;
  while (text->next < text->end && *text->next >= '0' && *text->next <= '9') text->next++;
  return text->next > start;
}

static bool number(struct reader *text) {
  (void)skip(text, '-');
  if (!skip(text, '0') && !digits(text)) return false;
  if (skip(text, '.') && !digits(text)) return false;
  if (!skip(text, 'e') && !skip(text, 'E')) return true;
  if (!skip(text, '-')) (void)skip(text, '+');
  return digits(text);
}

static bool word(struct reader *text, const char *wanted) {
  const size_t length = strlen(wanted);
  if ((size_t)(text->end - text->next) < length || memcmp(text->next, wanted, length) != 0) return false;
  text->next += length;
  return true;
}

static bool object(struct reader *text, int depth, member *read, struct reply *reply);

// Skips any value.
static bool value(struct reader *text, int depth) {
  const char *start;
  size_t length;
  if (depth > deepest || text->next == text->end) return false;
  switch (*text->next) {
    case '{': return object(text, depth, NULL, NULL);
    case '"': return string(text, &start, &length);
    case 't': return word(text, "true");
    case 'f': return word(text, "false");
    case 'n': return word(text, "null");
    case '[': break;
    default: return number(text);
  }
  text->next++;
  skip_space(text);
  if (skip(text, ']')) return true;
  do {
    skip_space(text);
    if (!value(text, depth + 1)) return false;
    skip_space(text);
  } while (skip(text, ','));
  return skip(text, ']');
}

// An object, whose values `read` reads. If `read` is NULL, all values are skipped. None of regd's names has an escape.
static bool object(struct reader *text, int depth, member *read, struct reply *reply) {
  const char *name;
  size_t length;
  if (depth > deepest || !skip(text, '{')) return false;
  skip_space(text);
  if (skip(text, '}')) return true;
  do {
    skip_space(text);
    if (!string(text, &name, &length)) return false;
    if (read && memchr(name, '\\', length)) return false;
    skip_space(text);
    if (!skip(text, ':')) return false;
    skip_space(text);
    if (!(read ? read(text, name, length, reply) : value(text, depth + 1))) return false;
    skip_space(text);
  } while (skip(text, ','));
  return skip(text, '}');
}

static bool is(const char *wanted, const char *name, size_t length) {
  return strlen(wanted) == length && memcmp(wanted, name, length) == 0;
}

// Notes that the member occurred. Returns false the second time.
static bool once(bool *has) {
  const bool is_first = !*has;
  *has = true;
  return is_first;
}

static bool result_member(struct reader *text, const char *name, size_t length, struct reply *reply) {
  if (!is("account", name, length)) return value(text, 3);
  return once(&reply->has_account) && object(text, 3, NULL, NULL);
}

static bool data_member(struct reader *text, const char *name, size_t length, struct reply *reply) {
  if (!is("reason", name, length)) return value(text, 4);
  return once(&reply->has_reason) && string(text, &reply->reason, &reply->reason_length);
}

static bool error_member(struct reader *text, const char *name, size_t length, struct reply *reply) {
  if (!is("data", name, length)) return value(text, 3);
  return once(&reply->has_data) && object(text, 3, data_member, reply);
}

static bool reply_member(struct reader *text, const char *name, size_t length, struct reply *reply) {
  if (is("id", name, length)) {
    const char *start = text->next;
    if (!once(&reply->has_id) || !(word(text, "null") || number(text))) return false;
    reply->is_to_this_request = is("1", start, (size_t)(text->next - start));
    return true;
  }
  if (is("result", name, length)) return once(&reply->has_result) && object(text, 2, result_member, reply);
  if (is("error", name, length)) return once(&reply->has_error) && object(text, 2, error_member, reply);
  return value(text, 2);
}

static enum verdict verdict_of(const char *reason) {
  for (size_t index = 0; index < sizeof reasons / sizeof *reasons; index++) {
    if (strcmp(reason, reasons[index].name) == 0) return reasons[index].verdict;
  }
  return away;
}

// Whether a reason is a name, which may be written to a log.
static bool is_name(const char *start, size_t length) {
  for (size_t index = 0; index < length; index++) {
    const char c = start[index];
    if (!((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '.')) return false;
  }
  return length > 0;
}

struct answer reply_read(const char *bytes, size_t count) {
  struct answer answer = {.verdict = away, .reason = ""};
  struct reply reply = {0};
  struct reader text = {.next = bytes, .end = bytes + count};
  skip_space(&text);
  if (!object(&text, 1, reply_member, &reply)) return answer;
  skip_space(&text);
  if (text.next != text.end || !reply.has_id || reply.has_result == reply.has_error) return answer;
  if (reply.has_account) {
    if (reply.is_to_this_request) answer.verdict = right;
  } else if (reply.has_reason && reply.reason_length < sizeof answer.reason &&
             is_name(reply.reason, reply.reason_length)) {
    memcpy(answer.reason, reply.reason, reply.reason_length);
    answer.reason[reply.reason_length] = '\0';
    if (reply.is_to_this_request) answer.verdict = verdict_of(answer.reason);
  }
  return answer;
}

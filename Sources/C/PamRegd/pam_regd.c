// pam_regd.so socket=PATH domain=D group=NAME seconds=N system_users: signs in with regd. For programs in which pam_exec cannot
// wait for its child, or that prefer to start none: plain C, without a thread, a process or a signal handler in another
// program's daemon.
#include "local_name.h"
#include "question.h"
#include "system_user.h"

#include <security/pam_ext.h>
#include <security/pam_modules.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <syslog.h>

#define SEEN __attribute__((visibility("default")))

// The value of an argument NAME=VALUE, or NULL if the argument has another name.
static const char *value_of(const char *argument, const char *name) {
  const size_t length = strlen(name);
  return strncmp(argument, name, length) == 0 && argument[length] == '=' ? argument + length + 1 : NULL;
}

struct arguments {
  struct question question;
  // whether names of this machine's own users may sign in
  bool allows_system_users;
};

// Returns false if all users must be refused, because an argument about groups is wrong: without it, every user could
// sign in.
static bool read_arguments(pam_handle_t *handle, int count, const char **arguments, struct arguments *read) {
  struct question *question = &read->question;
  bool has_its_groups = true;
  for (int index = 0; index < count; index++) {
    const char *value;
    if ((value = value_of(arguments[index], "socket"))) {
      question->path = value;
      if (*value != '/') pam_syslog(handle, LOG_ERR, "socket=%s is not a path that begins with a slash", value);
    } else if ((value = value_of(arguments[index], "domain"))) {
      question->domain = value;
    } else if (strncmp(arguments[index], "group", strlen("group")) == 0) {
      value = value_of(arguments[index], "group");
      if (value && question_add_group(question, value)) continue;
      has_its_groups = false;
      pam_syslog(handle, LOG_ERR, "%s is not group=NAME, up to %d times, with a name of 1 to %d lower-case letters, digits, "
                 "\".\", \"_\" or \"-\"; no user can sign in", arguments[index], most_groups, most_of_a_group);
    } else if ((value = value_of(arguments[index], "seconds")) && atoi(value) >= 1 && atoi(value) <= 60) {
      question->seconds = atoi(value);
    } else if (strcmp(arguments[index], "system_users") == 0) {
      read->allows_system_users = true;
    } else {
      pam_syslog(handle, LOG_ERR,
                 "%s is not an argument; use socket=PATH, domain=DOMAIN, group=NAME, seconds=1 to 60, system_users",
                 arguments[index]);
    }
  }
  return has_its_groups;
}

// Whether this machine has a user of that name. The program would admit its caller as that user. A person who registers
// root@DOMAIN must therefore not become root, in whatever spelling: ROOT is the same account.
static enum existence is_system_user(const struct question *question) {
  char name[256];
  enum existence seen[] = {system_user(question->login), absent, absent};
  if (question_trimmed(question->login, name, sizeof name)) seen[1] = system_user(name);
  switch (local_name(question->login, question->domain, name, sizeof name)) {
    case no_name: break;
    case one_name: seen[2] = system_user(name); break;
    case unclear_name: return present;
  }
  enum existence all = absent;
  for (size_t index = 0; index < sizeof seen / sizeof *seen; index++) {
    if (seen[index] == present) return present;
    if (seen[index] == unclear) all = unclear;
  }
  return all;
}

// The result when libpam could not give a value: nothing is decided.
static int missing(int code) { return code == PAM_CONV_AGAIN ? PAM_INCOMPLETE : PAM_AUTHINFO_UNAVAIL; }

SEEN int pam_sm_authenticate(pam_handle_t *handle, int flags, int count, const char **arguments) {
  (void)flags;
  struct arguments read = {.question = {.path = "/run/regd/regd.sock", .seconds = 8}};
  struct question *question = &read.question;
  if (!read_arguments(handle, count, arguments, &read)) return PAM_AUTHINFO_UNAVAIL;
  const void *origin = NULL;
  int code = pam_get_user(handle, &question->login, NULL);
  if (code != PAM_SUCCESS || !question->login) return missing(code);
  code = pam_get_authtok(handle, PAM_AUTHTOK, &question->password, NULL);
  if (code != PAM_SUCCESS || !question->password) return missing(code);
  if (pam_get_item(handle, PAM_RHOST, &origin) == PAM_SUCCESS) question->origin = origin;
  const struct answer answer = question_ask(question);
  switch (answer.verdict) {
    case right:
      // checked only now, so that a caller without the password cannot find out which users this machine has
      switch (read.allows_system_users ? absent : is_system_user(question)) {
        case absent: return PAM_SUCCESS;
        case present:
          pam_syslog(handle, LOG_WARNING,
                     "refused: regd has an account for the login of a user of this machine (use system_users to allow this)");
          return PAM_PERM_DENIED;
        case unclear: break;
      }
      pam_syslog(handle, LOG_ERR, "the look-up of this machine's users failed, so no user can sign in (see getent passwd)");
      return PAM_AUTHINFO_UNAVAIL;
    case wrong: return PAM_AUTH_ERR;
    case refused: return PAM_PERM_DENIED;
    case away: break;
  }
  pam_syslog(handle, LOG_ERR, "%s gives no answer: %s", question->path, *answer.reason ? answer.reason : "it is away");
  return PAM_AUTHINFO_UNAVAIL;
}

SEEN int pam_sm_setcred(pam_handle_t *handle, int flags, int count, const char **arguments) {
  (void)handle, (void)flags, (void)count, (void)arguments;
  return PAM_SUCCESS;
}

// regd only identifies a person. Other modules do the rest.
#define IGNORED(name)                                                                     \
  SEEN int name(pam_handle_t *handle, int flags, int count, const char **arguments) {     \
    (void)handle, (void)flags, (void)count, (void)arguments;                              \
    return PAM_IGNORE;                                                                    \
  }
IGNORED(pam_sm_acct_mgmt)
IGNORED(pam_sm_open_session)
IGNORED(pam_sm_close_session)
IGNORED(pam_sm_chauthtok)

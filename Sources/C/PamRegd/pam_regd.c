// pam_regd.so socket=PATH domain=D seconds=N: signs in with regd. For programs in which pam_exec cannot wait for its
// child, or that prefer to start none: plain C, without a thread, a process or a signal handler in another program's
// daemon.
#include "question.h"

#include <security/pam_ext.h>
#include <security/pam_modules.h>
#include <stdlib.h>
#include <string.h>
#include <syslog.h>

#define SEEN __attribute__((visibility("default")))

// The value of an argument NAME=VALUE; NULL if the argument has another name.
static const char *value_of(const char *argument, const char *name) {
  const size_t length = strlen(name);
  return strncmp(argument, name, length) == 0 && argument[length] == '=' ? argument + length + 1 : NULL;
}

static void read_arguments(pam_handle_t *handle, int count, const char **arguments, struct question *question) {
  for (int index = 0; index < count; index++) {
    const char *value;
    if ((value = value_of(arguments[index], "socket"))) {
      question->path = value;
    } else if ((value = value_of(arguments[index], "domain"))) {
      question->domain = value;
    } else if ((value = value_of(arguments[index], "seconds")) && atoi(value) >= 1 && atoi(value) <= 60) {
      question->seconds = atoi(value);
    } else {
      pam_syslog(handle, LOG_ERR, "%s is none of socket=PATH, domain=DOMAIN, seconds=1 to 60", arguments[index]);
    }
  }
}

// The result when libpam could not give a value: nothing is decided.
static int missing(int code) { return code == PAM_CONV_AGAIN ? PAM_INCOMPLETE : PAM_AUTHINFO_UNAVAIL; }

SEEN int pam_sm_authenticate(pam_handle_t *handle, int flags, int count, const char **arguments) {
  (void)flags;
  struct question question = {.path = "/run/regd/regd.sock", .seconds = 8};
  read_arguments(handle, count, arguments, &question);
  const void *origin = NULL;
  int code = pam_get_user(handle, &question.login, NULL);
  if (code != PAM_SUCCESS || !question.login) return missing(code);
  code = pam_get_authtok(handle, PAM_AUTHTOK, &question.password, NULL);
  if (code != PAM_SUCCESS || !question.password) return missing(code);
  if (pam_get_item(handle, PAM_RHOST, &origin) == PAM_SUCCESS) question.origin = origin;
  const struct answer answer = question_ask(&question);
  switch (answer.verdict) {
    case right: return PAM_SUCCESS;
    case wrong: return PAM_AUTH_ERR;
    case refused: return PAM_PERM_DENIED;
    case away: break;
  }
  pam_syslog(handle, LOG_ERR, "%s gives no answer: %s", question.path, *answer.reason ? answer.reason : "it is away");
  return PAM_AUTHINFO_UNAVAIL;
}

SEEN int pam_sm_setcred(pam_handle_t *handle, int flags, int count, const char **arguments) {
  (void)handle, (void)flags, (void)count, (void)arguments;
  return PAM_SUCCESS;
}

// regd only identifies a person; other modules do the rest.
#define IGNORED(name)                                                                     \
  SEEN int name(pam_handle_t *handle, int flags, int count, const char **arguments) {     \
    (void)handle, (void)flags, (void)count, (void)arguments;                              \
    return PAM_IGNORE;                                                                    \
  }
IGNORED(pam_sm_acct_mgmt)
IGNORED(pam_sm_open_session)
IGNORED(pam_sm_close_session)
IGNORED(pam_sm_chauthtok)

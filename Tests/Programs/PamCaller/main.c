// pam-caller DIRECTORY SERVICE USER [RHOST]: signs in like a daemon, by the service's file in the directory, with the
// password from standard input. Prints libpam's answers: the codes of pam_authenticate(3) and pam_setcred(3), and the
// messages that libpam asked it to show.
#include <security/pam_appl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static char password[4096];

static int converse(int count, const struct pam_message **messages, struct pam_response **responses, void *asked) {
  struct pam_response *all = calloc((size_t)count, sizeof *all);
  if (!all) return PAM_BUF_ERR;
  for (int index = 0; index < count; index++) {
    if (messages[index]->msg_style == PAM_PROMPT_ECHO_OFF) {
      ++*(int *)asked;
      all[index].resp = strdup(password);
    } else {
      printf("shown: %s\n", messages[index]->msg);
    }
  }
  *responses = all;
  return PAM_SUCCESS;
}

static const char *name(int code) {
  switch (code) {
    case PAM_SUCCESS: return "PAM_SUCCESS";
    case PAM_AUTH_ERR: return "PAM_AUTH_ERR";
    case PAM_PERM_DENIED: return "PAM_PERM_DENIED";
    case PAM_AUTHINFO_UNAVAIL: return "PAM_AUTHINFO_UNAVAIL";
    case PAM_SYSTEM_ERR: return "PAM_SYSTEM_ERR";
    case PAM_IGNORE: return "PAM_IGNORE";
    default: return "another code";
  }
}

int main(int count, char **arguments) {
  if (count < 4) return 2;
  size_t length = 0;
  ssize_t got;
  while ((got = read(STDIN_FILENO, password + length, sizeof password - 1 - length)) > 0) length += (size_t)got;
  int asked = 0;
  const struct pam_conv conversation = {.conv = converse, .appdata_ptr = &asked};
  pam_handle_t *handle = NULL;
  int code = pam_start_confdir(arguments[2], arguments[3], &conversation, arguments[1], &handle);
  if (code != PAM_SUCCESS) {
    printf("pam_start: %d\n", code);
    return 1;
  }
  if (count > 4) pam_set_item(handle, PAM_RHOST, arguments[4]);
  code = pam_authenticate(handle, 0);
  printf("%s %d\n", name(code), code);
  if (code == PAM_SUCCESS) printf("setcred %s\n", name(pam_setcred(handle, PAM_ESTABLISH_CRED)));
  printf("asked %d\n", asked);
  return pam_end(handle, code) == PAM_SUCCESS ? 0 : 1;
}

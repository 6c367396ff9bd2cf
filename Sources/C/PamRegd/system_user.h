// The users of this machine.
#pragma once

enum existence {
  absent,
  present,
  // the service of nsswitch.conf(5) that decides could not be asked, so the user may exist
  unclear,
};

// Whether this machine has a user of that name. pam_modutil_getpwnam(3) would report an outage as absence.
enum existence system_user(const char *name);

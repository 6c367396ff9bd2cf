/// Help of `regctl pam` and `regctl helper`, which other programs start.
package enum DoorHelp: String, SentenceKey {
  case pam =
    "help.door.pam: Signs in for PAM: pam_exec gives it PAM_USER, PAM_RHOST and, with expose_authtok, the password."
  case pamMore = """
    help.door.pamMore: \
    Exit status: 0 right; 1 wrong, or the account may not sign in; 75 if regd decides nothing. pam_exec makes one code of \
    all but 0, so its stack asks again with --wrong and --refused.
    """
  case wrong = "help.door.wrong: Exit status 0 if the password is wrong, and only then."
  case refused =
    "help.door.refused: Exit status 0 if the password is right and the account may not sign in, and only then."
  case systemUsers =
    "help.door.systemUsers: Let names of this machine's own users (root, daemon …) sign in; otherwise they are refused."
  case helper = "help.door.helper: Signs in for other programs, in protocols of theirs."
  case ejabberd = "help.door.ejabberd: Answers ejabberd's auth_method: external."
  case ejabberdMore = """
    help.door.ejabberdMore: \
    1 is yes, 0 no, 2 that regd decides nothing. What goes beyond signing in needs a socket where that is allowed to this \
    user.
    """
  case apache = "help.door.apache: Answers one question of Apache's mod_authnz_external (pipe)."
  case apacheMore =
    "help.door.apacheMore: Exit status: 0 right; 1 wrong, or the account may not sign in; 75 if regd decides nothing."
  case squid = "help.door.squid: Answers Squid's auth_param basic program, with and without concurrency."
  case squidMore =
    "help.door.squidMore: OK, ERR, ERR with a reason where the account may not sign in, BH where regd decides nothing."
  case checkpassword =
    "help.door.checkpassword: Reads name and password from descriptor 3, and runs a program with USER=NAME."
  case checkpasswordMore =
    "help.door.checkpasswordMore: Exit status: that of the program; 1 wrong, or the account may not sign in; 111 if regd decides nothing."
  case program = "help.door.program: The program, and its arguments."
  case domain = "help.door.domain: Completes a login without an @."
  case seconds = "help.door.seconds: Seconds to wait for an answer, 1 to 60; later nothing is decided."
  case json = "help.door.json: Report errors as JSON on standard error."
}

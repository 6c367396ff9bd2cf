/// Help of `regctl pam` and `regctl helper`, which other programs start.
package enum DoorHelp: String, SentenceKey {
  package static let area = "help.door"

  case pam = "Signs in for PAM: pam_exec gives it PAM_USER, PAM_RHOST and, with expose_authtok, the password."
  case pamMore = """
    Exit status: 0 right; 1 wrong, or the account may not sign in; 75 if regd decides nothing. pam_exec makes one code of \
    all but 0, so its stack asks again with --wrong and --refused.
    """
  case wrong = "Exit status 0 if the password is wrong, and only then."
  case refused = "Exit status 0 if the password is right and the account may not sign in, and only then."
  case helper = "Signs in for other programs, in protocols of theirs."
  case ejabberd = "Answers ejabberd's auth_method: external."
  case ejabberdMore = """
    1 is yes, 0 no, 2 that regd decides nothing. What goes beyond signing in needs a socket where that is allowed to this \
    user.
    """
  case apache = "Answers one question of Apache's mod_authnz_external (pipe)."
  case apacheMore =
    "Exit status: 0 right; 1 wrong, or the account may not sign in; 75 if regd decides nothing."
  case squid = "Answers Squid's auth_param basic program, with and without concurrency."
  case squidMore = "OK, ERR, ERR with a reason where the account may not sign in, BH where regd decides nothing."
  case checkpassword = "Reads name and password from descriptor 3, and runs a program with USER=NAME."
  case checkpasswordMore =
    "Exit status: that of the program; 1 wrong, or the account may not sign in; 111 if regd decides nothing."
  case program = "The program, and its arguments."
  case domain = "Completes a login without an @."
  case seconds = "Seconds to wait for an answer, 1 to 60; later nothing is decided."
  case json = "Report errors as JSON on standard error."
}

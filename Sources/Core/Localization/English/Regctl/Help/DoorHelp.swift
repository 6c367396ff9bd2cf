/// Help of `regctl pam` and `regctl helper`, which other programs start.
package enum DoorHelp: String, MessageKey {
  case pam =
    "help.door.pam: Check a sign-in for PAM: pam_exec passes PAM_USER, PAM_RHOST and, with expose_authtok, the password"
  case pamMore = """
    help.door.pamMore: \
    Exit status: 0 if the password is correct; 1 if it is incorrect, or the account is not allowed to sign in; 75 if \
    regd is unavailable. pam_exec treats all exit statuses except 0 alike, so a PAM stack can run the command again \
    with --wrong or --refused to tell these cases apart.
    """
  case wrong = "help.door.wrong: Return exit status 0 only if the password is incorrect"
  case refused =
    "help.door.refused: Return exit status 0 only if the password is correct but the account is not allowed to sign in"
  case systemUsers =
    "help.door.systemUsers: Allow the names of this machine's own users, such as root (default: refuse these names)"
  case group = """
    help.door.group: \
    Let only members of this group sign in; repeat the option for several groups (default: all accounts)
    """
  case helper = "help.door.helper: Check sign-ins for other programs, using their own protocols"
  case ejabberd = "help.door.ejabberd: Answer requests from ejabberd (auth_method: external)"
  case ejabberdMore = """
    help.door.ejabberdMore: \
    Answers 1 for yes, 0 for no, and 2 if regd is unavailable. All commands except auth need a socket on which this \
    user is allowed to use them.
    """
  case apache = "help.door.apache: Answer one request from Apache's mod_authnz_external (pipe)"
  case apacheMore = """
    help.door.apacheMore: \
    Exit status: 0 if the password is correct; 1 if it is incorrect, or the account is not allowed to sign in; 75 if \
    regd is unavailable.
    """
  case squid = "help.door.squid: Answer requests from Squid (auth_param basic program), with or without concurrency"
  case squidMore = """
    help.door.squidMore: \
    Answers OK if the password is correct, ERR if it is incorrect, ERR with a reason if the account is not allowed to \
    sign in, and BH if regd is unavailable.
    """
  case checkpassword = """
    help.door.checkpassword: \
    Read a name and a password from file descriptor 3, and run a program with USER=NAME if they are correct
    """
  case checkpasswordMore = """
    help.door.checkpasswordMore: \
    Exit status: that of the program if the password is correct; 1 if it is incorrect, or the account is not allowed \
    to sign in; 111 if regd is unavailable or the program cannot be started.
    """
  case program = "help.door.program: Program to run, and its arguments"
  case domain = "help.door.domain: Domain to append to a login without an @ (default: none)"
  case seconds = "help.door.seconds: Seconds to wait for an answer before treating regd as unavailable, 1 to 60"
  case json = "help.door.json: Print errors as JSON on standard error"
}

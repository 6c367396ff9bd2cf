import RegdClient
import RegdProcesses
import TestKit
import Testing

@Suite("The programs that regctl becomes", .blocking, .timeLimit(.minutes(10)))
struct OtherProgramTests {
  @Test("a missing program is named with its package, and a sign-in does not take it for a wrong password")
  func missing() throws {
    try TemporaryDirectory.with { directory in
      try Shell.check(
        [
          ("cp $regctl .", 0, ""), ("./regctl backup b", 1, "cannot find regd-tools in "),
          ("./regctl move --to /x", 1, "the package regd installs it"),
          ("./regctl migrate", 1, "cannot find regd-tools in "),
          ("./regctl matrix", 1, "the package regd-devtools installs it"),
          ("./regctl matrix --json", 1, #""reason":"refused""#),
          ("printf x | PAM_USER=a@x.org ./regctl pam", 75, "cannot find regd-login in "),
          ("printf x | PAM_USER=a@x.org ./regctl pam --wrong", 75, "cannot find regd-login in "),
          ("./regctl helper apache </dev/null", 75, "cannot find regd-login in "),
          ("./regctl helper checkpassword true", 111, "cannot find regd-login in "),
          ("./regctl helper squid </dev/null", 1, "cannot find regd-login in "),
          ("printf x | PAM_USER=a@x.org ./regctl pam --json", 75, #"{"code":75,"message":"cannot find regd-login in "#),
          // regctl itself answers these
          ("./regctl backup --help", 0, "USAGE: regctl backup "), ("./regctl help matrix", 0, "USAGE: regctl matrix "),
          ("./regctl pam --help", 0, "USAGE: regctl pam "), ("./regctl matrix --jobs 0", 2, "--jobs must be from 1"),
        ], "/nonexistent/s", in: directory)
    }
  }

  @Test("if the file of a program is damaged, regctl fails and accepts no password")
  func damaged() throws {
    try TemporaryDirectory.with { directory in
      let wrong = "cannot be opened: Exec format error"
      try Shell.check(
        [
          ("cp $regctl . && touch regd-login regd-tools && chmod 755 regd-login regd-tools", 0, ""),
          ("printf x | PAM_USER=a@x.org ./regctl pam", 75, "regd-login \(wrong)"),
          ("printf x | PAM_USER=a@x.org ./regctl pam --", 75, "regd-login \(wrong)"),
          ("./regctl helper apache </dev/null", 75, "regd-login \(wrong)"),
          ("./regctl helper checkpassword true", 111, "regd-login \(wrong)"),
          ("./regctl backup b --database d", 1, "regd-tools \(wrong)"),
          // a shell could read this one
          ("echo exit 0 >regd-login && printf x | PAM_USER=a@x.org ./regctl pam", 75, "regd-login \(wrong)"),
        ], "/nonexistent/s", in: directory)
    }
  }

  @Test("regctl does not run a program next to it that belongs to another user", .needsRoot)
  func planted() throws {
    try TemporaryDirectory.with { directory in
      try Shell.check(
        [
          ("cp $regctl . && cp ${regctl%/*}/regd-tools . && chown 65534 regd-tools", 0, ""),
          ("./regctl migrate --store notes", 1, "cannot find regd-tools in "),
          ("ln -sf ${regctl%/*}/regd-tools . && chown -h 65534 regd-tools", 0, ""),
          ("./regctl migrate --store notes", 1, "cannot find regd-tools in "),
          ("chown -h 0 regd-tools && ./regctl migrate --store notes", 2, "or a path that begins with /"),
          ("chown 65534 regctl && chown -h 65534 regd-tools", 0, ""),
          ("./regctl migrate --store notes", 2, "or a path that begins with /"),
        ], "/nonexistent/s", in: directory)
    }
  }

  @Test("a regctl that has the name of another program does not start itself again and again")
  func renamed() throws {
    try TemporaryDirectory.with { directory in
      try Shell.check(
        [
          ("cp $regctl . && cp regctl regd-login && ln -s regctl regd-tools", 0, ""),
          ("printf x | PAM_USER=a@x.org timeout 60 ./regctl pam", 75, "cannot find regd-login in "),
          ("timeout 60 ./regctl backup b", 1, "cannot find regd-tools in "),
        ], "/nonexistent/s", in: directory)
    }
  }

  @Test("an installed regctl finds the programs in libexec/regd")
  func installed() throws {
    try TemporaryDirectory.with { directory in
      try Shell.check(
        [
          ("mkdir -p bin libexec/regd && cp $regctl bin && ln -s ${regctl%/*}/regd-tools libexec/regd", 0, ""),
          ("bin/regctl migrate --store notes", 2, "or a path that begins with /"),
        ], "/nonexistent/s", in: directory)
    }
  }

  @Test("regd-login, when it is started directly, answers as regctl does, and uses its own name in messages")
  func direct() throws {
    let login = "${regctl%/*}/regd-login"
    let regd = AnsweringRegd { params in
      let isRight = params["password"]?.string == "right"
      return AnsweringRegd.reply(isRight ? AnsweringRegd.right : AnsweringRegd.refusal("credentials.rejected"))
    }
    try regd.with { directory in
      try Shell.check(
        [
          (login, 2, "regd-login: use regd-login pam"), ("\(login) --help", 0, "use regd-login pam"),
          ("PAM_USER=a \(login) pam --nonsense", 2, "regd-login: Unknown option '--nonsense'"),
          ("PAM_USER=a \(login) pam --group Staff", 2, "--group \"Staff\" is not allowed"),
          ("PAM_USER=a \(login) pam --seconds 0 --json", 2, #"{"code":2,"message":"--seconds must be from 1 to 60"#),
          ("printf right | \(login) pam", 2, "PAM_USER is not set"),
          ("\(login) helper checkpassword", 2, "give the program to run"),
          ("printf right | PAM_USER=a@x.org \(login) pam", 0, ""),
          ("printf bad | PAM_USER=a@x.org \(login) pam", 1, ""),
          ("printf bad | PAM_USER=a@x.org \(login) pam --wrong", 0, ""),
          (#"printf 'a@x.org\nright\n' | \#(login) helper apache"#, 0, ""),
          ("echo a@x.org right | \(login) helper squid", 0, "OK"),
          ("printf x | PAM_USER=a@x.org \(login) pam --socket /nonexistent/s", 75, "regd-login: cannot connect"),
          ("printf x | PAM_USER=a@x.org $regctl pam --socket /nonexistent/s", 75, "regctl: cannot connect"),
          ("printf x | PAM_USER=a $regctl pam --socket - --domain x.org", 75, "regctl: cannot connect"),
          ("PAM_USER=a \(login) $(printf 'a\\377')", 2, "is not UTF-8"),
        ], "\(directory)/s")
    }
  }
}

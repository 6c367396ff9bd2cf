import DoorHelpers
import Glibc
import Linux
import LoginVerdicts
import Reasons
import RegdClient
import RegdProcesses
import TestDoubles
import TestKit
import Testing

@Suite("PAM", .blocking, .timeLimit(.minutes(10)))
struct PAMTests {
  private static let ends: [LoginVerdict: String] = [
    .right: "PAM_SUCCESS", .wrong: "PAM_AUTH_ERR", .refused: "PAM_PERM_DENIED", .away: "PAM_AUTHINFO_UNAVAIL",
  ]

  @Test("the shipped stack and the module return all four results, with a running regd and without one")
  func ends() throws {
    try TemporaryDirectory.with { directory in
      try withRegd { regd in try ends(regd, directory) }
    }
  }

  /// - Parameter directory: A directory for passwords, because regd's own directory is searched for them.
  private func ends(_ regd: RunningRegd, _ directory: String) throws {
    try PAM.stack(directory, socket: regd.socket, "--domain Test.com")
    try PAM.service(directory, "socket=\(regd.socket) domain=Test.com")
    try Shell.check(
      [
        ("echo 'a fine phrase' | $regctl register ann@test.com --password-stdin", 0, ""),
        ("echo 'a fine phrase' | $regctl register off@test.com --password-stdin", 0, ""),
        ("$regctl account disable off@test.com", 0, ""),
        ("printf 'a fine phrase' | PAM_USER=ann $regctl pam", 1, ""),
      ], regd.socket)
    for service in ["stack", "module"] {
      for (user, password, code) in [
        ("ann", "a fine phrase", "PAM_SUCCESS"), ("ANN@test.com", "a fine phrase", "PAM_SUCCESS"),
        ("ann", "a bad phrase", "PAM_AUTH_ERR"), ("nobody", "a fine phrase", "PAM_AUTH_ERR"),
        ("ann", "", "PAM_AUTH_ERR"), ("off", "a fine phrase", "PAM_PERM_DENIED"), ("off", "another", "PAM_AUTH_ERR"),
      ] {
        let output = try PAM.signIn(service, user, password, in: directory)
        #expect(PAM.code(output) == code, "\(service) \(user): \(output)")
        #expect(output.contains("asked 1"), "\(output)")
        // pam_setcred(3) uses the same stack
        #expect(output.contains("setcred PAM_SUCCESS") == (code == "PAM_SUCCESS"), "\(output)")
      }
    }
    regd.process.end()
    for service in ["stack", "module"] {
      let output = try PAM.signIn(service, "ann", "a fine phrase", in: directory)
      #expect(PAM.code(output) == "PAM_AUTHINFO_UNAVAIL", "\(output)")
    }
  }

  @Test("with groups, the shipped stack and the module refuse other accounts, and only after the correct password")
  func groups() throws {
    try TemporaryDirectory.with { directory in
      try withRegd { regd in
        try PAM.stack(directory, socket: regd.socket, "--domain test.com --group staff --group guests")
        try PAM.service(directory, "socket=\(regd.socket) domain=test.com group=staff group=guests")
        try Shell.check(
          [
            ("echo 'a fine phrase' | $regctl register ann@test.com --password-stdin", 0, ""),
            ("echo 'a fine phrase' | $regctl register bob@test.com --password-stdin", 0, ""),
            ("echo 'a fine phrase' | $regctl register off@test.com --password-stdin", 0, ""),
            (#"$regctl call account.addGroups '{"email":"ann@test.com","groups":["guests"]}'"#, 0, ""),
            ("$regctl account disable off@test.com", 0, ""),
          ], regd.socket)
        for service in ["stack", "module"] {
          for (user, password, code) in [
            ("bob", "a bad phrase", "PAM_AUTH_ERR"), ("bob", "a fine phrase", "PAM_PERM_DENIED"),
            ("off", "a fine phrase", "PAM_PERM_DENIED"), ("ann", "a bad phrase", "PAM_AUTH_ERR"),
            ("ann", "a fine phrase", "PAM_SUCCESS"),
          ] {
            let output = try PAM.signIn(service, user, password, in: directory)
            #expect(PAM.code(output) == code, "\(service) \(user): \(output)")
          }
        }
        try Shell.check(
          [(#"$regctl call account.removeGroups '{"email":"ann@test.com","groups":["guests"]}'"#, 0, "")], regd.socket)
        for service in ["stack", "module"] {
          let output = try PAM.signIn(service, "ann", "a fine phrase", in: directory)
          #expect(PAM.code(output) == "PAM_PERM_DENIED", "\(service): \(output)")
        }
      }
    }
  }

  @Test("a text that is not the name of a group lets nobody in, and regd is not asked")
  func wrongGroups() throws {
    let seen = Seen()
    let regd = AnsweringRegd { params in
      seen.add(params["groups"]?.array?.compactMap(\.string).joined(separator: " ") ?? "")
      return AnsweringRegd.reply(AnsweringRegd.right)
    }
    let long = String(repeating: "g", count: 33)
    let many = (0..<65).map { "g\($0)" }
    try regd.with { directory in
      let wrong = ["=", "", "s=staff", "=Staff", "=-a", "=ä", "=a,b", "=\(long)", "=staff group=Staff"]
      for arguments in wrong.map({ "group\($0)" }) + [many.map { "group=\($0)" }.joined(separator: " ")] {
        try PAM.service(directory, "\(arguments) socket=\(directory)/s")
        let output = try PAM.signIn("module", "ann@x.org", "right", in: directory)
        #expect(PAM.code(output) == "PAM_AUTHINFO_UNAVAIL", "\(arguments): \(output)")
      }
      let options = ["''", "Staff", "ä", "a,b", long, "staff --group Staff", many.joined(separator: " --group ")]
      for option in options {
        for more in ["", "--wrong", "--refused"] {
          let command = "printf right | PAM_USER=ann@x.org $regctl pam \(more) --group \(option)"
          try Shell.check([(command, 2, "is not allowed; a group name has 1 to 32")], "\(directory)/s")
        }
      }
      try PAM.stack(directory, socket: "\(directory)/s", "--group Staff")
      let output = try PAM.signIn("stack", "ann@x.org", "right", in: directory)
      #expect(PAM.code(output) == "PAM_AUTHINFO_UNAVAIL", "\(output)")
      #expect(seen.take().isEmpty)
      let most = Array(many.prefix(63)) + [String(repeating: "g", count: 32)]
      try PAM.service(directory, "socket=\(directory)/s " + most.map { "group=\($0)" }.joined(separator: " "))
      #expect(PAM.code(try PAM.signIn("module", "ann@x.org", "right", in: directory)) == "PAM_SUCCESS")
      #expect(seen.take() == [most.joined(separator: " ")])
    }
  }

  @Test("regctl pam exits with 0 only for the verdict that its options ask for")
  func statuses() throws {
    let regd = AnsweringRegd { params in
      let reason = params["password"]?.string ?? ""
      return AnsweringRegd.reply(reason == "right" ? AnsweringRegd.right : AnsweringRegd.refusal(reason))
    }
    try regd.with { directory in
      for (password, statuses) in [
        ("right", [0, 1, 1]), ("credentials.rejected", [1, 0, 1]), ("account.pending", [1, 1, 0]),
        ("group.required", [1, 1, 0]),
        ("store.unavailable", [75, 75, 75]), ("no.such.reason", [75, 75, 75]),
      ] as [(String, [Int32])] {
        for (option, status) in zip(["", "--wrong", "--refused"], statuses) {
          let command = "printf \(password) | PAM_USER=ann@x.org $regctl pam \(option)"
          #expect(try Shell.run(command, "\(directory)/s").status == status, "\(password) \(option)")
        }
      }
      try Shell.check(
        [
          ("printf x | $regctl pam", 2, "PAM_USER"),
          (
            "PAM_USER=a@x.org $regctl pam --wrong --refused", 2, "--wrong and --refused cannot be combined"
          ),
          ("printf right | PAM_USER=a@x.org $regctl pam --seconds 61", 2, "--seconds"),
          ("printf right | PAM_USER=a@x.org $regctl pam --socket /nonexistent/s", 75, "cannot connect"),
          ("printf 'right\\0more' | PAM_USER=a@x.org $regctl pam", 0, ""),
          ("printf right | PAM_USER=a $regctl pam --domain x.org", 0, ""),
          // a door of regd may complete the login
          ("printf right | PAM_USER=a $regctl pam", 0, ""), ("printf '' | PAM_USER=a@x.org $regctl pam", 1, ""),
          ("printf right | PAM_USER=$(printf 'a\\377@x.org') $regctl pam", 1, ""),
        ], "\(directory)/s")
    }
  }

  @Test("an account with the name of a local user does not sign in as that user, unless the operator allows it")
  func systemUsers() throws {
    let regd = AnsweringRegd { params in
      let isRight = params["password"]?.string == "right"
      let right = AnsweringRegd.right.replacing("\"Ann@x.org\"", with: params["email"]?.text ?? "")
      return AnsweringRegd.reply(isRight ? right : AnsweringRegd.refusal("credentials.rejected"))
    }
    try regd.with { directory in
      try PAM.stack(directory, socket: "\(directory)/s", "--domain x.org")
      try PAM.service(directory, "socket=\(directory)/s domain=x.org")
      for service in ["stack", "module"] {
        for (user, password, code) in [
          ("root", "right", "PAM_PERM_DENIED"), ("root ", "right", "PAM_PERM_DENIED"), ("root", "bad", "PAM_AUTH_ERR"),
          ("daemon", "right", "PAM_PERM_DENIED"), ("ann", "right", "PAM_SUCCESS"),
          // other spellings of the same account, and accounts of another domain
          ("ROOT", "right", "PAM_PERM_DENIED"), (" Root ", "right", "PAM_PERM_DENIED"),
          ("ｒｏｏｔ", "right", "PAM_PERM_DENIED"), ("𝐫oot", "right", "PAM_PERM_DENIED"),
          ("ſync", "right", "PAM_PERM_DENIED"), ("root@x.org", "right", "PAM_PERM_DENIED"),
          ("Root@X.org", "right", "PAM_PERM_DENIED"), ("root@ｘ.org", "right", "PAM_PERM_DENIED"),
          ("ROOT", "bad", "PAM_AUTH_ERR"), ("root@y.org", "right", "PAM_SUCCESS"),
          ("röot", "right", "PAM_SUCCESS"), ("roots", "right", "PAM_SUCCESS"),
        ] {
          let output = try PAM.signIn(service, user, password, in: directory)
          #expect(PAM.code(output) == code, "\(service) \(user): \(output)")
        }
      }
      try PAM.service(directory, "socket=\(directory)/s domain=x.org system_users")
      #expect(PAM.code(try PAM.signIn("module", "root", "right", in: directory)) == "PAM_SUCCESS")
      try Shell.check(
        [
          ("printf right | PAM_USER=root $regctl pam --domain x.org", 1, "user of this machine"),
          ("printf right | PAM_USER=root $regctl pam --domain x.org --refused", 0, "user of this machine"),
          ("printf right | PAM_USER=root $regctl pam --domain x.org --wrong", 1, ""),
          ("printf right | PAM_USER=root $regctl pam --domain x.org --system-users", 0, ""),
          ("printf right | PAM_USER=ROOT $regctl pam --domain x.org", 1, "user of this machine"),
          ("printf right | PAM_USER=root@x.org $regctl pam --domain x.org", 1, "user of this machine"),
          ("printf right | PAM_USER=root@x.org $regctl pam --domain x.org --system-users", 0, ""),
          ("printf right | PAM_USER=root@x.org $regctl pam", 0, ""),
          ("printf bad | PAM_USER=root $regctl pam --domain x.org --wrong", 0, ""),
        ], "\(directory)/s")
    }
  }

  /// A service of nsswitch.conf(5) that does not answer.
  private static let silentService = """
    #include <errno.h>
    #include <nss.h>
    #include <pwd.h>
    enum nss_status _nss_away_getpwnam_r(const char *name, struct passwd *to, char *buffer, size_t size, int *error) {
      *error = ECONNREFUSED;
      return NSS_STATUS_UNAVAIL;
    }
    """

  @Test("if this machine's users cannot be looked up, a correct password decides nothing", .needsRoot)
  func unknownUsers() throws {
    let regd = AnsweringRegd { params in
      let isRight = params["password"]?.string == "right"
      return AnsweringRegd.reply(isRight ? AnsweringRegd.right : AnsweringRegd.refusal("credentials.rejected"))
    }
    try regd.with { directory in
      try TextFile.write(Self.silentService, to: "\(directory)/away.c")
      try TextFile.write("passwd: files away\n", to: "\(directory)/nsswitch.conf")
      let clang = ["clang", "-shared", "-fPIC", "-o", "\(directory)/libnss_away.so.2", "\(directory)/away.c"]
      _ = try Program.run(clang, in: directory)
      // in a separate mount namespace, with other services of the machine's users
      func alone(_ command: String) -> String {
        let mount = "mount --bind \(directory)/nsswitch.conf /etc/nsswitch.conf"
        return "unshare -m sh -c \"\(mount) && export LD_LIBRARY_PATH=\(directory) && \(command)\""
      }
      for (user, password, option, status, says) in [
        ("ann", "right", "", 75, "look-up"), ("ann", "right", "--wrong", 75, ""),
        ("ann", "right", "--refused", 75, "look-up"), ("ann", "right", "--system-users", 0, ""),
        ("root", "right", "", 1, "user of this machine"), ("ann", "bad", "", 1, ""), ("ann", "bad", "--wrong", 0, ""),
      ] as [(String, String, String, Int32, String)] {
        let command = alone("printf \(password) | PAM_USER=\(user) $regctl pam --domain x.org \(option)")
        try Shell.check([(command, status, says)], "\(directory)/s")
      }
      for (arguments, user, password, code) in [
        ("", "ann", "right", "PAM_AUTHINFO_UNAVAIL"), ("", "root", "right", "PAM_PERM_DENIED"),
        ("", "ann", "bad", "PAM_AUTH_ERR"), ("system_users", "ann", "right", "PAM_SUCCESS"),
      ] {
        try PAM.service(directory, "socket=\(directory)/s domain=x.org \(arguments)")
        let caller = "printf \(password) | \(Places.products)/pam-caller \(directory) module \(user)"
        let output = try Shell.run(alone(caller), "", in: directory).output
        #expect(PAM.code(output) == code, "\(user) \(arguments): \(output)")
      }
    }
  }

  @Test("only absolute socket paths are accepted; an empty path would be an abstract socket, which anyone may bind")
  func sockets() throws {
    let regd = AnsweringRegd { _ in AnsweringRegd.reply(AnsweringRegd.right) }
    try regd.with { directory in
      for path in ["", "s", "./s", "\(directory.dropFirst())/s"] {
        try PAM.service(directory, "socket=\(path) seconds=1")
        let output = try PAM.signIn("module", "a@x.org", "right", in: directory)
        #expect(PAM.code(output) == "PAM_AUTHINFO_UNAVAIL", "\(path): \(output)")
      }
      #expect(try Shell.run("printf right | PAM_USER=a@x.org $regctl pam --socket ''", "").status == 75)
    }
    #expect(throws: SystemError.self) { try SocketAddress(path: "") }
    #expect(throws: SystemError.self) { try SocketAddress(path: "\0x") }
  }

  @Test("a name with a line feed and a password that is too long are wrong, without a question to regd")
  func impossible() throws {
    let seen = Seen()
    let regd = AnsweringRegd { params in
      seen.add(params["email"]?.string ?? "")
      return AnsweringRegd.reply(AnsweringRegd.right)
    }
    try regd.with { directory in
      try PAM.service(directory, "socket=\(directory)/s domain=x.org")
      for user in ["ann\n", "ann\nroot", "\tann", "ann\u{2028}", " "] {
        #expect(PAM.code(try PAM.signIn("module", user, "right", in: directory)) == "PAM_AUTH_ERR", "\(user)")
      }
      try Shell.check(
        [
          ("printf right | PAM_USER=$(printf 'ann\\nb') $regctl pam", 1, ""),
          ("head -c 70000 /dev/zero | tr '\\0' p | PAM_USER=a@x.org $regctl pam", 1, ""),
          ("head -c 2000000 /dev/zero | tr '\\0' p | PAM_USER=a@x.org $regctl pam", 1, ""),
          ("{ echo a@x.org; head -c 2000000 /dev/zero | tr '\\0' p; echo; } | $regctl helper apache", 1, ""),
          ("printf 'a@x.org\\nright\\n\\n' | $regctl helper apache", 1, ""),
        ], "\(directory)/s")
      #expect(seen.take().isEmpty)
      #expect(PAM.code(try PAM.signIn("module", " ann ", "right", in: directory)) == "PAM_SUCCESS")
      #expect(seen.take() == ["ann@x.org"])
    }
  }

  @Test("the module and the table of verdicts agree on all of regd's reasons")
  func reasons() throws {
    let regd = AnsweringRegd { params in
      AnsweringRegd.reply(AnsweringRegd.refusal(params["password"]?.string ?? ""))
    }
    try regd.with { directory in
      try PAM.service(directory, "socket=\(directory)/s")
      let reasons = (ErrorReason.ofApplication + ErrorReason.ofProtocol).map(\.name) + ["credentials.rejecteD", "x"]
      #expect(reasons.count > 40)
      for reason in reasons {
        let output = try PAM.signIn("module", "ann@x.org", reason, in: directory)
        #expect(PAM.code(output) == Self.ends[LoginVerdict(reason: reason)], "\(reason): \(output)")
      }
      // regd is also asked about a login without a domain, because its door may complete the login
      #expect(PAM.code(try PAM.signIn("module", "ann", "server.busy", in: directory)) == "PAM_AUTHINFO_UNAVAIL")
    }
  }

  @Test("the module accepts only a complete reply to its own request")
  func replies() throws {
    let account = AnsweringRegd.right
    let good = AnsweringRegd.reply(account)
    let others = [
      good.dropLast() + "x\n", good.dropLast(2) + "\n", String(good.dropLast()), "\n", "", "[]\n", "null\n",
      good.replacing("\"id\":1,", with: ""), good.replacing("\"id\":1,", with: "\"id\":2,"),
      good.replacing("\"id\":1,", with: "\"id\":1,\"id\":1,"), good.replacing("\"id\":1,", with: "\"id\":\"1\","),
      good.replacing("\"id\":1,", with: "\"id\":null,"), good.replacing("\"id\":1,", with: "\"id\":1.0,"),
      "{\"id\":1,\"result\":{}}\n", "{\"id\":1,\"result\":{\"account\":null}}\n", "{\"id\":1,\"result\":true}\n",
      "{\"id\":1,\(account),\(AnsweringRegd.refusal("store.full"))}\n",
      "{\"id\":1,\(AnsweringRegd.refusal("credentials.rejecte\\u0064"))}\n",
      good.replacing("\"active\"", with: String(repeating: "[", count: 100) + String(repeating: "]", count: 100)),
      good.replacing("active", with: String(repeating: "a", count: 40_000)),
      good.replacing("active", with: "a\u{1}"), good.replacing("active", with: "\\x"),
      good.replacing("\"1\"", with: "01"),
    ].map { String($0) }
    let regd = AnsweringRegd { params in Int(params["password"]?.string ?? "").map { others[$0] } ?? good }
    try regd.with { directory in
      try PAM.service(directory, "socket=\(directory)/s seconds=2")
      for index in others.indices {
        let output = try PAM.signIn("module", "ann@x.org", "\(index)", in: directory)
        #expect(PAM.code(output) == "PAM_AUTHINFO_UNAVAIL", "\(others[index].prefix(200)): \(output)")
      }
      #expect(PAM.code(try PAM.signIn("module", "ann@x.org", "good", in: directory)) == "PAM_SUCCESS")
    }
  }

  @Test("the module and regctl pam send the same params, and cut an origin between characters")
  func params() throws {
    let seen = Seen()
    let regd = AnsweringRegd { params in
      seen.add(params.text)
      return AnsweringRegd.reply(AnsweringRegd.refusal("store.full"))
    }
    try regd.with { directory in
      try PAM.stack(directory, socket: "\(directory)/s", "--domain x.org")
      try PAM.service(directory, "socket=\(directory)/s domain=x.org")
      for (origin, cut) in [
        ("", nil), ("10.0.0.1", "10.0.0.1"), ("10.0.0.1:40001", "10.0.0.1"), ("[2001:db8::7]:40001", "2001:db8::/64"),
        ("[2001:db8::7]", "2001:db8::/64"), ("2001:DB8::7", "2001:db8::/64"),
        ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"),
        ("::ffff:5.5.5.4", "5.5.5.4"), ("::FFFF:505:504", "5.5.5.4"), ("fe80::1%eth0", "fe80::/64"), ("::1", "::/64"),
        ("::1/64", "::1/64"), ("1::2::3", "1::2::3"), ("a.example:7", "a.example"), ("x:7", "x:7"),
        (String(repeating: "é", count: 100), String(repeating: "é", count: 64)),
        ("x" + String(repeating: "é", count: 100), "x" + String(repeating: "é", count: 63)),
      ] as [(String, String?)] {
        _ = try PAM.signIn("stack", "ann", "a \"fine\" phrase", in: directory, from: origin)
        _ = try PAM.signIn("module", "ann", "a \"fine\" phrase", in: directory, from: origin)
        var wanted: JSONValue = ["email": "ann@x.org", "password": "a \"fine\" phrase"]
        if let cut {
          wanted = .object([
            .init("email", "ann@x.org"), .init("password", "a \"fine\" phrase"), .init("origin", .string(cut)),
          ])
        }
        #expect(seen.take() == Array(repeating: wanted.text, count: 4))
      }
      try PAM.stack(directory, socket: "\(directory)/s", "--group staff --group 0-a.b_c")
      try PAM.service(directory, "socket=\(directory)/s group=staff group=0-a.b_c")
      for origin in ["", "10.0.0.1"] {
        _ = try PAM.signIn("stack", "ann@x.org", "a fine phrase", in: directory, from: origin)
        _ = try PAM.signIn("module", "ann@x.org", "a fine phrase", in: directory, from: origin)
        let wanted = JSONValue.object(
          [.init("email", "ann@x.org"), .init("password", "a fine phrase")]
            + (origin.isEmpty ? [] : [.init("origin", .string(origin))])
            + [.init("groups", .array(["staff", "0-a.b_c"]))])
        #expect(seen.take() == Array(repeating: wanted.text, count: 4))
      }
    }
  }

  @Test("PAM reports that regd is unavailable if regd is silent until the timeout")
  func silent() throws {
    let regd = AnsweringRegd { _ in "" }
    try regd.with { directory in
      try PAM.service(directory, "socket=\(directory)/s seconds=1")
      #expect(PAM.code(try PAM.signIn("module", "a@x.org", "p", in: directory)) == "PAM_AUTHINFO_UNAVAIL")
      let command = "printf x | PAM_USER=a@x.org $regctl pam --seconds 1"
      #expect(try Shell.run(command, "\(directory)/s").status == 75)
    }
  }

  @Test(
    "pamtester signs in only with the correct password",
    .needsRoot)
  func pamtester() throws {
    try withRegd { regd in
      try PAM.service(regd.directory, "socket=\(regd.socket)")
      _ = try Shell.run("echo 'a fine phrase' | $regctl register ann@test.com --password-stdin", regd.socket)
      for (password, says) in [("a fine phrase", "successfully authenticated"), ("bad", "Authentication failure")] {
        // pamtester reads only /etc/pam.d, so it gets a separate namespace with one service there
        let command = """
          unshare -m sh -c 'mount --bind \(regd.directory) /etc/pam.d && echo "\(password)" | \
          pamtester module ann@test.com authenticate' 2>&1
          """
        let output = try Shell.run(command, regd.socket).output
        #expect(output.contains(says), "\(output)")
      }
    }
  }
}

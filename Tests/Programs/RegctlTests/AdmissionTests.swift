import RegdClient
import RegdProcesses
import TestDoubles
import TestKit
import Testing

@testable import regctl

/// The commands with which operators decide who may register, and the registrations that follow.
@Suite("regctl and admission: invitations, approval and terms", .blocking, .timeLimit(.minutes(10)))
struct AdmissionTests {
  private static let invited = ["REGD_REGISTRATION_MODE": "invited"]
  private static let approval = ["REGD_REGISTRATION_APPROVAL": "administrator"]
  private static let terms = [
    "REGD_REGISTRATION_TERMS_VERSION": "2026-11", "REGD_REGISTRATION_TERMS_URL": "https://example.org/terms",
  ]
  private static let register = "echo 'a fine phrase' | $regctl register --password-stdin"

  @Test(
    "a time span is a number and a unit",
    arguments: [
      ("30s", 30), ("5m", 300), ("2h", 7200), ("7d", 604_800), ("2w", 1_209_600), ("7", nil), ("d", nil), ("0d", nil),
      ("-1d", nil), ("1.5d", nil), ("7y", nil), ("9223372036854775807w", nil), ("", nil), ("7 d", nil),
    ] as [(String, Int?)])
  func span(_ text: String, _ seconds: Int?) {
    #expect(TimeSpan(argument: text)?.seconds == seconds)
  }

  @Test(
    "a wrong command line causes an error without a connection to regd",
    arguments: [
      ("invite --send", "--send needs the address"), ("invite a@b.cc --domain b.cc", "cannot be combined"),
      ("invite a@b.cc --language es", "needs --send"), ("invite --expires 7", "invalid for '--expires"),
      ("account create a@b.cc --no-password --password-stdin", "cannot be combined"),
      ("account list --state sideways", "'active', 'pending', 'disabled' or 'waiting'"),
      ("invitation revoke", "Missing expected argument"), ("accept-terms a@b.cc", "Missing expected argument"),
      ("approve a@b.cc", "did you mean \"account\"?"), ("invit", "did you mean \"invite\"?"),
    ])
  func usage(_ arguments: String, _ says: String) throws {
    let (status, output) = try Shell.run("$regctl \(arguments)", "/nonexistent/s")
    #expect(status == 2 && output.contains(says), "\(output)")
  }

  @Test("the code of an invitation is printed once, admits registrations, is not listed, and can be revoked")
  func invitations() throws {
    try withRegd(Self.invited) { regd in
      try Shell.check(
        [
          ("\(Self.register) a@example.com", 1, "invitation: "),
          ("\(Self.register) a@example.com", 1, "invitation.missing"),
          ("\(Self.register) a@example.com --invitation nonsense", 1, "invitation.rejected"),
          ("$regctl status", 0, "registration: invited, verification: none, approval: none"),
          ("$regctl invite a@example", 1, "email.domain"), ("$regctl invite --uses 0", 1, "rpc.invalidParams"),
          ("$regctl invite a@example.com --send", 1, "feature.off"),
          ("$regctl invitation revoke 0192d3a4-7c1e-7b32-9f00-0123456789ab", 1, "invitation.notFound"),
          ("$regctl invitation list", 0, ""),
          (
            "$regctl invite --uses 2 --expires 2d --note 'the choir' >made; cat made", 0,
            "used 0 of 2  reserved uses: 0  until "
          ),
          ("grep -o '[0-9A-Z]\\{26\\}' made >code; wc -l <code", 0, "1"), ("cat made", 0, "  for anyone  the choir"),
          ("\(Self.register) a@example.com --invitation $(cat code)", 0, "registered a@example.com as "),
          ("$regctl invitation list", 0, "used 1 of 2  reserved uses: 0"),
          ("$regctl invitation list --json | grep -cF \"$(cat code)\"", 1, "0"),
          ("$regctl invite --domain example.org", 0, "  @example.org"),
          ("$regctl invite b@example.com --json", 0, "\"email\":\"b@example.com\""),
          ("$regctl invite a@example.com", 1, "email.taken"),
          ("$regctl invitation revoke $(cut -d ' ' -f 1 made | tail -n 1)", 0, "revoked "),
          ("$regctl invitation list", 0, "reserved uses: 0  revoked "),
          ("\(Self.register) c@example.com --invitation $(cat code)", 1, "invitation.rejected"),
          ("$regctl events --list", 0, "  invitation.revoked  "),
        ], regd.socket, in: regd.directory)
    }
  }

  @Test("the code of a mailed invitation is only in the email")
  func mailed() throws {
    try withRegd(Self.invited.merging(Postbox.settings) { $1 }) { regd in
      let postbox = try Postbox(regd)
      let (status, output) = try Shell.run("$regctl invite a@example.com --send --language es", regd.socket)
      #expect(status == 0 && output.contains("the code is on its way to a@example.com"), "\(output)")
      #expect(output.firstMatch(of: /[0-9A-Z]{26}/) == nil, "\(output)")
      let body = try #require(try postbox.next()["body"]?.string)
      #expect(body.firstMatch(of: /[0-9A-Z]{26}/) != nil, "\(body)")
    }
  }

  @Test("waiting accounts are listed, counted, approved and refused, and cannot sign in until they are approved")
  func waiting() throws {
    try withRegd(Self.approval) { regd in
      let counted = "until $regctl status | grep 'accounts are waiting'; do :; done"
      try Shell.check(
        [
          ("$regctl account list --state waiting", 0, "no account is waiting for approval"),
          ("$regctl account list --state waiting --json | wc -c", 0, "0"),
          ("\(Self.register) a@example.com", 0, "registered a@example.com as "),
          ("\(Self.register) b@example.com", 0, "an administrator must approve the account"),
          ("echo 'a fine phrase' | $regctl sign-in a@example.com --password-stdin", 1, "account.waiting"),
          ("$regctl account list --state waiting | wc -l", 0, "2"),
          ("$regctl account list --state active | wc -l", 0, "0"),
          ("$regctl account list --state waiting", 0, "  waiting   "),
          (counted, 0, "approval: 2 accounts are waiting; see"),
          ("$regctl account disable a@example.com", 1, "account.waiting"),
          ("$regctl account approve a@example.com", 0, "approved a@example.com"),
          ("$regctl account approve nobody@example.com", 1, "account.notFound"),
          ("setsid $regctl account refuse b@example.com </dev/null", 1, "was not refused; use --yes"),
          ("$regctl account refuse b@example.com --yes", 0, "refused b@example.com"),
          ("$regctl account refuse a@example.com --yes", 1, "account.notFound"),
          ("echo 'a fine phrase' | $regctl sign-in a@example.com --password-stdin", 0, "signed in"),
          ("$regctl events --list", 0, "account.refused  b@example.com"),
        ], regd.socket, in: regd.directory)
    }
  }

  @Test("an administrator can create accounts with or without a password, or disabled, even if registration is closed")
  func created() throws {
    try withRegd(["REGD_REGISTRATION_MODE": "closed"]) { regd in
      let create = "echo 'a fine phrase' | $regctl account create --password-stdin"
      try Shell.check(
        [
          ("\(Self.register) a@example.com", 1, "registration.closed"),
          ("echo short | $regctl account create a@example.com --password-stdin", 1, "password.tooShort"),
          ("\(create) a@example", 1, "email.domain"), ("\(create) a@example.com", 0, "created account "),
          ("\(create) a@example.com", 1, "email.taken"),
          ("echo 'a fine phrase' | $regctl sign-in a@example.com --password-stdin", 0, "signed in"),
          ("\(create) --disabled b@example.com", 0, ""), ("$regctl account get b@example.com", 0, "state: disabled"),
          ("$regctl account create c@example.com --no-password", 0, "created account "),
          ("echo '*' | $regctl sign-in c@example.com --password-stdin", 1, "credentials.rejected"),
          ("$regctl export out >said && grep -c '\"passwordHash\":\"\\*\"' out", 0, "1"),
        ], regd.socket, in: regd.directory)
    }
  }

  @Test("terms are required, stored, shown and accepted again, and move to another regd in both formats")
  func termsOfUse() throws {
    try withRegd(Self.terms) { regd in
      try Shell.check(
        [
          ("$regctl status", 0, "terms: 2026-11 (https://example.org/terms)"),
          ("echo 'a fine phrase' | $regctl validate a@example.com --password-stdin", 1, "terms.missing"),
          ("echo 'a fine phrase' | $regctl validate a@example.com --password-stdin --accept-terms 2026-11", 0, "valid"),
          ("\(Self.register) a@example.com --accept-terms 2025-11", 1, "terms.outdated"),
          ("\(Self.register) a@example.com --accept-terms 2026-11", 0, "registered"),
          ("$regctl account get a@example.com", 0, "terms: 2026-11 20"),
          ("$regctl account create b@example.com --no-password", 0, "created account"),
          ("echo 'a fine phrase' | $regctl account create c@example.com --password-stdin", 0, "created account"),
          (
            "echo 'a fine phrase' | $regctl sign-in c@example.com --password-stdin", 0,
            "version 2026-11 of the terms (https://example.org/terms) has not been accepted yet; to accept it, run regctl accept-terms c@example.com 2026-11"
          ),
          ("echo 'a fine phrase' | $regctl accept-terms c@example.com 2025-11 --password-stdin", 1, "terms.outdated"),
          (
            "echo 'a fine phrase' | $regctl accept-terms c@example.com 2026-11 --password-stdin", 0,
            "c@example.com has accepted version 2026-11 of the terms"
          ),
          ("echo 'a fine phrase' | $regctl my-data c@example.com --password-stdin", 0, "terms: 2026-11 20"),
          ("$regctl events --list", 0, "terms.accepted  c@example.com"), ("$regctl export out", 0, "3 accounts"),
          ("$regctl export --to csv out.csv", 0, "3 accounts"), ("grep -c ',2026-11,20' out.csv", 0, "2"),
        ], regd.socket, in: regd.directory)
      for file in ["out", "--from csv out.csv"] {
        try withRegd { other in
          let path = file.replacing("out", with: "\(regd.directory)/out")
          try Shell.check(
            [
              ("$regctl import \(path)", 0, "imported 3, refused 0"),
              ("$regctl export - | sort >a; sort \(regd.directory)/out | cmp - a", 0, ""),
              ("$regctl account get a@example.com", 0, "terms: 2026-11 20"),
            ], other.socket, in: other.directory)
        }
      }
    }
  }

  @Test("waiting accounts and accounts without a password move to another regd, and nested values in terms are refused")
  func moved() throws {
    try withRegd(Self.approval) { regd in
      try Shell.check(
        [
          ("\(Self.register) a@example.com", 0, "registered"),
          ("$regctl account create b@example.com --no-password", 0, "created"), ("$regctl export out", 0, "2 accounts"),
          ("$regctl export --to csv out.csv", 0, "2 accounts"),
          ("echo '{\"email\":\"c@example.com\",\"terms\":{\"version\":{\"a\":1}}}' | $regctl import -", 1, "-:1:"),
          ("echo '{\"email\":\"c@example.com\",\"terms\":[1]}' | $regctl import -", 1, "-:1:"),
          (
            "printf 'email,password_hash,terms_version\\nc@example.com,*,1\\n' >in; $regctl import --from csv --dry-run in",
            1,
            "terms_accepted_at"
          ),
        ], regd.socket, in: regd.directory)
      for file in ["out", "--from csv out.csv"] {
        try withRegd { other in
          let path = file.replacing("out", with: "\(regd.directory)/out")
          try Shell.check(
            [
              ("$regctl import \(path)", 0, "imported 2, refused 0"),
              ("$regctl account list --state waiting", 0, "  a@example.com"),
              ("$regctl export - | sort >a; sort \(regd.directory)/out | cmp - a", 0, ""),
            ], other.socket, in: other.directory)
        }
      }
    }
  }

  @Test("in another language, every word of the output is translated")
  func marked() throws {
    try withRegd(Self.approval.merging(Self.terms) { $1 }) { regd in
      let (_, output) = try MarkedRegctl.run(
        """
        \(Self.register) you@example.com --accept-terms 2026-11; $regctl account list --state waiting; $regctl status
        $regctl account approve you@example.com; $regctl account list --state waiting; $regctl invite --uses 2
        $regctl account create other@example.com --no-password; $regctl account refuse you@example.com --yes
        """, regd.socket)
      let rest = MarkedCatalog.unmarked(output).replacing("regctl: ", with: "")
        // an invitation's code is on its own line
        .split(separator: "\n").filter { $0.wholeMatch(of: /[0-9A-Z]{26}/) == nil }.joined(separator: "\n")
      // ids consist of hexadecimal digits
      let words = rest.split { !$0.isLetter }.filter { word in
        word.count > 3 && !word.allSatisfy(\.isHexDigit) && !["waiting", "example"].contains(word)
      }
      #expect(words.isEmpty, "\(words): \(output)")
      #expect(output.contains("«no account is waiting for approval»") && output.contains("«for anyone»"), "\(output)")
    }
  }
}

import RegdProcesses
import TestDoubles
import TestKit
import Testing

/// Groups and display names of accounts, from the options and commands that set them to exports and imports.
@Suite("regctl, groups and display names", .blocking, .timeLimit(.minutes(10)))
struct GroupTests {
  private static let create = "echo 'a fine phrase' | $regctl account create --password-stdin"
  private static let register = "echo 'a fine phrase' | $regctl register --password-stdin"
  private static let ann = "ann@example.com"

  @Test(
    "a wrong command line causes an error without a connection to regd",
    arguments: [
      ("account group add a@b.cc", "Missing expected argument"), ("account group remove", "Missing expected argument"),
      ("account name a@b.cc", "Missing expected argument"), ("account group list a@b.cc", "list"),
      ("groups", "did you mean \"group\"?"), ("rename a@b.cc", "did you mean \"account\"?"),
    ])
  func usage(_ arguments: String, _ says: String) throws {
    let (status, output) = try Shell.run("$regctl \(arguments)", "/nonexistent/s")
    #expect(status == 2 && output.contains(says), "\(output)")
  }

  @Test("groups are refused if they are no group names or too many, and else added, removed, listed and required")
  func groups() throws {
    try withRegd { regd in
      let signIn = "echo 'a fine phrase' | $regctl sign-in \(Self.ann) --password-stdin"
      try Shell.check(
        [
          ("$regctl group list", 0, ""), ("\(Self.create) \(Self.ann) --group Staff", 1, "rpc.invalidParams"),
          ("\(Self.create) \(Self.ann) --group staff --group choir", 0, "created account "),
          ("$regctl account get \(Self.ann)", 0, "groups: choir staff\n"),
          ("$regctl account group add \(Self.ann) 'a b'", 1, "rpc.invalidParams"),
          ("$regctl account group add nobody@example.com staff", 1, "account.notFound"),
          ("$regctl account group add \(Self.ann) $(seq -f g%.0f 63)", 1, "groups.tooMany"),
          ("$regctl account group add \(Self.ann) admins staff", 0, "added \(Self.ann) to admins, staff\n"),
          ("$regctl account group remove \(Self.ann) choir", 0, "removed \(Self.ann) from choir\n"),
          ("$regctl account group remove \(Self.ann) choir", 0, "removed \(Self.ann) from choir\n"),
          ("$regctl group list", 0, "admins  members: 1\nstaff  members: 1\n"),
          ("$regctl group list --after admins --json", 0, "{\"name\":\"staff\",\"members\":1}\n"),
          ("$regctl group list --limit 1 | wc -l", 0, "1\n"), ("$regctl group list --after A", 1, "rpc.invalidParams"),
          ("$regctl account list --group No", 1, "rpc.invalidParams"),
          ("$regctl account list --group staff", 0, "  \(Self.ann)\n"),
          ("$regctl account list --group choir | wc -l", 0, "0\n"),
          ("$regctl account list --group staff --state disabled | wc -l", 0, "0\n"),
          ("$regctl events --list", 0, "  +choir +staff  by uid "), ("$regctl events --list", 0, "  -choir  by uid "),
          ("$regctl events --list | grep -c account.grouped", 0, "3\n"),
          ("\(signIn) --group choir", 1, "group.required"), ("\(signIn) --group choir --group staff", 0, "signed in"),
          ("echo 'a fine phrase' | $regctl my-data \(Self.ann) --password-stdin", 0, "groups: admins staff\n"),
        ], regd.socket, in: regd.directory)
    }
  }

  @Test("a display name is refused if it breaks a rule, and else set, shown, changed and removed")
  func names() throws {
    try withRegd { regd in
      let validate = "echo 'a fine phrase' | $regctl validate \(Self.ann) --password-stdin"
      try Shell.check(
        [
          ("\(validate) --display-name '  '", 1, "displayName.invalid"), ("\(validate) --display-name Ann", 0, "valid"),
          ("\(Self.register) \(Self.ann) --display-name \"$(printf 'a\\tb')\"", 1, "displayName.invalid"),
          ("\(Self.register) \(Self.ann) --display-name ' Ann Example '", 0, "registered \(Self.ann) as "),
          ("$regctl account get \(Self.ann)", 0, "displayName: Ann Example\n"),
          ("$regctl account name \(Self.ann) \"$(printf '%0121d' 1)\"", 1, "displayName.tooLong"),
          ("$regctl account name nobody@example.com Ann", 1, "account.notFound"),
          ("$regctl account name \(Self.ann) ' Ann'", 0, "set the display name of \(Self.ann) to Ann\n"),
          ("$regctl account name \(Self.ann) ''", 0, "removed the display name of \(Self.ann)\n"),
          ("$regctl account get \(Self.ann) | grep -c displayName", 1, "0\n"),
          ("$regctl events --list | grep -c account.renamed", 0, "2\n"),
          ("$regctl events --list | grep -c Example", 1, "0\n"),
        ], regd.socket, in: regd.directory)
    }
  }

  @Test("accounts that are registered with an invitation get its groups")
  func invited() throws {
    try withRegd(["REGD_REGISTRATION_MODE": "invited"]) { regd in
      try Shell.check(
        [
          ("$regctl invite --group Staff", 1, "rpc.invalidParams"),
          ("$regctl invite --group staff --group choir >made", 0, ""),
          ("grep -oE '[0-9A-Z]{26}' made >code; wc -l <code", 0, "1"),
          ("$regctl invitation list --json", 0, #""groups":["choir","staff"]"#),
          ("\(Self.register) \(Self.ann) --invitation $(cat code) --display-name Ann", 0, "registered"),
          ("$regctl account get \(Self.ann)", 0, "groups: choir staff\ndisplayName: Ann\n"),
        ], regd.socket, in: regd.directory)
    }
  }

  @Test("an export in either format, a backup and a dump keep groups and display names")
  func moved() throws {
    let name = #"Ünï, "the" first"#
    try withRegd { regd in
      try Shell.check(
        [
          ("\(Self.create) \(Self.ann) --group staff --group choir --display-name '\(name)'", 0, "created"),
          ("\(Self.create) bob@example.com --group null --display-name Null", 0, "created"),
          ("\(Self.create) carl@example.com", 0, "created"), ("$regctl export out", 0, "3 accounts"),
          ("$regctl export --to csv out.csv", 0, "3 accounts"),
          ("grep -c '\"groups\":\\[\"choir\",\"staff\"\\],\"displayName\":\"Ünï, ' out", 0, "1"),
          ("head -n 1 out.csv", 0, "email,password_hash,state,created_at,id,groups,display_name\n"),
          ("grep -c ',choir staff,\"Ünï, \"\"the\"\" first\"$' out.csv", 0, "1"),
          ("grep -c ',null,Null$' out.csv", 0, "1"), ("grep -c ',,$' out.csv", 0, "1"),
          ("$regctl backup copy", 0, "verified"), ("sqlite3 copy .dump | sqlite3 again", 0, ""),
          ("for file in copy again; do sqlite3 $file 'SELECT count(*) FROM account_group'; done", 0, "3\n3\n"),
          ("sqlite3 again \"SELECT display_name FROM account WHERE group_names = 'null'\"", 0, "Null\n"),
        ], regd.socket, in: regd.directory)
      for file in ["out", "--from csv out.csv"] {
        try withRegd { other in
          let path = file.replacing("out", with: "\(regd.directory)/out")
          try Shell.check(
            [
              ("$regctl import \(path)", 0, "imported 3, refused 0"),
              ("$regctl export - | sort >a; sort \(regd.directory)/out | cmp - a", 0, ""),
              ("$regctl group list", 0, "choir  members: 1\nnull  members: 1\nstaff  members: 1\n"),
            ], other.socket, in: other.directory)
        }
      }
    }
  }

  @Test("an import of JSON lines refuses wrong groups and names, and leaves out names that are not group names")
  func lines() throws {
    try withRegd { regd in
      func line(_ number: Int, _ rest: String) -> String {
        #"{"email":"n\#(number)@example.com","passwordHash":"*",\#(rest)}"#
      }
      let many = (1...65).map { #""g\#($0)""# }.joined(separator: ",")
      let records = [
        line(1, #""groups":[1]"#), line(2, #""groups":"staff""#), line(3, #""groups":[["staff"]]"#),
        line(4, #""groups":[\#(many)]"#), line(5, #""displayName":" ""#), line(6, #""groups":["Staff",1]"#),
        line(7, #""groups":["staff","Not one","/","staff"],"displayName":" Seven ""#), line(8, #""groups":[]"#),
      ]
      try TextFile.write(records.joined(separator: "\n") + "\n", to: "\(regd.directory)/in")
      let (status, output) = try Shell.run("$regctl import in", regd.socket, in: regd.directory)
      #expect(status == 1 && output.contains("imported 2, refused 6"), "\(output)")
      let told = output.split(separator: "\n").filter { $0.contains("in:") }
      #expect(told.count == 8, "\(output)")
      for (number, says) in [
        (1, "(groups.invalid)"), (2, "(groups.invalid)"), (3, "except in \"groups\" and \"terms\""),
        (4, "(groups.invalid)"), (5, "(displayName.invalid)"), (6, "\"Staff\". A group name has 1 to 32 "),
        (6, "(groups.invalid)"), (7, "The account is imported without \"Not one\", \"/\". A group name has "),
        (7, "(groups.leftOut)"),
      ] {
        #expect(told.contains { $0.contains("in:\(number): ") && $0.contains(says) }, "\(number) \(says): \(output)")
      }
      try Shell.check(
        [
          ("$regctl account get n7@example.com", 0, "groups: staff\ndisplayName: Seven\n"),
          ("$regctl account get n8@example.com | grep -c groups", 1, "0"),
        ], regd.socket, in: regd.directory)
    }
  }

  @Test("an import from another system reports on standard error what it leaves out, also with --report")
  func leftOut() throws {
    let rows = "email,password_hash,groups\na@example.org,*,staff Not\nb@example.org,x,staff\n"
    try withRegd { regd in
      try TextFile.write(rows, to: "\(regd.directory)/in")
      try Shell.check(
        [
          (
            "$regctl import --from csv --dry-run in", 1,
            "in:2 (record 1): a@example.org: The account is imported without \"Not\". A group name has 1 to 32 "
          ),
          ("$regctl import --from csv --report r in 2>&1 >/dev/null", 1, "(groups.leftOut)"),
          ("wc -l <r; grep -c b@example.org r", 0, "1\n1\n"),
          ("$regctl import --from csv --json in 2>&1 >/dev/null | grep -c '\"reason\":\"warning\"'", 0, "2"),
          ("$regctl account get a@example.org", 0, "groups: staff\n"),
          ("$regctl group list", 0, "staff  members: 1\n"),
        ], regd.socket, in: regd.directory)
    }
  }

  @Test("in another language, every word of the output is translated")
  func marked() throws {
    try withRegd { regd in
      let (_, output) = try MarkedRegctl.run(
        """
        $regctl account create you@example.com --no-password --group a1; $regctl account group add you@example.com a2
        $regctl account group remove you@example.com a2; $regctl account name you@example.com 3
        $regctl account name you@example.com ''; $regctl group list; $regctl account group add you@example.com A
        echo '{"email":"other@example.com","passwordHash":"*","groups":["A"]}' | $regctl import -
        """, regd.socket)
      let rest = MarkedCatalog.unmarked(output).replacing("regctl: ", with: "")
      let words = rest.split { !$0.isLetter }.filter { $0.count > 2 }
      #expect(words.isEmpty, "\(words): \(output)")
      #expect(output.contains("«added you@example.com to a2»") && output.contains("«members: 1»"), "\(output)")
    }
  }
}

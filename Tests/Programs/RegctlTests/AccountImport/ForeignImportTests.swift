import Linux
import RegdClient
import RegdProcesses
import TestDoubles
import TestKit
import Testing

/// `regctl import --from` as a command: early refusals, output, and an end at any moment.
@Suite("regctl import --from", .blocking, .timeLimit(.minutes(10)))
struct ForeignImportTests {
  private static let hash = "$2b$04$F3dFOc91lvb0VxCGVmYJdeX9F7otD0D84am6E66dQRnmikfZD16Xy"
  /// The hash, escaped for quotation marks in a shell.
  private static let dollarless = hash.split(separator: "$").map { "\\$" + $0 }.joined()
  private static let exports = MovedInTests.exports

  private static func rows(_ numbers: Range<Int>) -> String {
    "email,password_hash,id\n"
      + numbers.map { "n\($0)@example.org,\(hash),\($0)\n" }.joined()
  }

  @Test("a wrong command line causes an error before a file is opened")
  func usage() throws {
    try Shell.check(
      [
        ("$regctl import --from nonsense x", 2, "wordpress"), ("$regctl import --dry-run x", 2, "need --from"),
        ("$regctl import --domain a.b x", 2, "need --from"), ("$regctl import --no-password x", 2, "need --from"),
        ("$regctl import x y", 2, "one file"),
        ("$regctl import --from csv --from-line 2 x", 2, "--from-line cannot be combined with --from"),
        ("$regctl import --from csv --domain a.b x", 2, "for --from passwd"),
        ("$regctl import --from firebase x", 2, "--firebase-rounds"),
        ("$regctl import --from csv --firebase-rounds 8 x", 2, "options are only for --from firebase"),
        ("$regctl import --from csv --namespace x y", 2, "must be a UUID"),
        ("$regctl import --from csv --unproven pending x", 2, "'active' and 'disabled'"),
        ("$regctl import --from csv --dry-run nothing", 1, "nothing cannot be opened"),
        ("$regctl import --from csv --dry-run - </dev/null", 1, "must be a regular file"),
        ("mkfifo pipe; $regctl import --from csv --dry-run pipe", 1, "must be a regular file"),
        (
          "echo email,password_hash >in; $regctl import --from csv --dry-run --report /nonexistent/r in", 1,
          "/nonexistent/r cannot be written"
        ),
      ], "/nonexistent/s")
  }

  /// 130 MB, in which the first and the last account have the same address.
  private static let million = """
    with open("in", "w") as file:
      file.write("email,password_hash\\n")
      for number in range(1000000):
        name = "SOMEBODY" if number == 999999 else f"somebody{number}" if number else "somebody"
        file.write(f"{name}.with.a.long.name.and.a.longer.one@example.org,\(hash)\\n")
    """
  /// Prints the command's output, and its peak memory in KiB.
  private static let measured = """
    import os, resource, subprocess
    print(subprocess.run([os.environ["regctl"], "import", "--from", "csv", "--dry-run", "in"], capture_output=True, text=True))
    print("peak", resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)
    """

  @Test("an import of a million records keeps only addresses in memory, and finds that the first and last are the same")
  func million() throws {
    let (status, output) = try Shell.run(
      "printf %s \"$million\" | python3 - && printf %s \"$measured\" | python3 -", "/nonexistent/s",
      ["million": Self.million, "measured": Self.measured])
    #expect(status == 0, "\(output)")
    #expect(output.contains("would import 999998 and refuse 2"), "\(output)")
    #expect(output.contains("in:2 (record 1)") && output.contains("in:1000001 (record 1000000)"), "\(output)")
    let peak = try #require(output.split(separator: "\n").last?.split(separator: " ").last.flatMap { Int($0) })
    // 32 bytes for each address, twice while the list grows, and the program
    #expect(peak < 100_000, "KiB")
  }

  @Test("a dry run needs no regd, changes nothing, and reports the accounts that would be imported")
  func dryRun() throws {
    try TemporaryDirectory.with { directory in
      try Shell.check(
        [
          (
            "$regctl import --from keycloak --dry-run \(Self.exports)/keycloak-realm.json", 1,
            "would import 3 and refuse 5"
          ),
          ("$regctl import --from keycloak --dry-run \(Self.exports)/keycloak-realm.json", 1, "  disabled: 1\n"),
          ("$regctl import --from keycloak --dry-run \(Self.exports)/keycloak-realm.json", 1, "  pbkdf2-sha256: 1\n"),
          (
            "$regctl import --from keycloak --dry-run \(Self.exports)/keycloak-realm.json", 1,
            "keycloak-realm.json:182 (record 5): carl@EXAMPLE.ORG: This address is also used at"
          ),
          (
            "$regctl import --from keycloak --dry-run --json \(Self.exports)/keycloak-users-0.json", 0,
            #"{"accounts":2,"refused":0,"passedOver":0,"states":{"active":1,"disabled":1},"hashes":{"argon2id":1,"pbkdf2-sha256":1}}"#
          ),
          (
            "$regctl import --from django --dry-run \(Self.exports)/django.json", 1,
            "skipped 1 record that is not an account"
          ),
          (
            "$regctl import --from csv --dry-run --report r \(Self.exports)/accounts.csv", 1,
            "would import 2 and refuse 4"
          ),
          ("stat -c %a r; wc -l <r", 0, "600\n4\n"),
          ("cat r", 0, #""line":5,"record":4,"name":"Carl@example.org","reason":"email.duplicate""#),
          ("$regctl import --from csv --dry-run --report r \(Self.exports)/accounts.csv", 1, "r cannot be written"),
        ], "/nonexistent/s", in: directory)
    }
  }

  @Test("a dry run refuses the same hashes as regd, and a refused record counts once in both")
  func judged() throws {
    let costly = "\\$2b\\$31\\$F3dFOc91lvb0VxCGVmYJdeX9F7otD0D84am6E66dQRnmikfZD16Xy"
    let fill =
      "printf '%s\n' email,password_hash \"a@example.org,\(costly)\" b@example.org,x \"c@example.org,\(Self.dollarless)\" >in"
    try withRegd { regd in
      try Shell.check(
        [
          ("\(fill); $regctl import --from csv --dry-run in", 1, "would import 1 and refuse 2"),
          ("$regctl import --from csv --dry-run in", 1, "hash.tooCostly"),
          (
            "$regctl import --from csv --dry-run --json in", 1,
            #"{"accounts":1,"refused":2,"passedOver":0,"states":{"active":1},"hashes":{"bcrypt":1}}"#
          ),
          (
            "$regctl import --from csv --json in", 1,
            #"{"accounts":1,"imported":1,"refused":2,"passedOver":0,"states":{"active":1},"hashes":{"bcrypt":1}}"#
          ),
        ], regd.socket, in: regd.directory)
    }
  }

  @Test("a dry run assumes that regd will have the key of Firebase's hashes")
  func assumedKey() throws {
    try Shell.check(
      [
        (
          "$regctl import --from firebase --firebase-rounds 8 --firebase-mem-cost 14 --firebase-salt-separator Bw== --dry-run \(Self.exports)/firebase.json",
          1, "would import 3 and refuse 4"
        )
      ], "/nonexistent/s")
  }

  @Test("an import of a file that is cut short imports nothing")
  func cutShort() throws {
    try withRegd { regd in
      let whole = Self.rows(0..<2000) + "\"a@example.org,x\n"
      try TextFile.write(whole, to: "\(regd.directory)/in")
      try Shell.check(
        [
          (
            "$regctl import --from csv in", 1,
            "in cannot be read: the quotation mark on line 2002 is never closed; nothing was imported"
          ),
          ("$regctl account list | wc -l", 0, "0\n"),
        ], regd.socket, in: regd.directory)
    }
  }

  @Test("an import needs memory only for the largest record, however large the file is")
  func memory() throws {
    try TemporaryDirectory.with { directory in
      // 20 MB for a program with a limit of 16 MB
      try Shell.check(
        [
          (
            """
            long=$(head -c 200000 /dev/zero | tr '\\0' x); {
            echo id,email,encrypted_password,email_confirmed_at,raw_user_meta_data
            for n in $(seq 100); do echo "$n,n$n@example.org,\(Self.dollarless),2024-05-01,$long"; done; } >in
            ulimit -d 16000; $regctl import --from supabase --dry-run --json in
            """, 0, #"{"accounts":100,"refused":0,"#
          )
        ], "/nonexistent/s", in: directory)
    }
  }

  @Test("the same command continues an import that was killed, even if a user has signed in meanwhile")
  func killed() throws {
    try withRegd { regd in
      try TextFile.write(Self.rows(0..<20_000), to: "\(regd.directory)/in")
      let (_, output) = try Shell.run(
        """
        $regctl import --from csv in & importing=$!
        until [ "$($regctl account list --limit 1 --json | wc -l)" = 1 ]; do :; done
        kill -9 $importing; wait $importing; echo "ended with $?"
        """, regd.socket, in: regd.directory)
      // the import had begun but not ended
      #expect(output.contains("ended with 137"), "\(output)")
      let client = try regd.client()
      let some = try client.call("account.list", ["limit": .number("1")]).get()["accounts"]?.array?.first
      let email = try #require(some?["email"]?.string)
      try Shell.check(
        [
          ("echo 'made-up one' | $regctl sign-in \(email) --password-stdin", 0, "signed in"),
          ("$regctl import --from csv in", 0, "imported 20000, refused 0"),
          ("$regctl account list --json | wc -l", 0, "20000\n"),
        ], regd.socket, in: regd.directory)
    }
  }

  @Test("if regd ends, the import ends and prints how to continue")
  func away() throws {
    try withRegd { regd in
      try TextFile.write(Self.rows(0..<20_000), to: "\(regd.directory)/in")
      let (_, output) = try Shell.run(
        """
        { $regctl import --from csv in; echo "ended with $?"; } &
        until [ "$($regctl account list --limit 1 --json | wc -l)" = 1 ]; do :; done
        kill -9 \(regd.process.pid); wait
        """, regd.socket, in: regd.directory)
      #expect(output.contains("then stopped; to continue, run the same command"), "\(output)")
      #expect(output.contains("ended with 3"), "\(output)")
    }
  }

  @Test("a refusal by regd is printed with its place in the file, and --namespace separates two imports")
  func refusedByRegd() throws {
    try withRegd { regd in
      try TextFile.write(
        "email,password_hash,id\na@example.org,\(Self.hash),1\nb@example.org,$2b$04$x,2\n", to: "\(regd.directory)/in")
      try TextFile.write(
        "email,password_hash,id\nc@example.org,\(Self.hash),1\na@example.org,\(Self.hash),3\n",
        to: "\(regd.directory)/other")
      try Shell.check(
        [
          ("$regctl import --from csv in", 1, "in:3 (record 2): b@example.org:"),
          ("$regctl import --from csv in", 1, "(hash.malformed)"),
          (
            "$regctl import --from csv other", 1,
            "other:2 (record 1): c@example.org: Another account already has this id"
          ),
          (
            "$regctl import --from csv other --namespace 0192d3a4-7c1e-7b32-9f00-0123456789ab --json", 0,
            #"{"accounts":2,"imported":2,"refused":0,"#
          ),
        ], regd.socket, in: regd.directory)
    }
  }
}

import AsyncPrimitives
import Glibc
import Linux
import RegdProcesses
import Registration
import Synchronization
import TestDoubles
import TestKit
import Testing
import WorkerThreads

@testable import LocalMail

/// Tests real programs in place of sendmail.
@Suite("sendmail", .blocking, .timeLimit(.minutes(10)))
struct SendmailTests {
  /// The data that a program recorded, and regd's result.
  private struct Played {
    var failure: MailFailure?
    var warnings: [String]
    var arguments: [String]
    var input: [UInt8]
    var environment: [String]
  }

  /// - Parameters:
  ///   - script: A shell script, called with sendmail's arguments. `$0` is in a separate directory.
  private func play(
    _ script: String, to address: String = "name@example.com", body: String = "123456\n",
    within limit: Duration = .seconds(300)
  ) async throws -> Played {
    let directory = try TemporaryDirectory.make()
    defer { FileSystem.removeDirectory(directory) }
    let program = try Self.program(script, in: directory)
    let warnings = Mutex<[String]>([])
    let sendmail = try Sendmail(program, within: limit) { line in warnings.withLock { $0.append(line) } }
    defer { sendmail.stop() }
    let failure = await LocalMailTests.failure(sendmail, LocalMailTests.mail(to: address, body: body))
    let text = { (name: String) in TextFile.read("\(directory)/\(name)") ?? "" }
    return Played(
      failure: failure, warnings: warnings.withLock { $0 },
      arguments: text("arguments").split(separator: "\n").map(String.init),
      input: Array(text("input").utf8), environment: text("environment").split(separator: "\n").map(String.init))
  }

  /// A link to a shared program, because a newly written program cannot start until all other tests have closed it
  /// (ETXTBSY).
  private static func program(_ script: String, in directory: String) throws -> String {
    try TextFile.write(script + "\n", to: "\(directory)/script")
    #expect(symlink("\(Places.root)/Tests/Adapters/LocalMailTests/sendmail", "\(directory)/sendmail") == 0)
    return "\(directory)/sendmail"
  }

  /// Makes a named pipe, and returns the text that a program writes to it. A separate thread reads it.
  private static func line(from path: String) throws -> Promise<String> {
    #expect(mkfifo(path, 0o600) == 0)
    let line = Promise<String>()
    try WorkerThreads(name: "fifo", count: 1).submit {
      let bytes = try? Descriptor.open(path, .reading).readToEnd(beyond: 100)
      line.fulfill(String(decoding: bytes ?? [], as: UTF8.self))
    }
    return line
  }

  private static let record = """
    directory=${0%/*}
    for argument in "$@"; do echo "$argument"; done >"$directory/arguments"
    env >"$directory/environment"
    cat >"$directory/input"
    """

  @Test("a program has the whole mail before it begins, so that killing regd cannot truncate the mail")
  func whole() async throws {
    let body = String(repeating: "a line of a long mail\n", count: 10_000)
    let played = try await play(
      """
      if [ -f /proc/self/fd/0 ]; then stat -L -c %s /proc/self/fd/0; else echo a pipe; fi >"${0%/*}/arguments"
      cat >"${0%/*}/input"
      """, body: body)
    #expect(played.failure == nil)
    #expect(played.input.count > body.utf8.count)
    #expect(played.arguments == ["\(played.input.count)"])
  }

  @Test("a missing program delays the mail and logs a warning")
  func missing() async throws {
    let warnings = Mutex<[String]>([])
    let sendmail = try Sendmail("/nonexistent/sendmail", within: .seconds(60)) { line in
      warnings.withLock { $0.append(line) }
    }
    defer { sendmail.stop() }
    let failure = await LocalMailTests.failure(sendmail, LocalMailTests.mail())
    #expect(failure == .unusable("/nonexistent/sendmail cannot be started: No such file or directory"))
    #expect(
      warnings.withLock { $0 } == [
        "mail.sendmail.path: /nonexistent/sendmail cannot be started: No such file or directory"
      ])
  }

  @Test(
    "the exit status decides the result",
    arguments: [
      ("cat >/dev/null; exit 0", nil), ("cat >/dev/null; echo oops >&2; exit 0", nil),
      ("echo 'no space' >&2; exit 75", .deferred("sendmail: exit status 75: no space")),
      ("exit 67", .refused("sendmail: exit status 67")),
      (
        "echo '<name@example.com> unknown, code 123456' >&2; exit 67",
        .refused("sendmail: exit status 67: … unknown, code …")
      ),
      ("cat >/dev/null; exit 1", .refused("sendmail: exit status 1")),
      ("exit 78", .refused("sendmail: exit status 78")),
      ("kill -s SEGV $$", .deferred("sendmail was killed by signal 11")),
    ] as [(String, MailFailure?)])
  func statuses(_ script: String, _ failure: MailFailure?) async throws {
    #expect(try await play(script).failure == failure)
  }

  @Test("a program that does not end in time is killed with its children, and the mail is tried again")
  func overdue() async throws {
    let script = "trap '' TERM; sleep 1000 2>&- & echo $! >${0%/*}/arguments; wait; sleep 1000"
    // doubled if the machine is too slow to start the script
    var limit = 1
    var played = try await play(script, within: .seconds(limit))
    while played.arguments.isEmpty, limit < 128 {
      limit *= 2
      played = try await play(script, within: .seconds(limit))
    }
    #expect(played.failure == .timeout)
    let child = try #require(played.arguments.first)
    // a dead process may still have its number
    #expect(FileSystem.linkTarget("/proc/\(child)/exe") == nil)
    #expect(played.failure?.isTemporary == true)
  }

  @Test("cancelling a call ends its program")
  func cancelled() async throws {
    try await withTemporaryDirectory { directory in
      let program = try Self.program("echo $$ >${0%/*}/pid; exec sleep 1000", in: directory)
      let line = try Self.line(from: "\(directory)/pid")
      let sendmail = try Sendmail(program, within: .seconds(900)) { _ in }
      defer { sendmail.stop() }
      let (failure, pid) = await withTaskGroup(of: MailFailure?.self) { group in
        group.addTask { await LocalMailTests.failure(sendmail, LocalMailTests.mail()) }
        let pid = await line.value()
        group.cancelAll()
        return (await group.next() ?? nil, pid)
      }
      #expect(failure == .cancelled)
      #expect(Int32(pid.dropLast()) != nil)
      #expect(FileSystem.linkTarget("/proc/\(pid.dropLast())/exe") == nil)
    }
  }

  @Test("stopping cancels running and waiting calls, and later calls do not begin")
  func stopped() async throws {
    try await withTemporaryDirectory { directory in
      let program = try Self.program("echo $$ >${0%/*}/pid; exec sleep 1000", in: directory)
      let line = try Self.line(from: "\(directory)/pid")
      let sendmail = try Sendmail(program, within: .seconds(900)) { _ in }
      let failures = await withTaskGroup(of: MailFailure?.self, returning: [MailFailure?].self) { group in
        for _ in 0..<6 { group.addTask { await LocalMailTests.failure(sendmail, LocalMailTests.mail()) } }
        _ = await line.value()
        group.addTask {
          sendmail.stop()
          return nil
        }
        return await group.reduce(into: []) { $0.append($1) }
      }
      #expect(failures.count { $0 == .cancelled } == 6)
      #expect(await LocalMailTests.failure(sendmail, LocalMailTests.mail()) == .cancelled)
    }
  }

  @Test("a program that ends without reading a long mail decides by its exit status alone")
  func unread() async throws {
    let long = String(repeating: "line of a mail\n", count: 100_000)
    #expect(try await play("exit 0", body: long).failure == nil)
    #expect(try await play("exit 75", body: long).failure == .deferred("sendmail: exit status 75"))
  }

  @Test("a program that writes much before it reads does not block the mail")
  func talkative() async throws {
    let script = "head -c 1000000 /dev/zero | tr '\\0' x >&2; cat >/dev/null; exit 75"
    let failure = try #require(try await play(script).failure)
    #expect(failure == .deferred("sendmail: exit status 75: \(String(repeating: "x", count: 200))"))
  }

  @Test(
    "the mail arrives whole, the address is one argument and no option, and regd's variables are absent",
    arguments: [
      "name@example.com", "-oQ/tmp@example.com", "$IFS`id`@example.com",
      "a'b`id`|x@example.com", "Jürgen@example.com", "--@example.com",
    ])
  func taken(_ address: String) async throws {
    let played = try await play(Self.record, to: address, body: "Hallo,\n.\nFrom me\nDein Code: 123456\n")
    #expect(played.failure == nil)
    #expect(played.arguments == ["-i", "-f", "regd@example.com", "--", address])
    let read = try #require(ReadMail(played.input))
    #expect(read["To"] == address && read["From"] == "\"Example\" <regd@example.com>")
    #expect(read.body == "Hallo,\n.\nFrom me\nDein Code: 123456\n")
    #expect(!played.input.contains(13))
    let names = Set(played.environment.map { String($0.prefix { $0 != "=" }) })
    #expect(names.isSubset(of: ["PATH", "LC_ALL", "PWD", "OLDPWD", "SHLVL", "_"]), "\(names)")
  }

  @Test("a long mail arrives whole")
  func long() async throws {
    let long = String(repeating: "line of a mail\n", count: 100_000)
    let played = try await play(Self.record, body: long)
    #expect(try #require(ReadMail(played.input)).body == long)
  }

  @Test("the article describes each end of a program as the code handles it")
  func article() throws {
    let ends: [[SendmailEnd]] = [
      [.exited(status: 0, words: "x")], [.exited(status: 75, words: "")],
      [1, 64, 67, 74, 76, 78, 126, 127].map { .exited(status: $0, words: "") }, [.signalled(9), .signalled(11)],
      [.overdue],
      [.unstarted("no such file")],
    ]
    let documented = try #require(Article.named("Mail")).rows("how sendmail ended", "outcome", "tried again")
    #expect(documented.count == ends.count)
    for (row, ends) in zip(documented, ends) {
      for failure in ends.map(SendmailVerdict.failure) {
        #expect(
          [row[1], row[2]] == ["`\(MailWords.word(failure))`", failure?.isTemporary == true ? "yes" : "no"], "\(row)")
      }
    }
  }
}

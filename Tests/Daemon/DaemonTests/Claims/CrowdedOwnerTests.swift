import Glibc
import RegdClient
import RegdProcesses
import RehearsedMailServer
import TestDoubles
import TestKit
import Testing

/// An owner whose front end has 10,000 other users, all of them hostile. `REGD_TEST_CROWD_SECONDS` makes it a long run,
/// which prints how long the owner's steps took.
@Suite("An owner in a crowd of origins", .blocking, .timeLimit(.minutes(60)))
struct CrowdedOwnerTests {
  private static let seconds = getenv("REGD_TEST_CROWD_SECONDS").flatMap { Int(String(cString: $0)) } ?? 0

  @Test(
    "the owner registers, verifies, signs in and recovers, whatever the crowd with the same uid does",
    .needsRoot,
    arguments: ["sqlite", "postgresql"])
  func owner(store: String) throws {
    try #require(store == "sqlite" || PostgreSQL.isHere, "make deps installs PostgreSQL")
    try TemporaryDirectory.with { mails in
      let server = try MailServer(directory: mails)
      let database = store == "postgresql" ? try PostgreSQL.databaseNow() : nil
      let settings = [
        "REGD_STORE_BACKEND": store, "REGD_STORE_POSTGRESQL_URL": database?.url ?? "", "REGD_SOCKET_MODE": "0666",
        "REGD_REGISTRATION_VERIFICATION": "required", "REGD_REGISTRATION_CONCEAL": "true",
        "REGD_MAIL_BACKEND": "smtp", "REGD_MAIL_FROM": "regd@example.com", "REGD_MAIL_SMTP_URL": server.url,
        // The search for the secrets of 10,000 users must take no longer than the run.
        "REGD_LOG_LEVEL": "info",
      ].filter { !$0.value.isEmpty }
      try withRegd(settings) { regd in
        chmod(regd.directory, 0o711)
        let crowd = try CrowdOfOrigins(regd.socket, at: "nobody@example.com", seed: 1)
        var owner = try CrowdedOwner(regd, server, crowd)
        let clock = ContinuousClock()
        let begin = clock.now
        repeat {
          try owner.live()
        } while clock.now - begin < .seconds(Self.seconds)
        let facts = crowd.stop()
        #expect(facts.failures.isEmpty)
        #expect(facts.all > 0 && facts.codes > 0)
        if Self.seconds > 0 { print(store, owner.summary, facts) }
      }
    }
  }
}

/// An end user who uses the front end as intended.
struct CrowdedOwner {
  private let regd: RunningRegd
  private let server: MailServer
  private let crowd: CrowdOfOrigins
  private let caller: RawCaller
  private var numbers = 0
  /// The longest that each of the owner's steps took, and the most calls of one step.
  private var longest: [String: Duration] = [:]
  private var mostCalls: [String: Int] = [:]

  init(_ regd: RunningRegd, _ server: MailServer, _ crowd: CrowdOfOrigins) throws {
    (self.regd, self.server, self.crowd) = (regd, server, crowd)
    caller = try RawCaller(regd.socket, as: CrowdOfOrigins.uid)
  }

  var summary: String {
    longest.keys.sorted().map { "\($0): \(longest[$0] ?? .zero), \(mostCalls[$0] ?? 0) calls" }.joined(separator: "; ")
  }

  /// Plays an owner's visits, from the first one to a forgotten password. The crowd attacks the address as soon as the
  /// owner has claimed it.
  mutating func live() throws {
    numbers += 1
    let address = "owner\(numbers)@example.com"
    let mine = #""email":"\#(address)","origin":"home of \#(address)""#
    let phrase = #""password":"\#(Phrase.owner)""#
    crowd.turn(to: "nobody\(numbers)@example.com")
    let claim = try ask(
      "registration.register", mine + "," + phrase + #","passwordConfirmation":"\#(Phrase.owner)""#)
    let code = try newCode(address, after: 0)
    crowd.turn(to: address)
    try suffer(200)
    let proof = #""claim":"\#(Self.id(claim))","code":"\#(code)","origin":"home of \#(address)""#
    #expect(try ask("claim.prove", proof)["account"]?["state"]?.string == "active")
    _ = try ask("session.signIn", mine + "," + phrase)
    // By then the crowd has used up its quota of mails.
    try suffer(400)
    _ = try ask("session.signIn", mine + "," + phrase)
    let known = server.ledger.mails(to: address).count
    let recovery = try ask("recovery.start", mine)
    let recovered = try newCode(address, after: known)
    let other = #""password":"\#(Phrase.owner) \#(numbers)","passwordConfirmation":"\#(Phrase.owner) \#(numbers)""#
    _ = try ask(
      "recovery.finish",
      #""claim":"\#(Self.id(recovery))","code":"\#(recovered)","origin":"home of \#(address)","# + other)
    _ = try ask("session.signIn", mine + #","password":"\#(Phrase.owner) \#(numbers)""#)
  }

  private static func id(_ answer: JSONValue) -> String { answer["claim"]?["id"]?.string ?? "" }

  /// Waits until regd has answered `count` calls of the crowd about the address.
  private func suffer(_ count: Int) throws {
    let client = try regd.client()
    while crowd.facts.here < count, crowd.facts.failures.isEmpty { _ = try client.call("rpc.ping") }
  }

  /// Repeats the call while regd is too busy, as `retryable` allows.
  private mutating func ask(_ method: String, _ params: String) throws -> JSONValue {
    let clock = ContinuousClock()
    let begin = clock.now
    for call in 1...1000 {
      try caller.send(Array(#"{"jsonrpc":"2.0","id":1,"method":"\#(method)","params":{\#(params)}}"#.utf8))
      let reply = Reply(text: try caller.readLine() ?? "")
      longest[method] = max(longest[method] ?? .zero, clock.now - begin)
      mostCalls[method] = max(mostCalls[method] ?? 0, call)
      if let result = reply.result { return result }
      guard reply.reason == "server.busy" else {
        throw ProgramFailure(description: "\(method) of the owner: \(reply.text)")
      }
    }
    throw ProgramFailure(description: "\(method) of the owner is refused again and again")
  }

  /// The number of the crowd's calls within which a code must be mailed.
  private static let patience = 2000

  /// The code of the first mail after the `known` ones.
  private mutating func newCode(_ address: String, after known: Int) throws -> String {
    let clock = ContinuousClock()
    let begin = clock.now
    let client = try regd.client()
    let end = crowd.facts.all + Self.patience
    while crowd.facts.failures.isEmpty, crowd.facts.all < end {
      if let mail = server.ledger.mails(to: address).dropFirst(known).first {
        longest["mail"] = max(longest["mail"] ?? .zero, clock.now - begin)
        // A code has a separate line, in groups.
        let lines = (mail.text ?? "").split(separator: "\n").map { $0.filter { $0 != " " && $0 != "-" } }
        if let code = lines.first(where: { 6...12 ~= $0.utf8.count && $0.utf8.allSatisfy { 0x30...0x39 ~= $0 } }) {
          return code
        }
        throw ProgramFailure(description: "this mail has no code: \(mail.text ?? "")")
      }
      _ = try client.call("rpc.ping")
    }
    throw ProgramFailure(description: "no code was mailed to \(address), mail \(known + 1): \(crowd.facts)")
  }
}

import Glibc
import Linux
import RegdClient
import RegdProcesses
import RehearsedMailServer
import TestDoubles
import TestKit

/// A run that its seed reproduces, if mails arrive in time and regd is killed at the same place.
struct AdversaryRun {
  struct Claim {
    let id: String
    let kind: Kind
    let uid: UInt32
    let email: String
    /// The number of digits of the claim's code. Changes when a resend replaces the code.
    var digits: Int

    enum Kind { case registration, recovery }
  }

  static let owner: UInt32 = 65_531
  static let attackers: [UInt32] = [65_532, 65_533, 65_534]
  static let origins = ["", "here", "there"]

  let regd: RunningRegd
  let server: MailServer
  /// The database, if it is PostgreSQL's.
  let database: PostgreSQLDatabase?
  private(set) var claims: [Claim] = []
  /// The addresses that their owners have obtained, with the codes.
  private(set) var owned: [String: String] = [:]
  /// The number of requested mails by address, sent or not. `checkMails` compares the mails with it.
  private(set) var intents: [String: Int] = [:]
  private(set) var guesses = CodeGuesses()
  /// All replies to callers.
  private(set) var replies: [String] = []
  /// The failed checks. The run has a separate thread, on which an issue would not belong to the test.
  private(set) var failures: [String] = []
  var random: SeededGenerator
  private var callers: [UInt32: RawCaller] = [:]
  /// The visits to the doors.
  var doors: DoorVisits
  private var numbers = 0

  init(
    _ regd: RunningRegd, _ server: MailServer, _ database: PostgreSQLDatabase?, _ doors: DoorVisits, seed: UInt64
  ) {
    (self.regd, self.server, self.database, self.doors) = (regd, server, database, doors)
    random = SeededGenerator(seed: seed)
  }

  /// Runs the steps. Every address is attacked before and after its owner claims it. A quarter of the steps are for the
  /// first address.
  mutating func play(steps: Int) throws {
    let addresses = (0..<max(2, steps / 50)).map { "owner\($0)@example.com" }
    try repeatMail(to: addresses[0])
    for step in 0..<steps {
      let address = addresses[chance(4) ? 0 : Int.random(in: 0..<addresses.count, using: &random)]
      switch Int.random(in: 0..<100, using: &random) {
      case 0: try die()
      case 1: try registerTwice(address, attacker(), Phrase.attacker, origin())
      case 2..<6: try server.play(weather())
      case 6..<9 where owned[address] == nil && step > steps / 10: try comeForIt(address)
      case 9..<14: try leave(address, attacker())
      case 14..<19: try visitWeb(address)
      case 19..<23: try search(address)
      case 23..<26: try useInvitation()
      default: try attack(address)
      }
    }
    for address in addresses where owned[address] == nil { try comeForIt(address) }
    try useUpShortCodes()
  }

  // MARK: Steps

  /// Has a mail sent twice, because the first answer is lost.
  private mutating func repeatMail(to address: String) throws {
    try server.play(.loses(at: .message))
    try register(address, attacker(), Phrase.attacker, origin())
    let client = try regd.client()
    while server.ledger.mails.count < 2 { _ = try client.call("mail.retry", [:]) }
  }

  private mutating func die() throws {
    leaveAll()
    try regd.restart(after: SIGKILL)
  }

  /// Kills regd at a random point of a request.
  private mutating func dieIn(_ uid: UInt32, _ method: String, _ params: String) throws {
    let client = try regd.client()
    try send(uid, method, params)
    for _ in 0..<Int.random(in: 0..<300, using: &random) { _ = try client.call("rpc.ping") }
    try die()
  }

  private mutating func weather() -> MailCondition {
    let conditions: [MailCondition] = [
      .works, .works, .refusing, .greylisting, .answers(451, at: .sender), .loses(at: .message), .loses(at: .data),
    ]
    return conditions[Int.random(in: 0..<conditions.count, using: &random)]
  }

  private mutating func attack(_ address: String) throws {
    let (uid, origin) = (attacker(), origin())
    let claim = claims.filter { $0.email == address }.randomElement(using: &random)
    switch (Int.random(in: 0..<8, using: &random), claim) {
    case (0, _), (_, nil): try register(address, uid, Phrase.attacker, origin)
    case (1, let claim?): try resend(claim, uid, origin)
    case (2, _):
      let reply = try call(uid, "recovery.start", #"{"email":"\#(address)"\#(origin)}"#)
      _ = note(reply, .recovery, uid, address)
    case (3, _):
      let reply = try call(
        uid, "session.signIn", #"{"email":"\#(address)","password":"\#(Phrase.attacker)"\#(origin)}"#)
      expect(!reply.isResult, "\(uid) has signed in at \(address)")
    case (_, let claim?):
      // Any claim of the address, with a random code or with the code of the owner's claim.
      try guess(claim, owned[address] ?? String(1_000_000_000 + Int.random(in: 0..<1_000_000_000, using: &random)), uid)
    }
  }

  private mutating func resend(_ claim: Claim, _ uid: UInt32, _ origin: String) throws {
    let reply = try call(uid, "claim.resend", #"{"claim":"\#(claim.id)"\#(origin)}"#)
    expect(!reply.isResult || uid == claim.uid, "\(uid) has had \(claim) sent again")
    guard reply.isResult else { return }
    intents[claim.email, default: 0] += 1
    guesses.noteResend(claim.id)
    let digits = reply.digits
    guard digits != claim.digits, let index = claims.firstIndex(where: { $0.id == claim.id }) else { return }
    expect(digits == guesses.digits(at: claim.email), "\(claim) has got a code of \(digits) digits")
    claims[index].digits = digits
  }

  /// Uses up the short codes of an address, so that new codes become long in each run. `note` checks that.
  private mutating func useUpShortCodes() throws {
    let (address, uid) = ("guessed@example.com", Self.attackers[0])
    for _ in 0...10 {
      guard try register(address, uid, Phrase.attacker, "") != nil, let claim = claims.last else { return }
      for number in 0..<CodeGuesses.attempts { try guess(claim, "\(1_000_000_000 + number)", uid) }
    }
    expect(claims.last?.digits == CodeGuesses.longDigits, "no code was long")
  }

  /// An attacker tries a code at a claim, with as many digits as the claim's code.
  private mutating func guess(_ claim: Claim, _ digits: String, _ uid: UInt32) throws {
    let code = CodeGuesses.code(digits, for: claim)
    let phrase = #""password":"\#(Phrase.attacker)","passwordConfirmation":"\#(Phrase.attacker)""#
    let reply =
      claim.kind == .registration
      ? try call(uid, "claim.prove", #"{"claim":"\#(claim.id)","code":"\#(code)"}"#)
      : try call(uid, "recovery.finish", #"{"claim":"\#(claim.id)","code":"\#(code)",\#(phrase)}"#)
    expect(!reply.isResult, "\(uid) has proven \(claim) by \(code)")
    if uid != claim.uid { expect(reply.reason == "claim.notFound", "\(uid) was told of \(claim): \(reply.text)") }
    guard reply.reason == "code.rejected" else { return }
    if let failure = guesses.note(claim, attemptsLeft: reply.attemptsLeft) { expect(false, failure) }
  }

  /// The owner claims the address, types the code that arrives, and gets the address, whatever happened before.
  /// Meanwhile mail works.
  private mutating func comeForIt(_ address: String) throws {
    try server.play(.works)
    let mine = #","origin":"\#(Self.home(of: address))""#
    let id: String?
    if chance(3) {
      id = try registerTwice(address, Self.owner, Phrase.owner, mine)
    } else {
      id = try register(address, Self.owner, Phrase.owner, mine)
    }
    let own = try found(id, "no claim for the owner of \(address)")
    let code = try code(sentTo: address)
    // The code is valid only for the owner's claim and uid.
    let others = claims.filter { $0.email == address && $0.uid != Self.owner }.shuffled(using: &random)
    for claim in others.prefix(3) { try guess(claim, code, claim.uid) }
    let mineAlone = Claim(id: own, kind: .registration, uid: Self.owner, email: address, digits: code.utf8.count)
    try guess(mineAlone, code, attacker())
    let proof = #"{"claim":"\#(own)","code":"\#(code)"\#(mine)}"#
    if chance(3) { try dieIn(Self.owner, "claim.prove", proof) }
    // A second verification returns the same account.
    var accounts: Set<String> = []
    for _ in 0..<2 {
      let reply = try call(Self.owner, "claim.prove", proof)
      expect(reply.text.contains(#""state":"active""#), "the owner of \(address) was answered \(reply.text)")
      accounts.insert(reply.result?["account"]?["id"]?.string ?? "")
    }
    expect(accounts.count == 1, "\(address) has several accounts: \(accounts)")
    owned[address] = code
    for claim in others where claim.kind == .registration && guesses.attemptsLeft(claim.id) > 0 {
      let reply = try call(claim.uid, "claim.prove", #"{"claim":"\#(claim.id)","code":"\#(code)"}"#)
      // Of the claims that were not mailed, regd keeps the newest hundred.
      let isOver = reply.reason == "email.taken" || others.count > 100 && reply.reason == "claim.notFound"
      expect(isOver, "\(claim) is not over: \(reply.text)")
    }
  }

  /// The origin from which only the owner of an address signs in. A proxy that the door trusts names it.
  static func home(of address: String) -> String {
    "10.0.\(address.utf8.reduce(0) { ($0 &* 31 &+ Int($1)) & 0xFF }).\(address.utf8.count)"
  }

  /// - Returns: The claim's id, or nil if there was no claim.
  @discardableResult
  mutating func register(
    _ address: String, _ uid: UInt32, _ phrase: String, _ origin: String, request: String = ""
  ) throws -> String? {
    note(try call(uid, "registration.register", entry(address, phrase, origin, request)), .registration, uid, address)
  }

  /// A registration whose reply is lost because regd is killed, and its repeat, which returns the same claim and mail.
  @discardableResult
  private mutating func registerTwice(
    _ address: String, _ uid: UInt32, _ phrase: String, _ origin: String
  ) throws -> String? {
    let request = #","requestId":"request \#(numbers)""#
    try dieIn(uid, "registration.register", entry(address, phrase, origin, request))
    let id = try register(address, uid, phrase, origin, request: request)
    let again = try call(uid, "registration.register", entry(address, phrase, origin, request))
    expect(again.result?["claim"]?["id"]?.string == id, "a repeat was another claim: \(again.text)")
    return id
  }

  func entry(_ address: String, _ phrase: String, _ origin: String, _ request: String) -> String {
    #"{"email":"\#(address)","password":"\#(phrase)","passwordConfirmation":"\#(phrase)"\#(origin)\#(request)}"#
  }

  private mutating func note(_ reply: Reply, _ kind: Claim.Kind, _ uid: UInt32, _ address: String) -> String? {
    guard let id = reply.result?["claim"]?["id"]?.string else {
      expect(owned[address] != nil, "\(uid) got no claim of \(address): \(reply.text)")
      return nil
    }
    let (digits, expected) = (reply.digits, guesses.digits(at: address))
    expect(digits == expected, "a new code for \(address) has \(digits) digits instead of \(expected)")
    claims.append(Claim(id: id, kind: kind, uid: uid, email: address, digits: digits))
    intents[address, default: 0] += 1
    return id
  }

  mutating func leaveAll() {
    callers = [:]
    doors.forgetConnections()
  }

  // MARK: Checks

  mutating func expect(_ holds: Bool, _ failure: @autoclosure () -> String) {
    if !holds { failures.append(failure()) }
  }

  func found<Value>(_ value: Value?, _ failure: String) throws -> Value {
    guard let value else { throw ProgramFailure(description: ([failure] + failures).joined(separator: "\n")) }
    return value
  }

  // MARK: Chance and calls

  mutating func chance(_ one: Int) -> Bool { Int.random(in: 0..<one, using: &random) == 0 }

  mutating func attacker() -> UInt32 { Self.attackers[Int.random(in: 0..<3, using: &random)] }

  mutating func origin() -> String {
    let origin = Self.origins[Int.random(in: 0..<Self.origins.count, using: &random)]
    return origin.isEmpty ? "" : #","origin":"\#(origin)""#
  }

  mutating func call(_ uid: UInt32, _ method: String, _ params: String) throws -> Reply {
    try send(uid, method, params)
    let reply = Reply(text: try found(try callers[uid]?.readLine(), "no answer to \(method)"))
    replies.append(reply.text)
    return reply
  }

  private mutating func send(_ uid: UInt32, _ method: String, _ params: String) throws {
    let caller = try callers[uid] ?? RawCaller(regd.socket, as: uid)
    callers[uid] = caller
    numbers += 1
    try caller.send(Array(#"{"jsonrpc":"2.0","id":\#(numbers),"method":"\#(method)","params":\#(params)}"#.utf8))
  }
}

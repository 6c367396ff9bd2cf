import StoreModels
import TestDoubles

@testable import Registration

/// One state of the whole system: the store, the callers and their calls in progress, the mailbox, the clock. It is a
/// value, so that the explorer can try each transition on a copy.
struct ExploredWorld {
  struct Setting {
    var terms = VerificationTerms(
      isRequired: true, claim: .seconds(4), code: .seconds(2), attempts: 2, resend: .seconds(1), hasMail: true)
    var roles: [Role]
    /// How many seconds the clock advances, and how often the process dies.
    var seconds = 0
    var crashes = 0
    /// The behaviours that the upstream may show at each request. Empty without an upstream.
    var upstream: [Upstream] = []
    /// Whether the address has an account at the beginning.
    var hasAccount = false
  }

  /// The identity of a caller, and how many calls of each kind it makes.
  struct Role {
    let uid: UInt32
    /// Whether its registrations have a request name.
    var hasRequest = false
    var registers = 0
    var resends = 0
    var proofs = 0
    var wrongCodes = 0
  }

  enum Upstream: Int, CaseIterable { case registers, isTaken, timesOut, isOffline }

  struct Caller {
    var left: Role
    /// The number of claims that it has made.
    var made = 0
    /// The claims that it has received.
    var told: Set<Int> = []
    var run: ExploredRun?
    /// The claim that its named registration returned.
    var requested: Int?
  }

  let setting: Setting
  var now = 0
  var model = ClaimModel()
  var callers: [Caller]
  var crashes: Int
  /// The numbers of claims by id, and the ids by number.
  var names: [ClaimID: Int] = [:]
  var ids: [Int: ClaimID] = [:]
  var accounts: [AccountID: Int] = [:]
  /// Codes that have arrived at the address, each as a claim's number and generation. The owner reads them, and gives
  /// attackers all of them except the codes of their own claims.
  var mailbox: Set<Int> = []
  /// The number of wrong codes that were reported to callers, for each claim.
  var wrongTold: [Int: Int] = [:]
  /// The passwords that the claim's owner set. The account's password must be one that a correct code has set.
  var passwords: Set<String> = ["password before"]

  static let email = EmailAddress(stored: "owner@example.com", key: EmailKey("owner@example.com"))
  static let noCode = 999_999

  init(_ setting: Setting) {
    self.setting = setting
    callers = setting.roles.map { Caller(left: $0) }
    crashes = setting.crashes
    if setting.hasAccount {
      let account = Fixtures.account(Self.email.typed, hash: "password before")
      model.add(account)
      accounts[account.account.id] = 0
    }
  }

  var time: Timestamp { Self.time(now) }

  static func time(_ second: Int) -> Timestamp { Fixtures.time.advanced(by: .seconds(second)) }

  /// A six-digit code that is unique to the claim and its generation.
  func code(of claim: AddressClaim) -> Int { (names[claim.id] ?? 0) * 10 + claim.generation }

  static func digits(_ code: Int) -> String {
    let digits = String(code)
    return String(repeating: "0", count: 6 - digits.count) + digits
  }

  /// Two states with the same key have the same transitions.
  var key: UInt64 {
    var digest = ExploredDigest()
    digest.add(now)
    digest.add(crashes)
    for (name, id) in ids.sorted(by: { $0.key < $1.key }) {
      digest.add(name)
      digest.add(model.claims[id].map(value) ?? -1)
      digest.add(wrongTold[name] ?? 0)
    }
    for account in model.accounts.values.map(value).sorted() { digest.add(account) }
    for mail in model.mails { digest.add(value(mail)) }
    for code in mailbox.sorted() { digest.add(code) }
    digest.add(model.wrong.count)
    for caller in callers { add(caller, to: &digest) }
    return digest.value
  }

  private func add(_ caller: Caller, to digest: inout ExploredDigest) {
    let left = caller.left
    digest.add(left.registers << 24 | left.resends << 16 | left.proofs << 8 | left.wrongCodes)
    for name in caller.told.sorted() { digest.add(name) }
    digest.add(caller.made << 16 | (caller.requested ?? 0))
    guard let run = caller.run else { return digest.add(-2) }
    digest.add(run.call.hashValue)
    digest.add(run.began)
    digest.add(Int(truncatingIfNeeded: run.trail.value))
    digest.add((run.attempt == nil ? 0 : 1) + (run.waitsFor == nil ? 0 : 2))
  }

  // MARK: Values as numbers, without the ids that chance has made

  func value(_ claim: AddressClaim) -> Int {
    var digest = ExploredDigest()
    digest.add(names[claim.id] ?? 0)
    digest.add(claim.state.rawValue.utf8.reduce(0) { $0 * 7 + Int($1) })
    digest.add(claim.generation << 8 | claim.attempts)
    for time in [claim.codeUntil, claim.resendAt, claim.expiresAt] {
      digest.add(Int(time.microseconds - Fixtures.time.microseconds))
    }
    return Int(truncatingIfNeeded: digest.value)
  }

  func value(_ account: StoredAccount) -> Int {
    var digest = ExploredDigest()
    digest.add(accounts[account.account.id] ?? -1)
    digest.add(account.account.state.rawValue.utf8.reduce(0) { $0 * 7 + Int($1) })
    digest.add(Int(account.account.updatedAt.microseconds - Fixtures.time.microseconds))
    for byte in account.passwordHash.phc.utf8 { digest.add(Int(byte)) }
    return Int(truncatingIfNeeded: digest.value)
  }

  private func value(_ mail: StoredMail) -> Int {
    var digest = ExploredDigest()
    digest.add(mail.intent.claim.flatMap { names[$0] } ?? 0)
    digest.add(MailKind.allCases.firstIndex(of: mail.intent.kind) ?? 0)
    digest.add(StoredMail.State.allCases.firstIndex(of: mail.state) ?? 0)
    return Int(truncatingIfNeeded: digest.value)
  }
}

/// An invariant that did not hold.
struct Violation: Error, CustomStringConvertible { let description: String }

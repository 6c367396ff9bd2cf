import Linux
import Registration
import StoreConformance
import TestDoubles

@testable import SQLiteStore

/// Many accounts, claims and mails in a database, of which many are deleted again, and a search through the bytes of
/// the database's files. Each address contains a unique token, by which its remains are found.
struct ErasureRun {
  private static let prefix = Array("token".utf8)

  private var random: SeededGenerator
  private let store: Accounts
  private var next = 0
  private var living: [(account: Account, token: Int)] = []
  /// The tokens of addresses that no account has any more.
  private(set) var gone: Set<Int> = []
  /// The tokens of addresses that an account still has.
  var kept: Set<Int> { Set(living.map(\.token)) }
  private(set) var seconds = 0

  /// - Parameter first: The first token.
  init(seed: Int, _ store: Accounts, first: Int = 1) {
    random = SeededGenerator(seed: UInt64(seed))
    self.store = store
    next = first - 1
  }

  mutating func go(steps: Int) async throws {
    for _ in 0..<steps {
      seconds += 1
      switch Int.random(in: 0..<17, using: &random) {
      case 0..<5: try await importSome()
      case 5: try await register()
      case 6, 7: try await changeAddress()
      case 8: try await ask()
      case 9: try await invite()
      default: try await delete()
      }
    }
  }

  /// Sweeps everything that may be swept.
  func sweep() async throws {
    let time = ClaimScene.time(seconds + 86_400)
    while try await store.sweep(at: time, addressesBefore: time, limit: 100) {}
  }

  /// The tokens whose bytes a file contains, in upper or lower case.
  static func tokens(in path: String) throws -> Set<Int> {
    guard FileSystem.exists(path) else { return [] }
    let bytes = try FileReading.bytes(path)
    var found: Set<Int> = []
    var index = 0
    while index + 11 <= bytes.count {
      defer { index += 1 }
      guard bytes[index] | 0x20 == prefix[0] else { continue }
      guard prefix.indices.allSatisfy({ bytes[index + $0] | 0x20 == prefix[$0] }) else { continue }
      if let number = Int(String(decoding: bytes[index + 5..<index + 11], as: UTF8.self)) { found.insert(number) }
    }
    return found
  }

  // MARK: -

  private mutating func address() -> (email: EmailAddress, token: Int) {
    next += 1
    let number = "\(next)"
    let padding = String(repeating: "x", count: Int.random(in: 0..<60, using: &random))
    let text = "Token" + String(repeating: "0", count: 6 - number.count) + number + ".\(padding)@Example.org"
    return (ClaimScene.email(text), next)
  }

  private mutating func importSome() async throws {
    var accounts: [StoredAccount] = []
    for _ in 0..<12 {
      let (email, token) = address()
      let account = Account(
        id: AccountID(at: ClaimScene.time(Int.random(in: 0..<100_000, using: &random))), email: email, state: .active,
        createdAt: ClaimScene.time(seconds), updatedAt: ClaimScene.time(seconds))
      accounts.append(
        StoredAccount(account: account, passwordHash: PasswordHash(phc: String(repeating: "h", count: 97))))
      living.append((account, token))
    }
    _ = try await store.importing(accounts, ClaimScene.stamp(seconds))
  }

  /// A registration, together with claims of other users for the same address, one of which has got a wrong code.
  private mutating func register() async throws {
    let (email, token) = address()
    let claims = (0..<3).map {
      ClaimScene.claim(.registration, email.typed, uid: UInt32(7 + $0), request: "r\(token)", at: seconds)
    }
    for claim in claims { try await addAndSend(claim) }
    _ = try await store.guess(claims[1].id, ClaimScene.guess(false), ClaimScene.stamp(seconds))
    let account = ClaimScene.account(claims[0], at: seconds)
    _ = try await store.prove(claims[0].id, account, ClaimScene.stamp(seconds))
    living.append((account.account, token))
  }

  /// Claims for a new address and for a recovery that are never proven.
  private mutating func ask() async throws {
    let (email, token) = address()
    var claims = [ClaimScene.claim(.registration, email.typed, at: seconds)]
    if let owner = living.randomElement(using: &random)?.account {
      claims.append(ClaimScene.claim(.recovery, owner.email.typed, of: owner.id, at: seconds))
    }
    for claim in claims { try await addAndSend(claim) }
    gone.insert(token)
  }

  /// Two invitations: one is revoked, the other is used to register.
  private mutating func invite() async throws {
    for isUsed in [false, true] {
      let (email, token) = address()
      let invitation = InvitationScene.invitation(email.typed, at: seconds, isMailed: true)
      let mail = InvitationScene.mail(invitation, at: seconds)
      _ = try await store.add(invitation, mail, ClaimScene.stamp(seconds))
      _ = try await store.end(mail: mail.id, .sent, reason: nil)
      gone.insert(token)
      guard isUsed else {
        _ = try await store.revokeInvitation(invitation.id, ClaimScene.stamp(seconds))
        continue
      }
      let account = InvitationScene.account(email.typed, .waiting, at: seconds)
      _ = try await store.insert(
        account, request: nil, Admission(invitation: invitation.id), ClaimScene.stamp(seconds))
      _ = try await store.refuse(account.account.id, nil, ClaimScene.stamp(seconds))
    }
  }

  private func addAndSend(_ claim: AddressClaim) async throws {
    let mail = ClaimScene.mail(claim)
    _ = try await store.add(claim, mail, ClaimScene.stamp(seconds, uid: claim.uid))
    _ = try await store.end(mail: mail.id, .sent, reason: nil)
  }

  private mutating func changeAddress() async throws {
    guard let index = living.indices.randomElement(using: &random) else { return }
    let (email, token) = address()
    let owner = living[index].account
    let claim = ClaimScene.claim(.changeOfEmail, email.typed, of: owner.id, at: seconds)
    try await addAndSend(claim)
    let notice = ClaimScene.notice(.emailChanged, owner.email.typed, of: owner.id, at: seconds)
    let answer = try await store.changeEmail(
      of: owner.id, from: owner.email.key, having: nil, to: email, proving: claim.id, notice, ClaimScene.stamp(seconds))
    guard case .changed(let account) = answer else { return }
    _ = try await store.end(mail: notice.id, .sent, reason: nil)
    gone.insert(living[index].token)
    living[index] = (account, token)
  }

  private mutating func delete() async throws {
    guard let index = living.indices.randomElement(using: &random) else { return }
    let (account, token) = living.remove(at: index)
    _ = try await store.delete(account.id, ClaimScene.stamp(seconds))
    gone.insert(token)
  }
}

package import Registration
import StoreConformance
import TestDoubles

/// Derives the accounts that must exist from the audit.
package enum AuditReplay {
  package struct Remembered: Equatable, Sendable {
    /// The address as it was typed.
    package var email: String
    package var state: Account.State
    package var groups: Set<GroupName> = []
  }

  /// - Throws: If the number of an entry is missing, or an entry is about an account that does not exist.
  package static func accounts(_ log: Accounts) async throws -> [AccountID: Remembered] {
    var accounts: [AccountID: Remembered] = [:]
    var last = 0
    while true {
      let entries = try await log.audit(after: last, limit: 50)
      for entry in entries {
        try same(entry.number, last + 1, "the audit's numbers")
        last = entry.number
        try apply(entry, to: &accounts)
      }
      if entries.count < 50 { return accounts }
    }
  }

  private static func apply(_ entry: AuditEntry, to accounts: inout [AccountID: Remembered]) throws {
    guard let id = entry.account else {
      return try same(entry.invitation == nil, false, "whether entry \(entry.number) has no subject")
    }
    // an account that was approved waits again if the upstream does not have it
    let isNew =
      [.registered, .imported, .reserved].contains(entry.change)
      || entry.change == .waiting && accounts[id] == nil
    try same(accounts[id] == nil, isNew, "whether \(entry.change.rawValue) makes an account")
    let email = entry.email ?? ""
    switch entry.change {
    case .registered, .imported: accounts[id] = Remembered(email: email, state: .active)
    case .reserved: accounts[id] = Remembered(email: email, state: .pending)
    case .waiting: accounts[id] = Remembered(email: email, state: .waiting)
    case .activated, .enabled, .approved: accounts[id]?.state = .active
    case .disabled: accounts[id]?.state = .disabled
    case .released, .deleted, .refused: accounts[id] = nil
    case .emailChanged: accounts[id]?.email = email
    case .grouped:
      accounts[id]?.groups.subtract(entry.groups?.removed ?? [])
      accounts[id]?.groups.formUnion(entry.groups?.added ?? [])
    case .resumed, .passwordSet, .passwordChanged, .passwordRecovered, .rehashed, .guessed, .termsAccepted, .signedOut,
      .renamed:
      break
    case .invitationCreated, .invitationRevoked: throw Broken(description: "\(entry.change.rawValue) with an account")
    }
  }
}

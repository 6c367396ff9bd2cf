package import Registration

/// The accounts that there must be if the audit is whole.
package enum AuditReplay {
  package struct Remembered: Equatable, Sendable {
    /// As it was typed.
    package var email: String
    package var state: Account.State
  }

  /// - Throws: Where a number is missing, or an entry tells of an account that there is none of.
  package static func accounts(_ log: any AuditLog) async throws -> [AccountID: Remembered] {
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
    let isNew = [.registered, .imported, .reserved].contains(entry.change)
    try same(accounts[entry.account] == nil, isNew, "whether \(entry.change.rawValue) makes an account")
    switch entry.change {
    case .registered, .imported: accounts[entry.account] = Remembered(email: entry.email ?? "", state: .active)
    case .reserved: accounts[entry.account] = Remembered(email: entry.email ?? "", state: .pending)
    case .activated, .enabled: accounts[entry.account]?.state = .active
    case .disabled: accounts[entry.account]?.state = .disabled
    case .released, .deleted: accounts[entry.account] = nil
    case .emailChanged: accounts[entry.account]?.email = entry.email ?? ""
    case .resumed, .passwordSet, .passwordChanged, .passwordRecovered, .rehashed, .guessed: break
    }
  }
}

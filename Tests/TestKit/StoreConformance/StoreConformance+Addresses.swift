package import Registration
import TestDoubles

extension StoreConformance {
  /// Rules about addresses: each store treats spellings as one address exactly if their keys are equal, whatever the
  /// database's collation.
  package static func addresses(_ rules: EmailRules) -> [Rule] {
    AddressCorpus.pairs.map { pair in
      Rule("\(escaped(pair.one)) and \(escaped(pair.other)): \(pair.why)") { store in
        let first = try account(pair.one, rules)
        let second = try account(pair.other, rules)
        try same(try await store.insert(first), .inserted, "the first")
        try same(try await store.insert(second), pair.isOneAddress ? .taken(first) : .inserted, "the second")
        try same(try await store.find(second.account.email.key), pair.isOneAddress ? first : second, "by the second's")
        try same(try await store.find(first.account.email.key), first, "by the first's")
      }
    }
  }

  private static func account(_ typed: String, _ rules: EmailRules) throws -> StoredAccount {
    let address = try rules.check(typed).get()
    let account = Account(
      id: AccountID(at: Fixtures.time), email: address, state: .active, createdAt: Fixtures.time,
      updatedAt: Fixtures.time)
    return StoredAccount(account: account, passwordHash: PasswordHash(phc: "hash of \(typed)"))
  }

  /// The text with code points in place of non-ASCII characters, so that a failing test distinguishes spellings that
  /// look the same.
  package static func escaped(_ text: String) -> String {
    text.unicodeScalars.map { $0.isASCII && $0.value >= 0x20 ? "\($0)" : "<\(String($0.value, radix: 16))>" }.joined()
  }
}

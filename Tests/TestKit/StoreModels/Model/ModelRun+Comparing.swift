import Registration
import StoreConformance
import TestDoubles

extension ModelRun {
  /// Compares the store's whole content with the model.
  func compare() async throws {
    let listed = try await store.list(after: nil, limit: 100)
    let seen = Dictionary(
      uniqueKeysWithValues: listed.map { stored in
        let password = String(stored.passwordHash.phc.dropFirst("plain:".count))
        let account = stored.account
        let entry = AccountModel.Entry(
          id: account.id, password: password, state: account.state, groups: Set(account.groups.names),
          displayName: account.displayName?.text)
        return (account.email.key.value, entry)
      })
    try same(seen, model.accounts, "accounts")
    try await compareGroups()
    for uid in UInt32(1)...2 {
      for number in 0..<4 {
        guard let request = RequestKey(uid: uid, id: "r\(number)") else { continue }
        let (known, expected) = (try await store.find(request), model.requests[request])
        try same(known?.account.email.key.value, expected?.key, "request \(uid)/r\(number)")
        try same(known?.passwordHash.phc, (expected?.password).map { "plain:\($0)" }, "the request's password")
      }
    }
    let told = try await AuditReplay.accounts(store).values.map { ($0.email.lowercased(), $0) }
    let replayed = Dictionary(uniqueKeysWithValues: told)
    try same(replayed.mapValues(\.state), seen.mapValues(\.state), "states according to the audit")
    try same(replayed.mapValues(\.groups), seen.mapValues(\.groups), "groups according to the audit")
  }
}

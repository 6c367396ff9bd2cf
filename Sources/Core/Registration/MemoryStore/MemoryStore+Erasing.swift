extension MemoryStore {
  /// The addresses that the audit has of an account up to now are to go in some time.
  func erase(_ id: AccountID, since time: Timestamp) { erasures.append((id, entries.count, time)) }

  func eraseAddresses(before time: Timestamp) {
    for erasure in erasures where erasure.since < time {
      for index in entries.indices.prefix(erasure.upTo) where entries[index].account == erasure.account {
        entries[index].email = nil
      }
    }
    erasures.removeAll { $0.since < time }
  }

  /// Gives an account another address.
  func move(_ account: StoredAccount, to email: EmailAddress, _ stamp: Stamp) -> Account? {
    let old = account.account
    ids[old.email.key] = nil
    ids[email.key] = old.id
    memory.forget(old.email.key)
    erase(old.id, since: stamp.time)
    return change(old.id, .emailChanged, stamp) { $0.account.email = email }
  }

  package func noteGuessed(_ id: AccountID, _ stamp: Stamp) -> Bool {
    let since = stamp.time.advanced(by: .seconds(-86_400))
    guard let found = accounts[id]?.account,
      !entries.contains(where: { $0.account == id && $0.change == .guessed && $0.time > since })
    else { return false }
    write(.guessed, found, stamp)
    return true
  }
}

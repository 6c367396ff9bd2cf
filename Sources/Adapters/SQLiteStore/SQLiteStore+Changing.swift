package import Registration

/// The operations that this store implements itself: `guess`, and imports, because a large import needs a larger cache.
extension SQLiteStore {
  package func guess(_ id: ClaimID, _ guess: CodeGuess, _ stamp: Stamp) async throws(StoreFailure) -> GuessAnswer {
    let codeKey = codeKey
    return try await change(ChangeScope(claims: [id]), for: stamp.by.share, evenIfLate: false) {
      (rows) throws(SQLiteFailure) in
      let claim = try ClaimRow.find(rows.connection, id, at: stamp.time)
      let answer = guess.answer(at: claim)
      guard let claim, case .wrong(let left) = answer else { return answer }
      let address = GuessedAddress(claim.email.key, codeKey)
      let wrong = try WrongCodeRow.count(rows.connection, at: address, limit: 1, stamp.time)
      if !claim.isHidden { try WrongCodeRow.note(rows.connection, at: address, stamp.time) }
      if left > 0 {
        try ClaimRow.guessed(rows.connection, claim.afterWrongGuess(among: wrong))
      } else {
        try ClaimRow.remove(rows.connection, id)
      }
      return answer
    }
  }

  /// The number of cached pages for a large import. Another system's accounts come in the order of their file and not
  /// of their ids, so that each account changes another page of the table, and another page of the audit's index.
  private static let importPages = 8192

  /// An import of up to this many accounts shares its commit with other changes.
  private static let fewAccounts = 16

  package func importing(_ accounts: [StoredAccount], _ stamp: Stamp) async throws(StoreFailure) -> [ImportAnswer] {
    let isLarge = accounts.count > Self.fewAccounts
    return try await change(ChangeScope(accounts), for: stamp.by.share, evenIfLate: false, alone: isLarge) {
      (rows) throws(SQLiteFailure) in
      guard isLarge else { return try rows.run { (rows) throws(StoreFailure) in try rows.importing(accounts, stamp) } }
      return try rows.connection.withPages(Self.importPages) { () throws(SQLiteFailure) in
        try rows.run { (rows) throws(StoreFailure) in try rows.importing(accounts, stamp) }
      }
    }
  }
}

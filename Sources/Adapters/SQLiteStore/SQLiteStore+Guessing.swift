package import Registration

/// Guesses of codes.
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
}

package import Registration

/// Guesses of codes.
extension PostgreSQLStore {
  package func guess(_ id: ClaimID, _ guess: CodeGuess, _ stamp: Stamp) async throws(StoreFailure) -> GuessAnswer {
    let (codeKey, now) = (codeKey, stamp.time)
    // even a right code waits for the lock of the claim's row, because earlier wrong codes may end the claim
    return try await change(ChangeScope(claims: [id]), for: stamp.by.share, evenIfLate: false) {
      (rows) throws(ServerFailure) in
      let answers = try rows.connection.run([
        rows.numbering.locks.entering(), ClaimRow.lock(id, rows.clocks(now)),
        WrongCodeRow.countingAll(rows.clocks(now)),
      ])
      guard answers[0].first != nil else { throw Installation.replaced }
      var claim: AddressClaim?
      if let row = answers[1].first { claim = try ClaimRow.read(row) }
      let answer = guess.answer(at: claim)
      guard let claim, case .wrong(let left) = answer else { return answer }
      let wrong = WrongCodes(atAddress: 0, overAll: answers[2].first?.integer(0) ?? 0)
      if !claim.isHidden {
        rows.changes.add(WrongCodeRow.insertion(at: GuessedAddress(claim.email.key, codeKey), now))
        rows.changes.add(WrongCodeRow.forgetting)
      }
      rows.changes.add(
        left > 0
          ? ClaimRow.guessed(claim.afterWrongGuess(among: wrong))
          : ClaimRow.removal("id = $1", [.text(id.description)]))
      return answer
    }
  }
}

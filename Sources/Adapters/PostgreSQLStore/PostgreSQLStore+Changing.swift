package import Registration

/// The operations that are this store's own.
extension PostgreSQLStore {
  package func awaitCommits(for share: Share) async throws(StoreFailure) {
    // whoever commits has the row
    try await changeLocked(Concern(), for: share, reading: []) { _, _ in }
  }

  package func guess(_ id: ClaimID, _ guess: CodeGuess, _ stamp: Stamp) async throws(StoreFailure) -> GuessAnswer {
    let (codeKey, now) = (codeKey, stamp.time)
    // a right code, too, stands in line: it may have lost its claim to the wrong ones before it
    return try await changeLocked(Concern(claims: [id]), for: stamp.by.share, reading: [ClaimRow.look(id, now)]) {
      (connection, answers) throws(ServerFailure) in
      var claim: AddressClaim?
      if let row = answers[0].first { claim = try ClaimRow.read(row) }
      let answer = guess.answer(at: claim)
      guard let claim, case .wrong(let left) = answer else { return answer }
      let counting =
        left > 0 ? "UPDATE claim SET attempts = attempts + 1 WHERE id = $1" : "DELETE FROM claim WHERE id = $1"
      _ = try connection.run([
        WrongCodeRow.insertion(at: GuessedAddress(claim.email.key, codeKey), now), WrongCodeRow.forgetting,
        Statement(counting, [.text(id.description)]),
      ])
      return answer
    }
  }
}

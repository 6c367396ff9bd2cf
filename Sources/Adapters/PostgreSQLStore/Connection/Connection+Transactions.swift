extension Connection {
  /// Runs these statements and a COMMIT, all in one round trip.
  ///
  /// A commit with a warning counts as failed, because the warning means that the server stopped waiting for the
  /// standby ("committed locally, but might not have been replicated").
  ///
  /// - Returns: The statements' answers.
  /// - Throws: A failure with `isOfCommit` if the server may have committed.
  func commit(after statements: [Statement] = []) throws(ServerFailure) -> [Answer] {
    _ = takeWarnings()
    var answers: [Answer]
    do throws(ServerFailure) {
      answers = try run(statements + [Statement("COMMIT")])
    } catch {
      var failure = error
      failure.isOfCommit = true
      throw failure
    }
    let last = answers.removeLast().command
    guard last == "COMMIT" else { throw .unfit("the server has rolled back the transaction: \(last)") }
    let warnings = takeWarnings()
    guard warnings.isEmpty else {
      var failure = ServerFailure.disconnected(
        "the server has warned of the commit: \(warnings.joined(separator: "; "))")
      failure.isOfCommit = true
      throw failure
    }
    return answers
  }

  /// Runs `body` in a read-only transaction. All its look-ups see the database as of the first look-up.
  func asOfOneTime<Value>(_ body: () throws(ServerFailure) -> Value) throws(ServerFailure) -> Value {
    do throws(ServerFailure) {
      begin()
      try run("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY")
      let value = try body()
      try rollBack()
      return value
    } catch {
      // if the rollback fails, its failure is thrown instead, so that the session ends
      if !error.endsSession { try rollBack() }
      throw error
    }
  }
}

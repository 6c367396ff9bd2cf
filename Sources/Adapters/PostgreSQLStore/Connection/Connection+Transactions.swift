extension Connection {
  /// Commits, after these statements and in one round trip with them.
  ///
  /// A commit with a warning counts as failed, because the server stopped waiting for the standby ("committed locally, but
  /// might not have been replicated").
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
    guard last == "COMMIT" else { throw .unfit("the server has undone the transaction: \(last)") }
    let warnings = takeWarnings()
    guard warnings.isEmpty else {
      var failure = ServerFailure.disconnected(
        "the server has warned of the commit: \(warnings.joined(separator: "; "))")
      failure.isOfCommit = true
      throw failure
    }
    return answers
  }

  /// Runs `body`, which must change nothing; all its look-ups see the database as it is at the first one.
  func asOfOneTime<Value>(_ body: () throws(ServerFailure) -> Value) throws(ServerFailure) -> Value {
    do throws(ServerFailure) {
      begin()
      try run("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY")
      let value = try body()
      try rollBack()
      return value
    } catch {
      // a session whose rollback fails is of no use
      if !error.endsSession { try rollBack() }
      throw error
    }
  }
}

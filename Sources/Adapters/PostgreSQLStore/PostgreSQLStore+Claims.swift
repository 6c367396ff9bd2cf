package import Registration

/// Claims as they come and go; what they prove is elsewhere.
extension PostgreSQLStore {
  package func add(
    _ claim: AddressClaim, _ mail: MailIntent, _ stamp: Stamp
  ) async throws(StoreFailure) -> ClaimAnswer {
    let codeKey = codeKey
    return try await change(Concern(claim, [mail.id]), for: stamp.by.share) { (connection, changes) throws(ServerFailure) in
      let now = stamp.time
      let reads = claim.request.map { [ClaimRow.look($0, now), RequestRow.look($0)] } ?? []
      let answers = try connection.run(reads + [ClaimCount.counting(claim, now)])
      if claim.request != nil {
        if let row = answers[0].first { return .requestKnown(try ClaimRow.read(row)) }
        if let row = answers[1].first { return .requestHasAccount(try RequestRow.read(row)) }
      }
      // a change of the password that comes later waits for this, and ends the claim
      if let fence = claim.fence, claim.isOutdated(try AccountRow.lock(connection, fence)) { return .outdated }
      guard let count = answers.last?.first.map({ ClaimCount($0) }) else { throw .unfit("no count of claims") }
      if let end = count.refusal(at: now) { return .tooMany(until: end) }
      if let request = claim.request { changes.add(ClaimRow.removal(expired: request, now)) }
      changes.add(ClaimRow.makingRoom(at: claim.email.key, now))
      changes.require(ClaimRow.insertion(claim, now, count.bounds))
      for statement in MailRow.adding(mail, codeKey) { changes.add(statement) }
      return .added
    }
  }

  package func find(_ id: ClaimID, at now: Timestamp) async throws(StoreFailure) -> AddressClaim? {
    try await look { concern, found in
      concern.claims.contains(id) || (found ?? nil).map(concern.isAbout) ?? false
    } _: { (connection) throws(ServerFailure) in
      try ClaimRow.find(connection, id, now)
    }
  }

  package func find(claimOf request: RequestKey, at now: Timestamp) async throws(StoreFailure) -> AddressClaim? {
    try await look { concern, found in
      concern.requests.contains(request) || (found ?? nil).map(concern.isAbout) ?? false
    } _: { (connection) throws(ServerFailure) in
      guard let row = try connection.answer(ClaimRow.look(request, now)).first else { return nil }
      return try ClaimRow.read(row)
    }
  }

  package func claims(after: ClaimID?, limit: Int, at now: Timestamp) async throws(StoreFailure) -> [AddressClaim] {
    try await list { (connection) throws(ServerFailure) in
      try ClaimRow.list(connection, after: after, limit: limit, now)
    }
  }

  package func renew(
    _ claim: AddressClaim, seen: AddressClaim, _ mail: MailIntent?, _ stamp: Stamp
  ) async throws(StoreFailure) -> Bool {
    let codeKey = codeKey
    return try await change(Concern(claim, [mail?.id]), for: stamp.by.share) { (connection, changes) throws(ServerFailure) in
      guard let found = try ClaimRow.find(connection, claim.id, stamp.time), found.generation == seen.generation,
        found.resendAt == seen.resendAt
      else { return false }
      changes.require(ClaimRow.renewal(claim, seen: seen, stamp.time))
      if let mail { for statement in MailRow.adding(mail, codeKey) { changes.add(statement) } }
      return true
    }
  }

  package func end(_ id: ClaimID) async throws(StoreFailure) {
    try await change(Concern(claims: [id]), for: .daemon) { (connection, changes) throws(ServerFailure) in
      let claim = Statement.Parameter.text(id.description)
      guard try !connection.run("SELECT 1 FROM claim WHERE id = $1", [claim]).isEmpty else { return }
      changes.add(Statement("DELETE FROM claim WHERE id = $1", [claim]))
    }
  }

  package func guess(_ id: ClaimID, _ guess: CodeGuess, _ stamp: Stamp) async throws(StoreFailure) -> GuessAnswer {
    let (share, now) = (stamp.by.share, stamp.time)
    // a right code, too, stands in line: it may have lost its claim to the wrong ones before it
    return try await changeLocked(
      Concern(claims: [id]), for: share,
      reading: [ClaimRow.look(id, now), WrongCodeRow.counting(at: id, now)]
    ) { (connection, answers) throws(ServerFailure) in
      guard let row = answers[0].first else { return .gone }
      let claim = try ClaimRow.read(row)
      guard claim.generation == guess.generation else { return .outdated }
      let wrong = WrongCodeRow.Count(answers[1].first)
      guard !guess.isRefused(all: wrong.all, own: wrong.own) else {
        return .limited(until: (wrong.first ?? now).advanced(by: CodeGuess.span))
      }
      guard !guess.isRight else { return .right(claim) }
      let left = max(0, guess.attempts - claim.attempts - 1)
      let counting =
        left > 0 ? "UPDATE claim SET attempts = attempts + 1 WHERE id = $1" : "DELETE FROM claim WHERE id = $1"
      _ = try connection.run([
        WrongCodeRow.insertion(claim.email.key, claim.share, now), Statement(counting, [.text(id.description)]),
      ])
      return .wrong(attemptsLeft: left)
    }
  }
}

extension Concern {
  /// Of a claim that is added or renewed. A claim that is added may take the place of another one at its address.
  fileprivate init(_ claim: AddressClaim, _ mails: [MailID?]) {
    self.init(claims: [claim.id], mails: mails, request: claim.request)
    keys = [claim.email.key]
  }

  /// Whether a change in doubt may alter this claim.
  fileprivate func isAbout(_ claim: AddressClaim) -> Bool {
    claims.contains(claim.id) || keys.contains(claim.email.key) || ids.contains(claim.account)
  }
}

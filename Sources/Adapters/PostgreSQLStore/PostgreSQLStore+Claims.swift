package import Registration

/// Claims as they come and go; what they prove is elsewhere.
extension PostgreSQLStore {
  package func add(
    _ claim: AddressClaim, _ mail: MailIntent, _ stamp: Stamp
  ) async throws(StoreFailure) -> ClaimAnswer {
    let codeKey = codeKey
    return try await change(Concern(claim, [mail.id]), for: stamp.by.share) {
      (connection, changes) throws(ServerFailure) in
      let now = stamp.time
      if let request = claim.request {
        let answers = try connection.run([ClaimRow.look(request, now), RequestRow.look(request)])
        if let row = answers[0].first { return .requestKnown(try ClaimRow.read(row)) }
        if let row = answers[1].first { return .requestHasAccount(try RequestRow.read(row)) }
      }
      // a change of the password that comes later waits for this, and ends the claim
      if let fence = claim.fence, claim.isOutdated(try AccountRow.lock(connection, fence)) { return .outdated }
      if let request = claim.request { changes.add(ClaimRow.removal(expired: request, now)) }
      for statement in MailRow.adding(mail, codeKey) { changes.add(statement) }
      changes.require(ClaimRow.insertion(claim, mail.id))
      changes.add(ClaimRow.makingRoom(at: claim.email.key, now))
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
    return try await change(Concern(claim, [mail?.id]), for: stamp.by.share) {
      (connection, changes) throws(ServerFailure) in
      guard let found = try ClaimRow.find(connection, claim.id, stamp.time), found.generation == seen.generation,
        found.resendAt == seen.resendAt
      else { return false }
      if let mail { for statement in MailRow.adding(mail, codeKey) { changes.add(statement) } }
      changes.require(ClaimRow.renewal(claim, seen: seen, mail?.id, stamp.time))
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
    let (codeKey, now) = (codeKey, stamp.time)
    // a right code, too, stands in line: it may have lost its claim to the wrong ones before it
    return try await changeLocked(Concern(claims: [id]), for: stamp.by.share, reading: [ClaimRow.look(id, now)]) {
      (connection, answers) throws(ServerFailure) in
      guard let row = answers[0].first else { return .gone }
      let claim = try ClaimRow.read(row)
      guard claim.generation == guess.generation else { return .outdated }
      guard !guess.isRight else { return .right(claim) }
      let left = max(0, guess.attempts - claim.attempts - 1)
      let counting =
        left > 0 ? "UPDATE claim SET attempts = attempts + 1 WHERE id = $1" : "DELETE FROM claim WHERE id = $1"
      _ = try connection.run([
        WrongCodeRow.insertion(at: GuessedAddress(claim.email.key, codeKey), now), WrongCodeRow.forgetting,
        Statement(counting, [.text(id.description)]),
      ])
      return .wrong(attemptsLeft: left)
    }
  }

  package func wrongCodes(
    at key: EmailKey, limit: Int, _ now: Timestamp
  ) async throws(StoreFailure) -> WrongCodes {
    let address = GuessedAddress(key, codeKey)
    // a commit in doubt is one guess of many
    return try await look { _, _ in
      false
    } _: { (connection) throws(ServerFailure) in
      let row = try connection.answer(WrongCodeRow.counting(at: address, limit: limit, now)).first
      return WrongCodes(atAddress: row?.integer(0) ?? 0, overAll: row?.integer(1) ?? 0)
    }
  }
}

extension Concern {
  /// A claim is added or renewed. One that is added may push others at its address out.
  fileprivate init(_ claim: AddressClaim, _ mails: [MailID?]) {
    self.init(claims: [claim.id], mails: mails, request: claim.request)
    keys = [claim.email.key]
  }

  /// Whether a change in doubt may alter this claim.
  fileprivate func isAbout(_ claim: AddressClaim) -> Bool {
    claims.contains(claim.id) || keys.contains(claim.email.key) || ids.contains(claim.account)
  }
}

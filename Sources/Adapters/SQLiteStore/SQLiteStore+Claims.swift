package import Registration

/// Claims of addresses, until they are proven.
extension SQLiteStore {
  package func add(
    _ claim: AddressClaim, _ mail: MailIntent, _ stamp: Stamp
  ) async throws(StoreFailure) -> ClaimAnswer {
    let codeKey = codeKey
    let concern = Concern(claims: [claim.id], mails: [mail.id], request: claim.request)
    return try await change(concern, for: stamp.by.share) { (connection, _) throws(SQLiteFailure) in
      if let request = claim.request {
        if let known = try ClaimRow.find(connection, of: request, at: stamp.time) { return .requestKnown(known) }
        if let known = try RequestRow.find(connection, request) { return .requestHasAccount(known) }
      }
      if let fence = claim.fence, claim.isOutdated(try AccountRow.find(connection, fence)) { return .outdated }
      var claim = claim
      claim.isMailed = try MailRow.add(connection, mail, codeKey)
      try ClaimRow.insert(connection, claim, at: stamp.time)
      if !claim.isMailed { try ClaimRow.makeRoom(connection, claim.email.key, at: stamp.time) }
      return .added
    }
  }

  package func find(_ id: ClaimID, at now: Timestamp) async throws(StoreFailure) -> AddressClaim? {
    try await lookAtClaims { (connection) throws(SQLiteFailure) in try ClaimRow.find(connection, id, at: now) }
  }

  package func find(claimOf request: RequestKey, at now: Timestamp) async throws(StoreFailure) -> AddressClaim? {
    try await lookAtClaims { (connection) throws(SQLiteFailure) in
      try ClaimRow.find(connection, of: request, at: now)
    }
  }

  /// Almost every change may end claims and remove mails, of whatever account: any commit in doubt is settled first.
  func lookAtClaims<Value: Sendable>(
    _ body: @Sendable (Connection) throws(SQLiteFailure) -> Value
  ) async throws(StoreFailure) -> Value {
    try await look({ _, _ in true }, body)
  }

  package func guess(_ id: ClaimID, _ guess: CodeGuess, _ stamp: Stamp) async throws(StoreFailure) -> GuessAnswer {
    let codeKey = codeKey
    return try await change(Concern(claims: [id]), for: stamp.by.share) { (connection, _) throws(SQLiteFailure) in
      guard let claim = try ClaimRow.find(connection, id, at: stamp.time) else { return .gone }
      guard claim.generation == guess.generation else { return .outdated }
      guard !guess.isRight else { return .right(claim) }
      try WrongCodeRow.note(connection, at: GuessedAddress(claim.email.key, codeKey), stamp.time)
      let attempts = claim.attempts + 1
      if attempts < guess.attempts {
        try ClaimRow.setAttempts(connection, id, attempts)
      } else {
        try ClaimRow.remove(connection, id)
      }
      return .wrong(attemptsLeft: max(0, guess.attempts - attempts))
    }
  }

  package func wrongCodes(
    at key: EmailKey, limit: Int, _ now: Timestamp
  ) async throws(StoreFailure) -> WrongCodes {
    let address = GuessedAddress(key, codeKey)
    // a commit in doubt is one guess of many
    return try await look { _, _ in
      false
    } _: { (connection) throws(SQLiteFailure) in
      try WrongCodeRow.count(connection, at: address, limit: limit, now)
    }
  }

  package func renew(
    _ claim: AddressClaim, seen: AddressClaim, _ mail: MailIntent?, _ stamp: Stamp
  ) async throws(StoreFailure) -> Bool {
    let codeKey = codeKey
    let concern = Concern(claims: [claim.id], mails: [mail?.id])
    return try await change(concern, for: stamp.by.share) { (connection, _) throws(SQLiteFailure) in
      guard let found = try ClaimRow.find(connection, claim.id, at: stamp.time), found.generation == seen.generation,
        found.resendAt == seen.resendAt
      else { return false }
      var isMailed = found.isMailed
      if let mail {
        let isAdmitted = try MailRow.add(connection, mail, codeKey)
        isMailed = isAdmitted || isMailed && found.generation == claim.generation
      }
      try ClaimRow.renew(connection, claim, isMailed: isMailed)
      return true
    }
  }

  package func end(_ id: ClaimID) async throws(StoreFailure) {
    try await change(Concern(claims: [id]), for: .daemon) { (connection, _) throws(SQLiteFailure) in
      try ClaimRow.remove(connection, id)
    }
  }

  package func claims(
    after: ClaimID?, limit: Int, at now: Timestamp
  ) async throws(StoreFailure) -> [AddressClaim] {
    try await list { (connection) throws(SQLiteFailure) in
      try ClaimRow.list(connection, after: after, limit: limit, at: now)
    }
  }
}

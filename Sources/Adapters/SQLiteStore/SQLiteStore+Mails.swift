package import Registration

/// Mails that are to be sent.
extension SQLiteStore {
  package func add(_ mail: MailIntent) async throws(StoreFailure) {
    let codeKey = codeKey
    try await change(Concern(mails: [mail.id]), for: mail.share, evenIfLate: true) {
      (connection, _) throws(SQLiteFailure) in
      _ = try MailRow.add(connection, mail, codeKey)
    }
  }

  package func mails(after: MailID?, limit: Int) async throws(StoreFailure) -> [StoredMail] {
    let claimant = claimant
    return try await list { (connection) throws(SQLiteFailure) in
      try MailRow.list(connection, after: after, limit: limit, claimant)
    }
  }

  package func find(mail id: MailID) async throws(StoreFailure) -> StoredMail? {
    let claimant = claimant
    return try await lookAtClaims { (connection) throws(SQLiteFailure) in try MailRow.find(connection, id, claimant) }
  }

  package func lease(mail id: MailID) async throws(StoreFailure) -> StoredMail? {
    try await change(Concern(mails: [id]), for: .daemon) { (connection, changes) throws(SQLiteFailure) in
      guard let mail = try MailRow.waiting(connection, id, changes.claimant) else { return nil }
      if !mail.isClaimedElsewhere { try MailRow.lease(connection, id, changes.claimant) }
      return mail
    }
  }

  package func putOff(mail: StoredMail) async throws(StoreFailure) -> Bool {
    let id = mail.intent.id
    return try await change(Concern(mails: [id]), for: .daemon, evenIfLate: true) {
      (connection, changes) throws(SQLiteFailure) in
      guard let found = try MailRow.waiting(connection, id, changes.claimant), !found.isClaimedElsewhere else {
        return false
      }
      try MailRow.putOff(connection, mail)
      return true
    }
  }

  package func end(
    mail id: MailID, _ state: StoredMail.State, reason: String?
  ) async throws(StoreFailure) -> Bool {
    try await change(Concern(mails: [id]), for: .daemon, evenIfLate: true) {
      (connection, _) throws(SQLiteFailure) in
      try MailRow.end(connection, id, state, reason)
    }
  }
}

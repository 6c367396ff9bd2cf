package import Registration

/// Mails that wait, and what becomes of them.
extension PostgreSQLStore {
  package func add(_ mail: MailIntent) async throws(StoreFailure) {
    let codeKey = codeKey
    try await change(Concern(mails: [mail.id]), for: mail.share, evenIfLate: true) { (_, changes) in
      for statement in MailRow.adding(mail, codeKey) { changes.add(statement) }
    }
  }

  package func mails(after: MailID?, limit: Int) async throws(StoreFailure) -> [StoredMail] {
    let claimant = claimant
    return try await list { (connection) throws(ServerFailure) in
      try MailRow.list(connection, after: after, limit: limit, claimant)
    }
  }

  package func find(mail id: MailID) async throws(StoreFailure) -> StoredMail? {
    let claimant = claimant
    return try await look { concern, found in
      let mail = (found ?? nil)?.intent
      return concern.mails.contains(id) || mail.map { concern.keys.contains($0.to.key) } ?? false
    } _: { (connection) throws(ServerFailure) in
      try MailRow.find(connection, id, claimant)
    }
  }

  package func lease(mail id: MailID) async throws(StoreFailure) -> StoredMail? {
    let claimant = claimant
    return try await change(Concern(mails: [id]), for: .daemon) { (connection, changes) throws(ServerFailure) in
      guard let mail = try MailRow.find(connection, id, claimant), mail.state == .waiting else { return nil }
      if !mail.isClaimedElsewhere { changes.require(MailRow.leasing(id, claimant)) }
      return mail
    }
  }

  package func putOff(mail: StoredMail) async throws(StoreFailure) -> Bool {
    let claimant = claimant
    let id = mail.intent.id
    // it records what has happened, also where regd is told to stop meanwhile
    return try await change(Concern(mails: [id]), for: .daemon, evenIfLate: true) {
      (connection, changes) throws(ServerFailure) in
      guard let found = try MailRow.find(connection, id, claimant), found.state == .waiting, !found.isClaimedElsewhere
      else { return false }
      changes.require(MailRow.puttingOff(mail, claimant))
      return true
    }
  }

  package func end(mail id: MailID, _ state: StoredMail.State, reason: String?) async throws(StoreFailure) -> Bool {
    let claimant = claimant
    return try await change(Concern(mails: [id]), for: .daemon, evenIfLate: true) {
      (connection, changes) throws(ServerFailure) in
      guard try MailRow.find(connection, id, claimant)?.state == .waiting else { return false }
      changes.require(MailRow.ending(id, state, reason))
      return true
    }
  }
}

import StoreModels

@testable import Registration

/// A store that gives the answers of a script. Nobody types wrong codes.
struct ScriptedStore: InterceptedStore {
  let script: StoreScript

  var store: any AccountStore { Self.unused }
  private static let unused: any AccountStore = MemoryStore()
  private static let mismatch = StoreFailure.unavailable(detail: "the script has an answer to another operation")

  func around<Value: Sendable>(
    _ operation: StoreOperation, _ call: @Sendable () async throws(StoreFailure) -> Value
  ) async throws(StoreFailure) -> Value {
    throw .unavailable(detail: "the script has no answer to \(operation)")
  }

  func find(_ key: EmailKey) async throws(StoreFailure) -> StoredAccount? {
    guard case .account(let account) = try script.answer(.findKey(key)) else { throw Self.mismatch }
    return account
  }

  func find(_ id: AccountID) async throws(StoreFailure) -> StoredAccount? {
    guard case .account(let account) = try script.answer(.findAccount(id)) else { throw Self.mismatch }
    return account
  }

  func find(_ request: RequestKey) async throws(StoreFailure) -> KnownRequest? {
    guard case .request(let known) = try script.answer(.findRequest(request)) else { throw Self.mismatch }
    return known
  }

  func find(_ id: ClaimID, at now: Timestamp) async throws(StoreFailure) -> AddressClaim? {
    guard case .claim(let claim) = try script.answer(.findClaim(id, now)) else { throw Self.mismatch }
    return claim
  }

  func find(claimOf request: RequestKey, at now: Timestamp) async throws(StoreFailure) -> AddressClaim? {
    guard case .claim(let claim) = try script.answer(.findClaimOf(request, now)) else { throw Self.mismatch }
    return claim
  }

  func wrongCodes(at key: EmailKey, limit: Int, _ now: Timestamp) async throws(StoreFailure) -> WrongCodes {
    WrongCodes(atAddress: 0, overAll: 0)
  }

  func add(
    _ claim: AddressClaim, _ mail: MailIntent, invitation: InvitationID?, _ stamp: Stamp
  ) async throws(StoreFailure) -> ClaimAnswer {
    guard case .added(let answer) = try script.answer(.add(claim, mail, stamp.time)) else { throw Self.mismatch }
    return answer
  }

  func end(_ id: ClaimID) async throws(StoreFailure) {
    guard case .done = try script.answer(.end(id)) else { throw Self.mismatch }
  }

  func guess(_ id: ClaimID, _ guess: CodeGuess, _ stamp: Stamp) async throws(StoreFailure) -> GuessAnswer {
    guard case .guessed(let answer) = try script.answer(.guess(id, guess, stamp.time)) else { throw Self.mismatch }
    return answer
  }

  func renew(
    _ claim: AddressClaim, seen: AddressClaim, _ mail: MailIntent?, _ stamp: Stamp
  ) async throws(StoreFailure) -> Bool {
    guard case .done(let isDone) = try script.answer(.renew(claim, seen: seen, mail, stamp.time)) else {
      throw Self.mismatch
    }
    return isDone
  }

  func recover(
    _ id: ClaimID, of account: AccountID, to hash: PasswordHash, epoch: SessionEpoch, _ notice: MailIntent?,
    _ stamp: Stamp
  ) async throws(StoreFailure) -> Account? {
    guard case .changed(let account) = try script.answer(.recover(id, hash, epoch, notice, stamp.time)) else {
      throw Self.mismatch
    }
    return account
  }

  func changeEmail(
    of id: AccountID, from old: EmailKey, having hash: PasswordHash?, to new: EmailAddress, proving claim: ClaimID?,
    _ notice: MailIntent?, _ stamp: Stamp
  ) async throws(StoreFailure) -> EmailChangeAnswer {
    let operation = ClaimOperation.changeEmail(id, from: old, hash, to: new, claim, notice, stamp.time)
    guard case .emailChanged(let answer) = try script.answer(operation) else { throw Self.mismatch }
    return answer
  }
}

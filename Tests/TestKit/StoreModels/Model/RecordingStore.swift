package import Registration
internal import Synchronization
import TestDoubles

/// A store that serializes its operations, and records those on claims with their answers, in order: a trace, which is
/// compared with a model.
package struct RecordingStore: InterceptedStore {
  package typealias Step = (operation: ClaimOperation, answer: ClaimOperation.Answer)

  package let store: any AccountStore
  private let turns = Turns()
  private let trace = Trace()

  package init(_ store: any AccountStore) { self.store = store }

  package var steps: [Step] { trace.steps.withLock { $0 } }

  package func around<Value: Sendable>(
    _ operation: StoreOperation, _ call: @Sendable () async throws(StoreFailure) -> Value
  ) async throws(StoreFailure) -> Value {
    await turns.begin()
    do throws(StoreFailure) {
      let value = try await call()
      await turns.end()
      return value
    } catch {
      await turns.end()
      throw error
    }
  }

  private func recorded<Value: Sendable>(
    _ operation: ClaimOperation, _ name: StoreOperation, _ answer: @escaping @Sendable (Value) -> ClaimOperation.Answer,
    _ call: @Sendable () async throws(StoreFailure) -> Value
  ) async throws(StoreFailure) -> Value {
    let trace = trace
    return try await around(name) { () async throws(StoreFailure) in
      let value = try await call()
      trace.steps.withLock { $0.append((operation, answer(value))) }
      return value
    }
  }

  private final class Trace: Sendable {
    let steps = Mutex<[Step]>([])
  }

  /// Lets callers in one at a time, in the order in which they came.
  private actor Turns {
    private var isTaken = false
    private var waiting: [CheckedContinuation<Void, Never>] = []

    func begin() async {
      guard isTaken else {
        isTaken = true
        return
      }
      await withCheckedContinuation { waiting.append($0) }
    }

    func end() {
      if waiting.isEmpty { isTaken = false } else { waiting.removeFirst().resume() }
    }
  }
}

extension RecordingStore {
  package func find(_ key: EmailKey) async throws(StoreFailure) -> StoredAccount? {
    try await recorded(.findKey(key), .find, ClaimOperation.Answer.account) { () async throws(StoreFailure) in
      try await store.find(key)
    }
  }

  package func find(_ id: AccountID) async throws(StoreFailure) -> StoredAccount? {
    try await recorded(.findAccount(id), .find, ClaimOperation.Answer.account) { () async throws(StoreFailure) in
      try await store.find(id)
    }
  }

  package func find(_ request: RequestKey) async throws(StoreFailure) -> KnownRequest? {
    try await recorded(.findRequest(request), .find, ClaimOperation.Answer.request) { () async throws(StoreFailure) in
      try await store.find(request)
    }
  }

  package func find(_ id: ClaimID, at now: Timestamp) async throws(StoreFailure) -> AddressClaim? {
    try await recorded(.findClaim(id, now), .findClaim, ClaimOperation.Answer.claim) { () async throws(StoreFailure) in
      try await store.find(id, at: now)
    }
  }

  package func find(claimOf request: RequestKey, at now: Timestamp) async throws(StoreFailure) -> AddressClaim? {
    try await recorded(.findClaimOf(request, now), .findClaim, ClaimOperation.Answer.claim) {
      () async throws(StoreFailure) in
      try await store.find(claimOf: request, at: now)
    }
  }

  package func add(
    _ claim: AddressClaim, _ mail: MailIntent, invitation: InvitationID?, _ stamp: Stamp
  ) async throws(StoreFailure) -> ClaimAnswer {
    try await recorded(.add(claim, mail, stamp.time), .addClaim, ClaimOperation.Answer.added) {
      () async throws(StoreFailure) in
      try await store.add(claim, mail, invitation: invitation, stamp)
    }
  }

  package func end(_ id: ClaimID) async throws(StoreFailure) {
    _ = try await recorded(.end(id), .endClaim, ClaimOperation.Answer.done) { () async throws(StoreFailure) in
      try await store.end(id)
      return true
    }
  }

  package func guess(_ id: ClaimID, _ guess: CodeGuess, _ stamp: Stamp) async throws(StoreFailure) -> GuessAnswer {
    let operation = ClaimOperation.guess(id, guess, stamp.time)
    return try await recorded(operation, .guess, ClaimOperation.Answer.guessed) { () async throws(StoreFailure) in
      try await store.guess(id, guess, stamp)
    }
  }

  package func wrongCodes(
    at key: EmailKey, limit: Int, _ now: Timestamp
  ) async throws(StoreFailure) -> WrongCodes {
    let operation = ClaimOperation.wrongCodes(key, limit: limit, now)
    return try await recorded(operation, .wrongCodes, ClaimOperation.Answer.counted) {
      () async throws(StoreFailure) in
      try await store.wrongCodes(at: key, limit: limit, now)
    }
  }

  package func renew(_ claim: AddressClaim, seen: AddressClaim, _ mail: MailIntent?, _ stamp: Stamp)
    async throws(StoreFailure) -> Bool
  {
    let operation = ClaimOperation.renew(claim, seen: seen, mail, stamp.time)
    return try await recorded(operation, .renewClaim, ClaimOperation.Answer.done) { () async throws(StoreFailure) in
      try await store.renew(claim, seen: seen, mail, stamp)
    }
  }

  package func prove(
    _ id: ClaimID, _ account: StoredAccount, _ notice: MailIntent?, _ stamp: Stamp
  ) async throws(StoreFailure) -> ProofAnswer {
    try await recorded(.prove(id, account, stamp.time), .prove, ClaimOperation.Answer.proved) {
      () async throws(StoreFailure) in
      try await store.prove(id, account, notice, stamp)
    }
  }

  package func recover(
    _ id: ClaimID, of account: AccountID, to hash: PasswordHash, epoch: SessionEpoch, _ notice: MailIntent?,
    _ stamp: Stamp
  ) async throws(StoreFailure) -> Account? {
    let operation = ClaimOperation.recover(id, hash, epoch, notice, stamp.time)
    return try await recorded(operation, .recover, ClaimOperation.Answer.changed) { () async throws(StoreFailure) in
      try await store.recover(id, of: account, to: hash, epoch: epoch, notice, stamp)
    }
  }

  package func changePassword(
    of id: AccountID, from old: PasswordHash, to new: PasswordHash, epoch: SessionEpoch, _ notice: MailIntent?,
    _ stamp: Stamp
  ) async throws(StoreFailure) -> Account? {
    let operation = ClaimOperation.changePassword(id, from: old, to: new, epoch, notice, stamp.time)
    return try await recorded(operation, .changePassword, ClaimOperation.Answer.changed) {
      () async throws(StoreFailure) in
      try await store.changePassword(of: id, from: old, to: new, epoch: epoch, notice, stamp)
    }
  }

  package func changeEmail(
    of id: AccountID, from old: EmailKey, having hash: PasswordHash?, to new: EmailAddress, proving claim: ClaimID?,
    _ notice: MailIntent?, _ stamp: Stamp
  ) async throws(StoreFailure) -> EmailChangeAnswer {
    let operation = ClaimOperation.changeEmail(id, from: old, hash, to: new, claim, notice, stamp.time)
    return try await recorded(operation, .changeEmail, ClaimOperation.Answer.emailChanged) {
      () async throws(StoreFailure) in
      try await store.changeEmail(of: id, from: old, having: hash, to: new, proving: claim, notice, stamp)
    }
  }

  package func delete(
    _ id: AccountID, having hash: PasswordHash?, _ stamp: Stamp
  ) async throws(StoreFailure) -> DeleteAnswer {
    try await recorded(.delete(id, hash), .delete, ClaimOperation.Answer.deleted) { () async throws(StoreFailure) in
      try await store.delete(id, having: hash, stamp)
    }
  }
}

extension Share {
  fileprivate init(of stamp: Stamp) { self = stamp.by.map { Share(uid: $0.uid, origin: $0.origin) } ?? .daemon }
}

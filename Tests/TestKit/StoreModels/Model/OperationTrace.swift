package import Registration
internal import Synchronization

/// Serializes the operations of a store, and records those on claims with their answers, in order: a trace, which is
/// compared with a model.
final class OperationTrace: StoreHook {
  typealias Step = (operation: ClaimOperation, answer: ClaimOperation.Answer)

  private let turns = Turns()
  private let all = Mutex<[Step]>([])

  var steps: [Step] { all.withLock { $0 } }

  var readsArguments: Bool { true }

  func around<Value: Sendable>(
    _ call: StoreCall, _ proceed: () async throws(StoreFailure) -> Value
  ) async throws(StoreFailure) -> Value {
    await turns.begin()
    do throws(StoreFailure) {
      let value = try await proceed()
      if let operation = ClaimOperation(call), let answer = ClaimOperation.Answer(value, to: operation) {
        all.withLock { $0.append((operation, answer)) }
      }
      await turns.end()
      return value
    } catch {
      await turns.end()
      throw error
    }
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

extension ClaimOperation {
  /// Reads the operation from the arguments of a call. Nil for an operation that the model does not know.
  package init?(_ call: StoreCall) {
    switch (call.operation, call.arguments) {
    case (.find, let key as EmailKey): self = .findKey(key)
    case (.find, let id as AccountID): self = .findAccount(id)
    case (.find, let request as RequestKey): self = .findRequest(request)
    case (.findClaim, let (id, now) as (ClaimID, Timestamp)): self = .findClaim(id, now)
    case (.findClaim, let (request, now) as (RequestKey, Timestamp)): self = .findClaimOf(request, now)
    case (.addClaim, let (claim, mail, now) as (AddressClaim, MailIntent, Timestamp)): self = .add(claim, mail, now)
    case (.endClaim, let id as ClaimID): self = .end(id)
    case (.guess, let (id, guess, now) as (ClaimID, CodeGuess, Timestamp)): self = .guess(id, guess, now)
    case (.wrongCodes, let (key, limit, now) as (EmailKey, Int, Timestamp)): self = .wrongCodes(key, limit: limit, now)
    case (.renewClaim, let (claim, seen, mail, now) as (AddressClaim, AddressClaim, MailIntent?, Timestamp)):
      self = .renew(claim, seen: seen, mail, now)
    case (.prove, let (id, account, now) as (ClaimID, StoredAccount, Timestamp)): self = .prove(id, account, now)
    case (.recover, let (id, hash, epoch, mail, now) as (ClaimID, PasswordHash, SessionEpoch, MailIntent?, Timestamp)):
      self = .recover(id, hash, epoch, mail, now)
    case (
      .changePassword,
      let (id, old, new, epoch, mail, now)
        as (AccountID, PasswordHash, PasswordHash, SessionEpoch, MailIntent?, Timestamp)
    ):
      self = .changePassword(id, from: old, to: new, epoch, mail, now)
    case (
      .changeEmail,
      let (id, old, hash, new, claim, mail, now)
        as (AccountID, EmailKey, PasswordHash?, EmailAddress, ClaimID?, MailIntent?, Timestamp)
    ):
      self = .changeEmail(id, from: old, hash, to: new, claim, mail, now)
    case (.delete, let (id, hash) as (AccountID, PasswordHash?)): self = .delete(id, hash)
    default: return nil
    }
  }
}

extension ClaimOperation.Answer {
  /// - Parameter value: The operation's answer, of the type that the operation has.
  fileprivate init?(_ value: some Sendable, to operation: ClaimOperation) {
    // the type follows from the operation, because a nil of one type can be cast to an optional of any other
    switch operation {
    case .findClaim, .findClaimOf: self = .claim(value as? AddressClaim)
    case .findRequest: self = .request(value as? KnownRequest)
    case .findKey, .findAccount: self = .account(value as? StoredAccount)
    case .recover, .changePassword: self = .changed(value as? Account)
    case .end: self = .done(true)
    case .add, .guess, .wrongCodes, .renew, .prove, .changeEmail, .delete, .activate, .resume, .release:
      switch value {
      case let answer as ClaimAnswer: self = .added(answer)
      case let answer as GuessAnswer: self = .guessed(answer)
      case let counts as WrongCodes: self = .counted(counts)
      case let isDone as Bool: self = .done(isDone)
      case let answer as ProofAnswer: self = .proved(answer)
      case let answer as EmailChangeAnswer: self = .emailChanged(answer)
      case let answer as DeleteAnswer: self = .deleted(answer)
      default: return nil
      }
    }
  }
}
